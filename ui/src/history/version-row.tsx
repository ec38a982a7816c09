import { Badge, Button, Group, Radio, Table, Text } from '@mantine/core'
import type { Graph, GraphVersion } from '../api.ts'
import { mayChange } from '../graphs/graphs.ts'
import { formatTime, text } from '../text/index.ts'

/** A graph and the two versions being compared, with functions to choose others. */
export interface Comparison {
  graph: Graph
  from: number
  to: number
  onChoose: (changes: { from?: number; to?: number }) => void
}

type Props = Comparison & { row: GraphVersion; onRestore: () => void }

/** A version in the list. The user can restore it, or select it as either side of the comparison. */
export function VersionRow({ graph, row, from, to, onChoose, onRestore }: Props) {
  return (
    <Table.Tr>
      <Table.Td>
        <Radio
          name="from"
          aria-label={text.history.fromVersion(row.version)}
          checked={from === row.version}
          disabled={row.version >= to}
          onChange={() => onChoose({ from: row.version })}
        />
      </Table.Td>
      <Table.Td>
        <Radio
          name="to"
          aria-label={text.history.toVersion(row.version)}
          checked={to === row.version}
          onChange={() => onChoose({ to: row.version, from: Math.min(from, row.version - 1) })}
        />
      </Table.Td>
      <Table.Td>
        <Group gap="xs" justify="space-between" align="start">
          <div>
            <Group gap="xs">
              <Text size="sm" fw={600}>
                {text.version(row.version)}
              </Text>
              {row.version === graph.version && <Badge size="sm">{text.history.current}</Badge>}
              {row.restoredFrom && (
                <Badge size="sm" variant="default">
                  {text.history.restoredFrom(row.restoredFrom)}
                </Badge>
              )}
            </Group>
            <Text size="sm">{text.history.by(row.principal, formatTime(row.timestamp))}</Text>
            {row.message && (
              <Text size="sm" className="breakable">
                “{row.message}”
              </Text>
            )}
            <Text size="xs" c="dimmed">
              {text.counts(row.nodeCount, row.edgeCount)}
            </Text>
          </div>
          {mayChange(graph) && row.version !== graph.version && (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={text.history.restoreVersion(row.version)}
              onClick={onRestore}
            >
              {text.history.restore}
            </Button>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  )
}
