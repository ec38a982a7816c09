import { Button, Group } from '@mantine/core'
import type { Elements } from '../../../../picture/filter/filters.ts'
import { text } from '../../text/index.ts'
import type { Element } from '../drawing/drawing.ts'
import type { Attribute } from '../network/attributes.ts'
import { at, type Network, nodeName } from '../network/network.ts'
import { Fields, Metadata } from './fields.tsx'
import { DetailsFrame } from './frame.tsx'

/** Shows the endpoints and values of an edge. */
export function EdgeDetails({
  network,
  attributes,
  index,
  onSelect
}: {
  network: Network
  attributes?: Record<Elements, Attribute[]>
  index: number
  onSelect: (element: Element | undefined) => void
}) {
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
      {nodeName(network, node)}
    </Button>
  )
  return (
    <DetailsFrame
      title={edge.label || edge.relation || text.graph.edge}
      kind={network.directed[index] ? text.details.directed : text.details.undirected}
      onClose={() => onSelect(undefined)}
    >
      <Group gap={4}>
        {end(source)} {network.directed[index] ? '→' : '–'} {end(target)}
      </Group>
      <Fields fields={fields} />
      <Metadata metadata={metadata} attributes={attributes?.edges} />
    </DetailsFrame>
  )
}
