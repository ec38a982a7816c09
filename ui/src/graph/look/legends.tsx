import { Group, Paper, Stack, Text, UnstyledButton } from '@mantine/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Elements } from '../../../../picture/filter/filters.ts'
import type { Legend } from '../../../../picture/model/scales.ts'
import { endsOf } from '../../../../picture/sheet/legend-rows.ts'
import { Swatch } from '../../shared/swatch.tsx'
import { formatNumber, text } from '../../text/index.ts'
import type { Attribute } from '../network/attributes.ts'
import { formatNumberAs } from '../network/format-value.ts'
import type { GraphViewState } from '../view/use-graph-view.ts'
import { LegendKinds } from './legend-kinds.tsx'

/** The legends for colours and sizes. Clicking a value toggles a filter. */
export function Legends({ view }: { view: GraphViewState }) {
  const { legends, ...look } = view.look
  const { colour, edgeColour, size, edgeSize } = legends
  const box = useRef<HTMLElement>(null)
  const isCut = useIsCut(box)
  const [isWhole, setIsWhole] = useState(false)
  if (!colour && !edgeColour && !size && !edgeSize) return null
  return (
    <Paper
      withBorder
      p="xs"
      className="drawing-legend"
      component="section"
      aria-label={text.legend.title}
      tabIndex={0}
      ref={box}
      data-whole={isWhole || undefined}
    >
      <Stack gap="xs">
        {look.colour && colour && (
          <LegendOf view={view} of="nodes" attribute={look.colour} title={colour.title} legend={colour} />
        )}
        {look.edgeColour && edgeColour && (
          <LegendOf
            view={view}
            of="edges"
            attribute={look.edgeColour}
            title={text.legend.edges(edgeColour.title)}
            legend={edgeColour}
          />
        )}
        {size?.range && <Text size="xs">{text.legend.size(size.title, ...rangeOf(size, size.range))}</Text>}
        {edgeSize?.range && (
          <Text size="xs">{text.legend.edgeSize(edgeSize.title, ...rangeOf(edgeSize, edgeSize.range))}</Text>
        )}
        {(isCut || isWhole) && (
          <UnstyledButton className="legend-more" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
            {isWhole ? text.legend.less : text.legend.more}
          </UnstyledButton>
        )}
      </Stack>
    </Paper>
  )
}

function rangeOf({ format }: Legend, range: NonNullable<Legend['range']>) {
  return endsOf(range, format, formatNumberAs)
}

/** Returns whether part of the legend is out of sight, so that the user has to scroll. */
function useIsCut(box: RefObject<HTMLElement | null>): boolean {
  const [isCut, setIsCut] = useState(false)
  useEffect(() => {
    const { current } = box
    if (!current) return
    const observer = new ResizeObserver(() => setIsCut(current.scrollHeight > current.clientHeight + 1))
    observer.observe(current)
    for (const child of current.children) observer.observe(child)
    return () => observer.disconnect()
  })
  return isCut
}

function LegendOf({
  view,
  of,
  attribute,
  title,
  legend
}: {
  view: GraphViewState
  of: Elements
  attribute: Attribute
  title: string
  legend: Legend
}) {
  const { kinds, others = 0, othersColour, range } = legend
  return (
    <div>
      <Text size="xs" fw={700} className="breakable">
        {title}
      </Text>
      {kinds && <LegendKinds view={view} of={of} attribute={attribute} legend={legend} />}
      {others > 0 && (
        <Group gap={4} wrap="nowrap">
          <div className="legend-swatch">{othersColour !== undefined && <Swatch colour={othersColour} />}</div>
          <Text size="xs">{text.legend.others(formatNumber(others))}</Text>
        </Group>
      )}
      {range?.ramp && (
        <>
          <div className="ramp" style={{ background: `linear-gradient(to right, ${range.ramp.join(', ')})` }} />
          <Group justify="space-between" gap="xs">
            <Text size="xs">{formatNumberAs(range.least, legend.format)}</Text>
            {range.scale && (
              <Text size="xs" c="dimmed">
                {text.legend.scales[range.scale]}
              </Text>
            )}
            <Text size="xs">{formatNumberAs(range.greatest, legend.format)}</Text>
          </Group>
        </>
      )}
    </div>
  )
}
