import { Alert, Button, Group, Stack, Table, Text, Title } from '@mantine/core'
import type { Graph, GraphSummary } from '../api.ts'
import { FailureAlert, Loading } from '../shared/failure.tsx'
import { formatNumber, text } from '../text/index.ts'
import { useSummary } from './part.ts'

/** Shows the size, components, degrees and attributes of a graph, with buttons for its tables and drawing. */
export function Summary({ graph, onTables, onDrawing }: { graph: Graph; onTables: () => void; onDrawing: () => void }) {
  const summary = useSummary(graph)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrollable
    <section className="graph-summary" aria-label={text.summary.title} tabIndex={0}>
      <Stack>
        <Alert variant="light">
          <Group justify="space-between">
            <Text size="sm">{text.summary.hint}</Text>
            <Group gap="xs">
              <Button variant="default" size="xs" onClick={onTables}>
                {text.summary.tables}
              </Button>
              <Button variant="default" size="xs" onClick={onDrawing}>
                {text.summary.drawing}
              </Button>
            </Group>
          </Group>
        </Alert>
        {summary.isPending && <Loading label={text.summary.loading} />}
        {summary.error && <FailureAlert error={summary.error} retry={() => summary.refetch()} />}
        {summary.data && <Numbers summary={summary.data} />}
        {summary.data && <Attributes title={text.summary.nodes} attributes={summary.data.attributes.nodes} />}
        {summary.data && <Attributes title={text.summary.edges} attributes={summary.data.attributes.edges} />}
      </Stack>
    </section>
  )
}

function Numbers({ summary: { nodeCount, edgeCount, components, degree } }: { summary: GraphSummary }) {
  const rows: [string, string][] = [
    [text.graph.nodes, formatNumber(nodeCount)],
    [text.graph.edges, formatNumber(edgeCount)],
    [text.summary.components, text.summary.largest(formatNumber(components.count), formatNumber(components.largest))],
    [text.attributes.degree, text.summary.degrees(degree)]
  ]
  return (
    <Table variant="vertical" layout="fixed" verticalSpacing={4}>
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th w="30%">{name}</Table.Th>
            <Table.Td>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** The maximum number of values to list per attribute. */
const VALUES = 8

function Attributes({ title, attributes }: { title: string; attributes: GraphSummary['attributes']['nodes'] }) {
  if (attributes.length === 0) return null
  return (
    <div>
      <Title order={2} size="h5" mb="xs">
        {title}
      </Title>
      <Table layout="fixed" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="30%">{text.summary.attribute}</Table.Th>
            <Table.Th w="20%">{text.summary.count}</Table.Th>
            <Table.Th>{text.details.values}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {attributes.map(({ name, type, count, values }) => (
            <Table.Tr key={name}>
              <Table.Td className="breakable">{name}</Table.Td>
              <Table.Td>{formatNumber(count)}</Table.Td>
              <Table.Td className="breakable">
                {values
                  ? values
                      .slice(0, VALUES)
                      .map(({ value, count }) => text.summary.value(String(value), formatNumber(count)))
                      .join(' · ') + (values.length > VALUES ? ' …' : '')
                  : text.summary.types[type]}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
