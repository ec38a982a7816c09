import { Button, Group, Loader, SegmentedControl, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { type AttributeFilter, attributeOf } from '../../../picture/filter/filters.ts'
import { measuresAmong } from '../../../picture/measures/names.ts'
import { scaleOf } from '../../../picture/model/scales.ts'
import { useGraphContext } from '../graph/graph-context.ts'
import { text } from '../text/index.ts'
import { KindFields } from './kind-fields.tsx'
import { RangeFields } from './range-fields.tsx'

/** Fields for choosing which values of an attribute to show, either individually or as a range. */
export function AttributeFields({
  filter,
  onChange
}: {
  filter: AttributeFilter
  onChange: (filter: AttributeFilter) => void
}) {
  const { view } = useGraphContext()
  const { of } = filter
  const attribute = attributeOf(filter, view)
  const count = view.network[of].length
  const isColour = attribute?.key === (of === 'nodes' ? view.look.colour : view.look.edgeColour)?.key
  const scale = isColour ? view.view.style?.[of]?.scale : undefined
  const isByKind = useMemo(
    () => attribute !== undefined && scaleOf(attribute, count, scale) === 'categories',
    [attribute, count, scale]
  )
  const [wanted, setWanted] = useState<'values' | 'range'>()
  if (!attribute) return <Missing filter={filter} />
  const isUntouched = 'hidden' in filter && filter.hidden.length === 0
  const isRange = 'least' in filter || (isUntouched && (wanted ? wanted === 'range' : !isByKind))
  return (
    <>
      {of === 'edges' && (
        <Text size="xs" c="dimmed">
          {text.filter.edgesHint}
        </Text>
      )}
      {attribute.isNumber && isByKind && (
        <SegmentedControl
          size="xs"
          aria-label={text.filter.by}
          data={[
            { value: 'values', label: text.filter.byValues },
            { value: 'range', label: text.filter.byRange }
          ]}
          value={isRange ? 'range' : 'values'}
          onChange={(by) => {
            setWanted(by === 'range' ? 'range' : 'values')
            if (!isUntouched) onChange({ of, attribute: filter.attribute, hidden: [] })
          }}
        />
      )}
      {isRange ? (
        <RangeFields
          attribute={attribute}
          count={count}
          range={'least' in filter ? [filter.least, filter.greatest] : undefined}
          onChange={(range) => {
            const [least, greatest] = range ?? []
            const by = { of, attribute: filter.attribute }
            onChange(least === undefined || greatest === undefined ? { ...by, hidden: [] } : { ...by, least, greatest })
          }}
        />
      ) : (
        <KindFields
          filter={filter}
          attribute={attribute}
          count={count}
          onChange={(kinds) => onChange({ of, ...kinds })}
        />
      )}
    </>
  )
}

/** The placeholder for an attribute that is being computed or does not exist. */
function Missing({ filter: { of, attribute } }: { filter: AttributeFilter }) {
  const { measures } = useGraphContext().view
  const [measure] = of === 'nodes' ? measuresAmong([attribute]) : []
  if (measure && measures.isPending(measure)) {
    return (
      <Group gap="xs" role="status">
        <Loader size={14} aria-hidden />
        <Text size="sm">{text.measures.computing(text.measures.names[measure])}</Text>
      </Group>
    )
  }
  if (measure) {
    return (
      <Button variant="default" size="xs" onClick={() => measures.compute(measure)}>
        {text.measures.computeOf(text.measures.names[measure])}
      </Button>
    )
  }
  return <Text size="sm">{of === 'nodes' ? text.filter.noNode(attribute) : text.filter.noEdge(attribute)}</Text>
}
