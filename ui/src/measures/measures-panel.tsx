import { Button, Loader, Popover, Stack, Tabs, Text } from '@mantine/core'
import { IconChartDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { type MeasureName, measureKey, measureNames } from '../../../picture/measures/names.ts'
import type { Attribute } from '../graph/network/attributes.ts'
import type { View } from '../graph/view/view.ts'
import { text } from '../text/index.ts'
import { MeasureRow } from './measure-row.tsx'
import { ResolutionField } from './resolution-field.tsx'
import type { Measures } from './use-measures.ts'
import { WeightField } from './weight-field.tsx'

/** A panel for computing measures, and for colouring and sizing nodes by them. */
export function MeasuresPanel({
  measures,
  colour,
  size,
  resolution,
  weight,
  edges,
  statistics,
  onChange,
  onStore
}: {
  measures: Measures
  /** The keys of the attributes that colour and size the nodes. */
  colour: string | undefined
  size: string | undefined
  /** The resolution of communities, or undefined for the default. */
  resolution: number | undefined
  /** The key of the attribute with the weights of edges, or undefined for the default. */
  weight: string | undefined
  /** The attributes of the edges. */
  edges: Attribute[]
  /** The content of the second tab. */
  statistics: ReactNode
  onChange: (changes: Partial<View>) => void
  /** Stores a computed measure as a node attribute. Absent if the user may not do so. */
  onStore: ((name: MeasureName) => void) | undefined
}) {
  const { running } = measures
  const weightField = (
    <WeightField edges={edges} weight={weight} onChange={(changed) => onChange({ weight: changed })} />
  )
  return (
    <>
      <Popover width={380} position="bottom-start" trapFocus returnFocus>
        <Popover.Target>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconChartDots size={16} aria-hidden />}
            rightSection={running && <Loader size={14} aria-hidden />}
          >
            {text.measures.title}
          </Button>
        </Popover.Target>
        <Popover.Dropdown className="scrolling" mah="60vh" maw="calc(100vw - 16px)">
          <Tabs defaultValue="nodes" keepMounted={false}>
            <Tabs.List mb="xs">
              <Tabs.Tab value="nodes">{text.measures.ofNodes}</Tabs.Tab>
              <Tabs.Tab value="statistics">{text.measures.statistics}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="nodes">
              <Text size="xs" mb="xs">
                {text.measures.hint}
              </Text>
              {weightField}
              <AllButton measures={measures} />
              <Stack gap="sm" component="ul" className="plain-list">
                {measureNames.map((name) => (
                  <MeasureRow
                    key={name}
                    name={name}
                    measures={measures}
                    isColour={colour === measureKey(name)}
                    isSize={size === measureKey(name)}
                    options={
                      name === 'community' && (
                        <ResolutionField
                          resolution={resolution}
                          onChange={(changed) => onChange({ resolution: changed })}
                        />
                      )
                    }
                    onChange={onChange}
                    onStore={onStore && (() => onStore(name))}
                  />
                ))}
              </Stack>
            </Tabs.Panel>
            <Tabs.Panel value="statistics">
              {weightField}
              {statistics}
            </Tabs.Panel>
          </Tabs>
        </Popover.Dropdown>
      </Popover>
      <div className="visually-hidden" role="status">
        {running && text.measures.computing(text.measures.names[running.name])}
      </div>
    </>
  )
}

/** A button that computes all measures, or stops them. */
function AllButton({ measures: { values, isPending, compute, stop } }: { measures: Measures }) {
  const missing = measureNames.filter((name) => !values.has(name))
  const idle = missing.filter((name) => !isPending(name))
  const isStop = missing.length > 0 && idle.length === 0
  // Not `disabled`, because the button would lose focus when the last measure is computed.
  return (
    <Button
      size="compact-xs"
      variant="default"
      mb="xs"
      aria-disabled={missing.length === 0}
      data-disabled={missing.length === 0 || undefined}
      onClick={() => (isStop ? missing.forEach(stop) : idle.forEach(compute))}
    >
      {isStop ? text.measures.stopAll : text.measures.computeAll}
    </Button>
  )
}
