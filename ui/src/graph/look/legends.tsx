import { ActionIcon, Group, Paper, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { Fragment, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { OTHER } from '../../../../picture/model/palettes.ts'
import type { Legend } from '../../../../picture/model/scales.ts'
import { countOf, elementsOf, type LegendPart, legendParts } from '../../../../picture/sheet/legend-rows.ts'
import { Swatch } from '../../shared/swatch.tsx'
import { formatNumber, text } from '../../text/index.ts'
import type { Attribute } from '../network/attributes.ts'
import type { GraphViewState } from '../view/use-graph-view.ts'
import { LegendKinds } from './legend-kinds.tsx'
import { LegendTitle } from './legend-title.tsx'
import { useRovingFocus } from './use-roving-focus.ts'

/** The legends for colours and sizes. Clicking a value toggles a filter. */
export function Legends({ view }: { view: GraphViewState }) {
  const { legends, ...look } = view.look
  const box = useRef<HTMLElement>(null)
  const isCut = useIsCut(box)
  const focus = useRovingFocus(box)
  const [isWhole, setIsWhole] = useState(false)
  const [isHidden, setIsHidden] = useState(false)
  /** The button that hides the legend, or else the one that shows it. */
  const button = useRef<HTMLButtonElement>(null)
  const toggle = () => {
    setIsHidden(!isHidden)
    // The pressed button disappears.
    setTimeout(() => button.current?.focus())
  }
  const parts = legendParts.filter((part) => legends[part])
  if (parts.length === 0) return null
  const keys = JSON.stringify([isWhole, ...parts.map((part) => legends[part]?.key)])
  if (isHidden) {
    return (
      <Paper withBorder px="xs" className="drawing-legend">
        <UnstyledButton ref={button} className="legend-more" aria-expanded={false} onClick={toggle}>
          {text.legend.show}
        </UnstyledButton>
      </Paper>
    )
  }
  return (
    <Paper
      withBorder
      p="xs"
      className="drawing-legend"
      component="section"
      aria-label={text.legend.title}
      ref={box}
      {...focus}
      data-whole={isWhole || undefined}
      data-parts={keys}
    >
      <Stack gap="xs">
        {parts.map((part, index) => (
          <LegendOf
            key={part}
            view={view}
            part={part}
            attribute={look[part] as Attribute}
            legend={legends[part] as Legend}
            button={
              index === 0 && (
                <ActionIcon
                  ref={button}
                  variant="subtle"
                  color="gray"
                  size={24}
                  aria-label={text.legend.hide}
                  onClick={toggle}
                >
                  <IconChevronDown size={16} aria-hidden />
                </ActionIcon>
              )
            }
          />
        ))}
        {(isCut || isWhole) && (
          <UnstyledButton className="legend-more" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
            {isWhole ? text.legend.less : text.legend.more}
          </UnstyledButton>
        )}
      </Stack>
    </Paper>
  )
}

/** Returns whether part of the legend is out of sight, so that the user has to scroll. */
function useIsCut(box: RefObject<HTMLElement | null>): boolean {
  const [isCut, setIsCut] = useState(false)
  useEffect(() => {
    const { current } = box
    const stack = current?.firstElementChild as HTMLElement | undefined
    if (!current || !stack) return
    const observer = new ResizeObserver(() => {
      // The button below the parts must not be the reason why it is needed.
      const last = stack.querySelector<HTMLElement>(':scope > :nth-last-child(1 of :not(.legend-more))')
      const needed = last ? last.offsetTop + last.offsetHeight + stack.offsetTop : 0
      setIsCut(needed > current.clientHeight + 1)
    })
    observer.observe(current)
    observer.observe(stack)
    return () => observer.disconnect()
  })
  return isCut
}

function LegendOf({
  view,
  part,
  attribute,
  legend,
  button
}: {
  view: GraphViewState
  part: LegendPart
  attribute: Attribute
  legend: Legend
  /** A button beside the title. */
  button: ReactNode
}) {
  const { kinds, missing, others = 0, othersColour, range, samples } = legend
  const { count = 0, shown = count } = missing ?? {}
  return (
    <div>
      <Group gap={4} wrap="nowrap" justify="space-between" align="start">
        <LegendTitle view={view} part={part} legend={legend} />
        {button}
      </Group>
      {kinds && (
        <LegendKinds view={view} of={elementsOf(part)} attribute={attribute} legend={legend}>
          {others > 0 && (
            <Group gap={4} wrap="nowrap">
              <div className="legend-swatch">{othersColour !== undefined && <Swatch colour={othersColour} />}</div>
              <Text size="xs">{text.legend.others(formatNumber(others))}</Text>
            </Group>
          )}
        </LegendKinds>
      )}
      {samples && (
        <div className="legend-samples">
          {samples.map(({ value, size }) => (
            <Fragment key={value ?? 'missing'}>
              {part === 'size' ? (
                <span className="sample-disc" style={{ width: `calc(${2 * size}px * var(--node-scale, 1))` }} />
              ) : (
                <span className="sample-line" style={{ height: size }} />
              )}
              <Text size="xs">{value === undefined ? text.legend.missing : formatNumber(value, legend.format)}</Text>
            </Fragment>
          ))}
        </div>
      )}
      {range?.ramp && (
        <>
          <div className="ramp" style={{ background: `linear-gradient(to right, ${range.ramp.join(', ')})` }} />
          <Group justify="space-between" gap="xs">
            <Text size="xs">{formatNumber(range.least, legend.format)}</Text>
            {range.scale && (
              <Text size="xs" c="dimmed">
                {text.legend.scales[range.scale]}
              </Text>
            )}
            <Text size="xs">{formatNumber(range.greatest, legend.format)}</Text>
          </Group>
          {missing && (
            <Group gap={4} wrap="nowrap">
              <div className="legend-swatch">
                <Swatch colour={OTHER} />
              </div>
              <Text size="xs">{text.legend.missing}</Text>
              {(view.view.style?.legend?.counts ?? true) && (
                <Text size="xs" c="dimmed">
                  {countOf(shown, count, text.legend, formatNumber)}
                </Text>
              )}
            </Group>
          )}
        </>
      )}
    </div>
  )
}
