import { Alert, Button, Group, Progress, Select, Stack, Table, Text } from '@mantine/core'
import type { Attribute } from '../graph/network/attributes.ts'
import { CopyButton } from '../shared/copy-button.tsx'
import { formatNumber, text } from '../text/index.ts'
import { type StatisticsRow, statisticsRows, statisticsTable } from './rows.ts'
import type { StatisticsState } from './use-statistics.ts'

const words = text.statistics

/** The option for communities. No attribute has this key. */
const COMMUNITIES = 'communities'

/** Computes and shows statistics of the visible part of a network. */
export function StatisticsPanel({
  attributes,
  statistics: { found, isOutdated, share, groupedBy, groupBy, compute, stop }
}: {
  /** The node attributes. */
  attributes: Attribute[]
  statistics: StatisticsState
}) {
  const isRunning = share !== undefined
  const rows = found && statisticsRows(found.statistics, found.groups)
  const options = attributes.filter(({ isAmount }) => !isAmount).map(({ key, title }) => ({ value: key, label: title }))
  return (
    <Stack gap="xs">
      <Text size="xs">{words.hint}</Text>
      <Select
        size="xs"
        label={words.groups}
        data={[{ value: COMMUNITIES, label: words.louvain }, ...options]}
        value={groupedBy ?? COMMUNITIES}
        onChange={(key) => groupBy(key === COMMUNITIES ? undefined : (key ?? undefined))}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
      />
      <Group gap="xs">
        {/* A single button for both states, so that it does not lose focus. */}
        <Button size="xs" variant="default" onClick={isRunning ? stop : compute}>
          {isRunning ? words.stop : words.compute}
        </Button>
        {rows && <CopyButton value={statisticsTable(rows)} label={words.copy} />}
      </Group>
      {isRunning && <Progress value={share * 100} size="sm" aria-label={words.computing} />}
      {isOutdated && !isRunning && (
        <Alert color="yellow" p="xs">
          <Text size="xs">{words.outdated}</Text>
        </Alert>
      )}
      <div className="visually-hidden" role="status">
        {isRunning ? words.computing : found && words.computed}
      </div>
      {found && rows && (
        <StatisticsTable
          caption={words.title(formatNumber(found.statistics.nodes), formatNumber(found.statistics.edges))}
          rows={rows}
        />
      )}
    </Stack>
  )
}

function StatisticsTable({ caption, rows }: { caption: string; rows: StatisticsRow[] }) {
  return (
    <Table aria-label={caption} fz="sm" verticalSpacing={4}>
      <Table.Tbody>
        {rows.map(({ name, shown, note }) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" fw="normal">
              {name}
              {note && (
                <Text size="xs" c="dimmed">
                  {note}
                </Text>
              )}
            </Table.Th>
            <Table.Td ta="right">{shown}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
