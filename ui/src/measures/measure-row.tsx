import { Button, Group, Progress, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { isGrouping, type MeasureName, measureKey } from '../../../picture/measures/names.ts'
import type { View } from '../graph/view/view.ts'
import { text } from '../text/index.ts'
import type { Measures } from './use-measures.ts'

/** A measure, with buttons to compute it, to stop the computation, and to use the result. */
export function MeasureRow({
  name,
  measures: { values, running, isPending, compute, stop },
  isColour,
  isSize,
  options,
  onChange,
  onStore
}: {
  name: MeasureName
  measures: Measures
  /** Whether the measure colours or sizes the nodes. */
  isColour: boolean
  isSize: boolean
  /** Fields for the measure's parameters. */
  options?: ReactNode
  onChange: (changes: Partial<View>) => void
  /** Stores the values as a node attribute. Absent if the user may not do so. */
  onStore: (() => void) | undefined
}) {
  const title = text.measures.names[name]
  const isComputed = values.has(name)
  const colour = {
    word: text.measures.colour,
    label: text.measures.colourBy(title),
    act: () => onChange({ colour: measureKey(name) })
  }
  const action = isComputed
    ? colour
    : isPending(name)
      ? { word: text.measures.stop, label: text.measures.stopOf(title), act: () => stop(name) }
      : { word: text.measures.compute, label: text.measures.computeOf(title), act: () => compute(name) }
  return (
    <li>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <div>
          <Text size="sm">{title}</Text>
          <Text size="xs" c="dimmed">
            {text.measures.hints[name]}
          </Text>
        </div>
        <Group gap={4} wrap="nowrap">
          {/* A single button for all states, so that it does not lose focus. */}
          <Button
            size="compact-xs"
            variant={isComputed && isColour ? 'filled' : 'default'}
            aria-label={action.label}
            aria-pressed={isComputed ? isColour : undefined}
            onClick={action.act}
          >
            {action.word}
          </Button>
          {isComputed && !isGrouping(name) && (
            <Button
              size="compact-xs"
              variant={isSize ? 'filled' : 'default'}
              aria-label={text.measures.sizeBy(title)}
              aria-pressed={isSize}
              onClick={() => onChange({ size: measureKey(name) })}
            >
              {text.measures.size}
            </Button>
          )}
          {isComputed && onStore && (
            <Button size="compact-xs" variant="default" aria-label={text.measures.storeOf(title)} onClick={onStore}>
              {text.measures.store}
            </Button>
          )}
        </Group>
      </Group>
      {options}
      {running?.name === name && (
        <Progress value={running.share * 100} size="sm" mt={4} aria-label={text.measures.computing(title)} />
      )}
    </li>
  )
}
