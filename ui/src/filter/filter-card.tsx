import { CloseButton, Group, Paper, Stack, Text } from '@mantine/core'
import { attributeOf, type Filter } from '../../../picture/filter/filters.ts'
import { measuresAmong } from '../../../picture/measures/names.ts'
import { useGraphContext } from '../graph/graph-context.ts'
import { TextFilter } from '../shared/text-filter.tsx'
import { text } from '../text/index.ts'
import { AttributeFields } from './attribute-fields.tsx'
import { NeighbourhoodFields } from './neighbourhood-fields.tsx'

/** Shows a filter, with fields to change it and a button to remove it. */
export function FilterCard({
  filter,
  onChange,
  onRemove
}: {
  filter: Filter
  onChange: (filter: Filter) => void
  onRemove: () => void
}) {
  const title = useTitleOf(filter)
  return (
    <Paper withBorder p="xs" role="group" aria-label={title}>
      <Stack gap={6}>
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm" fw={600} className="breakable">
            {title}
          </Text>
          <CloseButton size="sm" aria-label={text.filter.remove(title)} onClick={onRemove} />
        </Group>
        {'attribute' in filter && <AttributeFields filter={filter} onChange={onChange} />}
        {'around' in filter && <NeighbourhoodFields filter={filter} onChange={onChange} />}
        {'text' in filter && (
          <TextFilter
            size="xs"
            aria-label={text.filter.text}
            description={text.filter.textHint}
            value={filter.text}
            onChange={(sought) => onChange({ text: sought })}
          />
        )}
      </Stack>
    </Paper>
  )
}

function useTitleOf(filter: Filter): string {
  const { view } = useGraphContext()
  if ('text' in filter) return text.filter.text
  if ('around' in filter) return text.filter.around
  const { of, attribute } = filter
  const known = attributeOf(filter, view)
  const [measure] = of === 'nodes' ? measuresAmong([attribute]) : []
  const title = known?.title ?? (measure ? text.measures.names[measure] : attribute)
  return of === 'nodes' ? title : text.legend.edges(title)
}
