import { Badge, Button, CloseButton, Code, Group, Stack, Table, Text, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { formatNumber, text } from '../text/index.ts'
import type { Attribute } from './attributes.ts'
import type { Element } from './drawing.ts'
import { at, edgesOf, type Network, otherEnd } from './network.ts'

interface Props {
  network: Network
  /** Attributes of nodes from measures. */
  measures?: Attribute[]
  /** The label of a node. */
  labelOf: (node: number) => string
  element: Element
  onSelect: (element: Element | undefined) => void
  /** Shows the neighbours of a node, by id, where the network is a part of a graph. */
  onGrow?: ((id: string) => void) | undefined
  /** Buttons for what else can be done with a node. */
  actions?: ReactNode
}

/** All details of the selected node or edge. */
export function Details(props: Props) {
  return props.element.kind === 'node' ? <NodeDetails {...props} /> : <EdgeDetails {...props} />
}

/** The number of edges listed at first. */
const MANY = 30

function NodeDetails({ network, measures = [], labelOf, element: { index }, onSelect, onGrow, actions }: Props) {
  const [most, setMost] = useState(MANY)
  const node = network.nodes[index] as Network['nodes'][number]
  const { metadata, label, ...fields } = node
  const edges = edgesOf(network, index)
  return (
    <Frame title={labelOf(index)} kind={text.graph.node} onClose={() => onSelect(undefined)}>
      <Fields
        fields={{
          ...fields,
          ...(label !== undefined && { label }),
          [onGrow ? text.part.degree : text.attributes.degree]: at(network.degree, index)
        }}
      />
      {onGrow && (
        <Button variant="default" size="xs" onClick={() => onGrow(node.id)}>
          {text.part.grow}
        </Button>
      )}
      {actions && <Group gap="xs">{actions}</Group>}
      <Metadata metadata={metadata} />
      <NodeMeasures measures={measures} node={index} />
      <Title order={3} size="h6">
        {text.details.edges(formatNumber(edges.length))}
      </Title>
      <Stack gap={2} component="ul" className="plain-list">
        {edges.slice(0, most).map((edge) => {
          const other = otherEnd(network, edge, index)
          const { relation, label } = network.edges[edge] as Network['edges'][number]
          return (
            <Group key={edge} component="li" gap={4} wrap="nowrap" justify="space-between">
              <Button
                variant="subtle"
                size="compact-sm"
                className="shrinking"
                onClick={() => onSelect({ kind: 'node', index: other })}
              >
                {arrowOf(network, edge, index)} {labelOf(other)}
              </Button>
              <Button
                variant="subtle"
                color="gray"
                size="compact-xs"
                className="shrinking"
                onClick={() => onSelect({ kind: 'edge', index: edge })}
              >
                {relation || label || text.graph.edge}
              </Button>
            </Group>
          )
        })}
      </Stack>
      {edges.length > most && (
        <Button variant="default" size="xs" onClick={() => setMost(most + 200)}>
          {text.details.more(formatNumber(edges.length - most))}
        </Button>
      )}
    </Frame>
  )
}

function EdgeDetails({ network, labelOf, element: { index }, onSelect }: Props) {
  const edge = network.edges[index] as Network['edges'][number]
  const { metadata, source: _source, target: _target, directed: _directed, ...fields } = edge
  const [source, target] = [at(network.source, index), at(network.target, index)]
  const end = (node: number) => (
    <Button
      variant="subtle"
      size="compact-sm"
      className="shrinking"
      onClick={() => onSelect({ kind: 'node', index: node })}
    >
      {labelOf(node)}
    </Button>
  )
  return (
    <Frame
      title={edge.label || edge.relation || text.graph.edge}
      kind={network.directed[index] ? text.details.directed : text.details.undirected}
      onClose={() => onSelect(undefined)}
    >
      <Group gap={4}>
        {end(source)} {network.directed[index] ? '→' : '–'} {end(target)}
      </Group>
      <Fields fields={fields} />
      <Metadata metadata={metadata} />
    </Frame>
  )
}

function Frame({
  title,
  kind,
  onClose,
  children
}: {
  title: string
  kind: string
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Stack gap="sm" component="section" aria-label={text.details.title} className="details">
      <Group justify="space-between" wrap="nowrap" align="start">
        <div>
          <Title order={2} size="h5" className="breakable">
            {title}
          </Title>
          <Badge variant="default" size="sm">
            {kind}
          </Badge>
        </div>
        <CloseButton aria-label={text.details.close} onClick={onClose} />
      </Group>
      {children}
    </Stack>
  )
}

function Metadata({ metadata }: { metadata: Record<string, unknown> | undefined }) {
  if (!metadata || Object.keys(metadata).length === 0) return null
  return (
    <>
      <Title order={3} size="h6">
        {text.details.metadata}
      </Title>
      <Fields fields={metadata} />
    </>
  )
}

function NodeMeasures({ measures, node }: { measures: Attribute[]; node: number }) {
  if (measures.length === 0) return null
  const shown = ({ read }: Attribute) => {
    const value = read(node)
    return typeof value === 'number' ? formatNumber(value) : value
  }
  return (
    <>
      <Title order={3} size="h6">
        {text.details.measures}
      </Title>
      <Fields fields={Object.fromEntries(measures.map((measure) => [measure.title, shown(measure)]))} />
    </>
  )
}

/** Names and values; nested ones as JSON. */
function Fields({ fields }: { fields: Record<string, unknown> }) {
  const entries = Object.entries(fields)
  if (entries.length === 0) return null
  return (
    <Table variant="vertical" layout="fixed" verticalSpacing={4}>
      <Table.Tbody>
        {entries.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th w="40%" className="breakable">
              {name}
            </Table.Th>
            <Table.Td className="breakable">
              {typeof value === 'object' && value !== null ? (
                <Code block>{JSON.stringify(value, null, 2)}</Code>
              ) : (
                <Text size="sm" className="breakable">
                  {String(value)}
                </Text>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function arrowOf({ directed, source }: Network, edge: number, node: number) {
  if (!directed[edge]) return '–'
  return at(source, edge) === node ? '→' : '←'
}
