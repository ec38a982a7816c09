import { Anchor, Container, Group, Title } from '@mantine/core'
import { Link, useLocation, useParams, useSearch } from 'wouter'
import type { AuditEvent, AuditQuery } from '../api.ts'
import { Empty, FailureAlert, Loading } from '../shared/failure.tsx'
import { useListState } from '../shared/list-state.ts'
import { type Column, Records } from '../shared/records.tsx'
import { useTitle } from '../shared/title.ts'
import { formatTime, text } from '../text/index.ts'
import { ActivityChart } from './activity-chart.tsx'
import { lastDays, useActivity, useAudits, zone } from './audits.ts'
import { EventDrawer, Outcome, Target } from './event.tsx'
import { ExportMenu } from './export-menu.tsx'
import { AuditFilters } from './filters.tsx'
import { LastCheckpoint } from './last-checkpoint.tsx'
import { Name } from './name.tsx'

/** The audit events, with filters and a chart of daily activity. */
export default function AuditsPage() {
  useTitle(text.nav.audits)
  const list = useListState('id,desc')
  const { id } = useParams()
  const search = useSearch()
  const [, navigate] = useLocation()
  const withSearch = (path: string) => (search ? `${path}?${search}` : path)

  const days =
    list.get('fromDate') && list.get('toDate')
      ? { fromDate: list.get('fromDate') as string, toDate: list.get('toDate') as string }
      : lastDays(30)
  const names = ['principal', 'type', 'outcome', 'targetType', 'targetId'] as const
  const filter = Object.fromEntries(names.flatMap((name) => (list.get(name) ? [[name, list.get(name)]] : []))) as Pick<
    AuditQuery,
    (typeof names)[number]
  >
  const query = { ...filter, ...days, zone }
  const audits = useAudits({ ...query, ...list.query })
  const activity = useActivity(query)
  const error = audits.error ?? activity.error
  const isFiltered = [...names, 'fromDate'].some((name) => list.get(name) !== undefined)

  const columns: Column<AuditEvent>[] = [
    {
      key: 'timestamp',
      title: text.audits.time,
      isSorted: true,
      isNarrow: true,
      cell: ({ id, timestamp }) => (
        <Anchor component={Link} href={withSearch(`/audits/${id}`)}>
          {formatTime(timestamp)}
        </Anchor>
      )
    },
    {
      key: 'principal',
      title: text.audits.principal,
      isSorted: true,
      isNarrow: true,
      cell: ({ principal }) => <Name name={principal} />
    },
    {
      key: 'type',
      title: text.audits.type,
      isSorted: true,
      isNarrow: true,
      cell: ({ type }) => text.audits.types[type]
    },
    {
      key: 'outcome',
      title: text.audits.outcome,
      isSorted: true,
      cell: ({ outcome }) => <Outcome outcome={outcome} />
    },
    { key: 'target', title: text.audits.target, cell: (event) => <Target event={event} /> },
    { key: 'ip', title: text.audits.ip, cell: ({ request }) => <span className="mono">{request?.ip}</span> }
  ]

  return (
    <Container size="xl" py="lg">
      <Group justify="space-between" mb="md">
        <Title order={1} size="h2">
          {text.nav.audits}
        </Title>
        <ExportMenu query={query} total={audits.data?.total} />
      </Group>
      <LastCheckpoint listedAt={audits.dataUpdatedAt} />
      <AuditFilters list={list} days={days} isFiltered={isFiltered} />

      {error && <FailureAlert error={error} retry={() => Promise.all([audits.refetch(), activity.refetch()])} />}
      {activity.data && (
        <ActivityChart days={activity.data} onChoose={(date) => list.set({ fromDate: date, toDate: date })} />
      )}
      {audits.isPending && !error && <Loading />}
      {audits.data && audits.data.total > 0 && (
        <Records
          caption={text.nav.audits}
          columns={columns}
          page={audits.data}
          rowKey={(event) => event.id}
          list={list}
        />
      )}
      {audits.data?.total === 0 && <Empty title={text.audits.none} />}
      {id !== undefined && <EventDrawer id={Number(id)} onClose={() => navigate(withSearch('/audits'))} />}
    </Container>
  )
}
