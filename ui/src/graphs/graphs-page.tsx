import { Button, Container, Group, Title } from '@mantine/core'
import { IconFileImport, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { Empty, FailureAlert, Loading } from '../shared/failure.tsx'
import { lazyComponent } from '../shared/lazy-component.tsx'
import { Records } from '../shared/records.tsx'
import { useTitle } from '../shared/title.ts'
import { text } from '../text/index.ts'
import { FileDrop, ImportDialog } from './file-drop.tsx'
import { FirstGraphs } from './first-graphs.tsx'
import { graphColumns } from './graph-columns.tsx'
import { GraphDialogs } from './graph-dialogs.tsx'
import { GraphFilters, useGraphFilters } from './graph-filters.tsx'
import { useGraphs } from './graphs.ts'
import { SelectionBar, selectionColumn, useSelection } from './selection.tsx'

const NewGraphDialog = lazyComponent('new-graph', () => import('./new-graph-dialog.tsx'))

/** The user's own graphs and those shared with them, with search, creation and import. */
export function GraphsPage() {
  useTitle(text.nav.graphs)
  const [, navigate] = useLocation()
  const { list, whose, query, isFiltered, clear } = useGraphFilters()
  const { data: page, error, isPending, refetch } = useGraphs(query)
  const selection = useSelection(page?.rows ?? [], JSON.stringify(query))
  const [dialog, setDialog] = useState<'new' | 'import'>()
  const close = () => setDialog(undefined)

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
              onClick={() => setDialog('import')}
            >
              {text.import.open}
            </Button>
            <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setDialog('new')}>
              {text.graphs.create}
            </Button>
          </Group>
        </Group>
        <GraphFilters list={list} whose={whose} />

        {error && <FailureAlert error={error} retry={() => refetch()} />}
        {isPending && <Loading />}
        <div className="selectable-graphs">
          <SelectionBar {...selection} />
          {page && page.total > 0 && (
            <Records
              caption={text.nav.graphs}
              columns={[selectionColumn(page.rows, selection), ...graphColumns]}
              page={page}
              rowKey={({ id }) => id}
              list={list}
            />
          )}
        </div>
        {page?.total === 0 && isFiltered && (
          <Empty title={text.graphs.noMatch}>
            <Button variant="default" onClick={clear}>
              {text.clearFilters}
            </Button>
          </Empty>
        )}
        {page?.total === 0 && !isFiltered && <FirstGraphs onImport={() => setDialog('import')} />}

        <FileDrop isActive={dialog === undefined} />
        {dialog === 'import' && <ImportDialog files={[]} onClose={close} />}
        {dialog === 'new' && <NewGraphDialog onClose={close} onCreated={({ id }) => navigate(`/graphs/${id}`)} />}
      </Container>
    </GraphDialogs>
  )
}
