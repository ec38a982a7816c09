import { Anchor, Badge, Group, Stack, Text } from '@mantine/core'
import { IconUsersGroup } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { GraphRecord } from '../api.ts'
import { useListState } from '../shared/list-state.ts'
import type { Column } from '../shared/records.tsx'
import { TimeAgo } from '../shared/time-ago.tsx'
import { formatNumber, text } from '../text/index.ts'
import { DEFAULT_SORT } from './graph-filters.tsx'
import { GraphMenu } from './graph-menu.tsx'
import { mayChange, mayManage } from './graphs.ts'
import { TagChips } from './tag-chips.tsx'
import { tagsOf } from './tags.ts'
import { Thumbnail } from './thumbnail.tsx'

/** The columns of the list of graphs. */
export const graphColumns: Column<GraphRecord>[] = [
  {
    key: 'picture',
    title: text.graph.picture,
    isTitleHidden: true,
    isNarrow: true,
    cell: (graph) => <Thumbnail {...graph} />
  },
  {
    key: 'name',
    title: text.graph.name,
    isSorted: true,
    isNarrow: true,
    cell: (graph) => (
      <Stack gap={2}>
        <Group gap="xs">
          <Anchor component={Link} href={`/graphs/${graph.id}`} fw={600} className="breakable">
            {graph.name}
          </Anchor>
          {mayChange(graph) && !mayManage(graph) && (
            <Badge size="sm" variant="default">
              {text.graphs.mayEdit}
            </Badge>
          )}
          {graph.shared && (
            <Badge size="sm" variant="default" leftSection={<IconUsersGroup size={12} aria-hidden />}>
              {text.graph.shared}
            </Badge>
          )}
        </Group>
        {graph.description && (
          <Text size="sm" c="dimmed" lineClamp={2} className="breakable">
            {graph.description}
          </Text>
        )}
        <ListedTags tags={graph.tags} />
      </Stack>
    )
  },
  { key: 'type', title: text.graph.type, isSorted: true, cell: ({ type }) => type },
  { key: 'owner', title: text.graph.owner, isSorted: true, cell: ({ owner }) => owner },
  {
    key: 'nodeCount',
    title: text.graph.nodes,
    isSorted: true,
    isNumber: true,
    isNarrow: true,
    cell: ({ nodeCount }) => formatNumber(nodeCount)
  },
  {
    key: 'edgeCount',
    title: text.graph.edges,
    isSorted: true,
    isNumber: true,
    cell: ({ edgeCount }) => formatNumber(edgeCount)
  },
  {
    key: 'updatedAt',
    title: text.graph.updatedAt,
    isSorted: true,
    cell: ({ updatedAt }) => <TimeAgo time={updatedAt} />
  },
  {
    key: 'actions',
    title: text.actions,
    isTitleHidden: true,
    isNarrow: true,
    cell: (graph) => <GraphMenu graph={graph} />
  }
]

/** The tags of a listed graph. Clicking a tag adds it to the filter. */
function ListedTags({ tags }: Pick<GraphRecord, 'tags'>) {
  const list = useListState(DEFAULT_SORT)
  const add = (tag: string) => list.set({ tags: [...new Set([...tagsOf(list.get('tags') ?? ''), tag])].join(',') })
  return <TagChips tags={tags} onChoose={add} />
}
