import { Group, Text, UnstyledButton } from '@mantine/core'
import type { Elements } from '../../../../picture/filter/filters.ts'
import type { LegendKind } from '../../../../picture/model/scales.ts'
import { countOf } from '../../../../picture/sheet/legend-rows.ts'
import { useLegendFilter } from '../../filter/use-legend-filter.ts'
import { Swatch } from '../../shared/swatch.tsx'
import { formatNumber, text } from '../../text/index.ts'
import type { Attribute } from '../network/attributes.ts'
import type { GraphViewState } from '../view/use-graph-view.ts'

/** The values in a legend. Clicking a value hides or shows it, and a second button shows only that value. */
export function LegendKinds({
  view,
  of,
  attribute,
  kinds
}: {
  view: GraphViewState
  of: Elements
  attribute: Attribute
  kinds: LegendKind[]
}) {
  const filter = useLegendFilter(view, of, attribute)
  return kinds.map(({ value, colour, count, shown = count }) => {
    const isAlone = filter.isAlone(value)
    const name = value.trim() ? value : text.legend.blank
    return (
      <Group key={value} gap={4} wrap="nowrap" justify="space-between" className="legend-row">
        <UnstyledButton
          className="legend-kind"
          aria-pressed={filter.isShown(value)}
          onClick={() => filter.toggle(value)}
        >
          <Swatch colour={colour} />
          <Text span size="xs" lineClamp={1} className="breakable legend-name">
            {name}
          </Text>
          <Text span size="xs" c="dimmed" className="fixed">
            {countOf(shown, count, text.legend, formatNumber)}
          </Text>
        </UnstyledButton>
        <UnstyledButton
          className="legend-only"
          aria-label={isAlone ? text.legend.showAll(attribute.title) : text.legend.showOnly(name)}
          onClick={() => (isAlone ? filter.showAll() : filter.showOnly(value))}
        >
          {isAlone ? text.legend.all : text.legend.only}
        </UnstyledButton>
      </Group>
    )
  })
}
