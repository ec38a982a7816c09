import { Anchor, Button, Container, Group, Select, Text, Title } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { useState } from 'react'
import { Link, useLocation, useParams, useSearch } from 'wouter'
import type { AuditEvent, AuditQuery } from '../api.ts'
import { Empty, FailureAlert, Loading } from '../shared/failure.tsx'
import { useListState } from '../shared/list-state.ts'
import { type Column, Records } from '../shared/records.tsx'
import { TextFilter } from '../shared/text-filter.tsx'
import { useTitle } from '../shared/title.ts'
import { formatTime, text } from '../text/index.ts'
import { ActivityChart } from './activity-chart.tsx'
import { lastDays, useActivity, useAudits, zone } from './audits.ts'
import { EventDrawer, Outcome, Target } from './event.tsx'

const types = Object.entries(text.audits.types).map(([value, label]) => ({ value, label }))
const outcomes = Object.entries(text.audits.outcomes).map(([value, label]) => ({ value, label }))
const targetTypes = Object.entries(text.audits.targetTypes).map(([value, label]) => ({ value, label }))

/** The audit events, with filters and activity by day. */
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
      cell: ({ principal }) => principal
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
      <Title order={1} size="h2" mb="md">
        {text.nav.audits}
      </Title>
      <Group mb="md" gap="sm" align="end">
        <Range days={days} onChange={list.set} />
        <Text component="span" size="xs" c="dimmed">
          {zone}
        </Text>
        <TextFilter
          label={text.audits.principal}
          maxLength={64}
          w={120}
          value={list.get('principal')}
          onChange={(principal) => list.set({ principal })}
        />
        <Select
          label={text.audits.type}
          data={types}
          value={list.get('type') ?? null}
          onChange={(type) => list.set({ type: type ?? undefined })}
          placeholder={text.audits.any}
          clearable
          clearButtonProps={{ 'aria-label': text.audits.clear(text.audits.type) }}
          searchable
          w={190}
        />
        <Select
          label={text.audits.outcome}
          data={outcomes}
          value={list.get('outcome') ?? null}
          onChange={(outcome) => list.set({ outcome: outcome ?? undefined })}
          placeholder={text.audits.any}
          clearable
          clearButtonProps={{ 'aria-label': text.audits.clear(text.audits.outcome) }}
          w={130}
        />
        <Select
          label={text.audits.targetType}
          data={targetTypes}
          value={list.get('targetType') ?? null}
          onChange={(targetType) => list.set({ targetType: targetType ?? undefined })}
          placeholder={text.audits.any}
          clearable
          clearButtonProps={{ 'aria-label': text.audits.clear(text.audits.targetType) }}
          w={120}
        />
        <TextFilter
          label={text.audits.targetId}
          inputMode="numeric"
          maxLength={19}
          w={120}
          value={list.get('targetId')}
          onChange={(targetId) => list.set({ targetId: targetId.replace(/\D/g, '').replace(/^0+/, '') })}
        />
        {isFiltered && (
          <Button variant="default" onClick={() => navigate('/audits', { replace: true })}>
            {text.audits.reset}
          </Button>
        )}
      </Group>

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

/** Two calendar days, applied when both are selected. */
function Range({
  days,
  onChange
}: {
  days: { fromDate: string; toDate: string }
  onChange: (days: { fromDate: string; toDate: string }) => void
}) {
  const [chosen, setChosen] = useState<[string | null, string | null]>()
  return (
    <DatePickerInput
      type="range"
      label={text.audits.range}
      value={chosen ?? [days.fromDate, days.toDate]}
      onChange={([from, to]) => {
        setChosen([from, to])
        if (from && to) {
          onChange({ fromDate: from, toDate: to })
          setChosen(undefined)
        }
      }}
      allowSingleDateInRange
      valueFormat="YYYY-MM-DD"
      w={230}
      ariaLabels={text.calendar}
      // Without roles, its names and contrasts are accessible.
      popoverProps={{ withRoles: false }}
      weekendDays={[]}
      hideOutsideDates
    />
  )
}
