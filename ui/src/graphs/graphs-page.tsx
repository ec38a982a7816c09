import { Anchor, Badge, Button, Container, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { IconFileImport, IconPlus, IconSearch, IconUsersGroup } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useAccount } from '../account/account.ts'
import type { GraphRecord } from '../api.ts'
import { Empty, FailureAlert, Loading } from '../shared/failure.tsx'
import { useListState } from '../shared/list-state.ts'
import { type Column, Records } from '../shared/records.tsx'
import { TextFilter } from '../shared/text-filter.tsx'
import { useTitle } from '../shared/title.ts'
import { formatNumber, formatTime, text } from '../text/index.ts'
import { FileDrop } from './file-drop.tsx'
import { GraphDialogs } from './graph-dialogs.tsx'
import { GraphMenu } from './graph-menu.tsx'
import { mayChange, mayManage, useGraphs } from './graphs.ts'
import { ImportDialog } from './import-dialog.tsx'
import { NewGraphDialog } from './new-graph-dialog.tsx'
import { TagChips } from './tag-chips.tsx'
import { tagsOf } from './tags.ts'
import { TagsField } from './tags-field.tsx'

const DEFAULT_SORT = 'updatedAt,desc'

const columns: Column<GraphRecord>[] = [
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
  { key: 'updatedAt', title: text.graph.updatedAt, isSorted: true, cell: ({ updatedAt }) => formatTime(updatedAt) },
  { key: 'actions', title: text.actions, isNarrow: true, cell: (graph) => <GraphMenu graph={graph} /> }
]

/** The tags of a listed graph. A click adds one to the filter. */
function ListedTags({ tags }: Pick<GraphRecord, 'tags'>) {
  const list = useListState(DEFAULT_SORT)
  const add = (tag: string) => list.set({ tags: [...new Set([...tagsOf(list.get('tags') ?? ''), tag])].join(',') })
  return <TagChips tags={tags} onChoose={add} />
}

/** The choices of graphs by their owner and the user's right; administrators have every right. */
const choices = { all: {}, mine: {}, edit: { access: 'WRITE' }, view: { access: 'READ' } } as const

/** Own and shared graphs, with search, creation and import. */
export function GraphsPage() {
  useTitle(text.nav.graphs)
  const { login, role } = useAccount()
  const [, navigate] = useLocation()
  const list = useListState(DEFAULT_SORT)
  const isAdministrator = role === 'ADMIN'
  const wanted = list.get('whose') ?? 'all'
  const whose = isChoice(wanted) && !(isAdministrator && 'access' in choices[wanted]) ? wanted : 'all'
  const [q, type, tags] = [list.get('q'), list.get('type'), list.get('tags')]
  const graphs = useGraphs({
    ...list.query,
    ...(q && { q }),
    ...(type && { type }),
    ...(tags && { tags }),
    ...(whose === 'mine' && { owner: login }),
    ...choices[whose]
  })
  const [isCreating, setIsCreating] = useState(false)
  const [isImporting, setIsImporting] = useState(false)
  const isFiltered = whose !== 'all' || q !== undefined || type !== undefined || tags !== undefined

  return (
    <GraphDialogs>
      <Container size="xl" py="lg">
        <Group justify="space-between" mb="md">
          <Title order={1} size="h2">
            {text.nav.graphs}
          </Title>
          <Group gap="sm">
            <Button
              variant="default"
              leftSection={<IconFileImport size={18} aria-hidden />}
              onClick={() => setIsImporting(true)}
            >
              {text.import.open}
            </Button>
            <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setIsCreating(true)}>
              {text.graphs.create}
            </Button>
          </Group>
        </Group>

        <Group mb="md" gap="sm">
          <SegmentedControl
            aria-label={text.graphs.whose}
            className="choices"
            value={whose}
            onChange={(value) => list.set({ whose: value === 'all' ? undefined : value })}
            data={[
              { value: 'all', label: isAdministrator ? text.graphs.everybodys : text.graphs.all },
              { value: 'mine', label: text.graphs.mine },
              ...(isAdministrator
                ? []
                : [
                    { value: 'edit', label: text.graphs.toEdit },
                    { value: 'view', label: text.graphs.toView }
                  ])
            ]}
          />
          <TextFilter
            aria-label={text.graphs.search}
            placeholder={text.graphs.search}
            leftSection={<IconSearch size={16} aria-hidden />}
            maxLength={255}
            value={q}
            onChange={(value) => list.set({ q: value })}
          />
          <TextFilter
            aria-label={text.graphs.type}
            placeholder={text.graphs.type}
            maxLength={64}
            value={type}
            onChange={(value) => list.set({ type: value })}
          />
          <TagsField
            aria-label={text.graphs.tags}
            placeholder={tags ? '' : text.graphs.tags}
            value={tagsOf(tags ?? '')}
            onChange={(tags) => list.set({ tags: tags.join(',') })}
            className="growing"
            maw={360}
          />
        </Group>

        {graphs.error && <FailureAlert error={graphs.error} retry={() => graphs.refetch()} />}
        {graphs.isPending && <Loading />}
        {graphs.data && graphs.data.total > 0 && (
          <Records caption={text.nav.graphs} columns={columns} page={graphs.data} rowKey={({ id }) => id} list={list} />
        )}
        {graphs.data?.total === 0 &&
          (isFiltered ? (
            <Empty title={text.graphs.noMatch}>
              <Button
                variant="default"
                onClick={() => list.set({ q: undefined, type: undefined, tags: undefined, whose: undefined })}
              >
                {text.graphs.clear}
              </Button>
            </Empty>
          ) : (
            <Empty title={text.graphs.none}>
              <Text c="dimmed">{text.graphs.noneYet}</Text>
              <Button onClick={() => setIsImporting(true)}>{text.import.open}</Button>
            </Empty>
          ))}

        <FileDrop isActive={!isImporting && !isCreating} />
        {isImporting && <ImportDialog files={[]} onClose={() => setIsImporting(false)} />}
        {isCreating && (
          <NewGraphDialog onClose={() => setIsCreating(false)} onCreated={({ id }) => navigate(`/graphs/${id}`)} />
        )}
      </Container>
    </GraphDialogs>
  )
}

function isChoice(value: string): value is keyof typeof choices {
  return Object.hasOwn(choices, value)
}
