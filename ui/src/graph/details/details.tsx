import { Button, Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Elements } from '../../../../picture/filter/filters.ts'
import { text } from '../../text/index.ts'
import type { Element } from '../drawing/drawing.ts'
import type { Attribute } from '../network/attributes.ts'
import { textOf } from '../network/format-value.ts'
import { at, type Network, nodeName } from '../network/network.ts'
import { EdgeDetails } from './edge.tsx'
import { Fields, Metadata } from './fields.tsx'
import { DetailsFrame } from './frame.tsx'
import { Neighbours } from './neighbours.tsx'

interface Props {
  network: Network
  /** Node attributes from measures. */
  measures?: Attribute[]
  /** The attributes of the network, whose numbers have formats. */
  attributes?: Record<Elements, Attribute[]>
  /** The colour of a node. */
  colourOf: (node: number) => string
  element: Element
  onSelect: (element: Element | undefined) => void
  /** Adds the neighbours of the node with this id. Used if the network is part of a larger graph. */
  onGrow?: ((id: string) => void) | undefined
  /** Additional buttons for a node. */
  actions?: ReactNode
}

/** Shows all details of the selected node or edge. */
export function Details({ element: { kind, index }, ...props }: Props) {
  return kind === 'node' ? <NodeDetails index={index} {...props} /> : <EdgeDetails index={index} {...props} />
}

/** Shows a node's stored values, measures and neighbours. */
function NodeDetails({
  index,
  network,
  measures = [],
  attributes,
  colourOf,
  onSelect,
  onGrow,
  actions
}: Omit<Props, 'element'> & { index: number }) {
  const { metadata, label, ...fields } = network.nodes[index] as Network['nodes'][number]
  const degree = attributes?.nodes.find(({ key }) => key === 'degree')
  return (
    <DetailsFrame title={nodeName(network, index)} kind={text.graph.node} onClose={() => onSelect(undefined)}>
      {onGrow && (
        <Button variant="default" size="xs" onClick={() => onGrow(fields.id)}>
          {text.part.grow}
        </Button>
      )}
      {actions && <Group gap="xs">{actions}</Group>}
      <Title order={3} size="h6">
        {text.details.values}
      </Title>
      <Fields
        fields={{
          ...fields,
          ...(label !== undefined && { label }),
          [onGrow ? text.part.degree : text.attributes.degree]: textOf(at(network.degree, index), degree ?? {})
        }}
      />
      <Metadata metadata={metadata} attributes={attributes?.nodes} />
      <NodeMeasures measures={measures} node={index} />
      <Neighbours
        network={network}
        weight={attributes?.edges.find(({ key }) => key === 'metadata.weight')}
        colourOf={colourOf}
        index={index}
        onSelect={onSelect}
      />
    </DetailsFrame>
  )
}

function NodeMeasures({ measures, node }: { measures: Attribute[]; node: number }) {
  if (measures.length === 0) return null
  const shown = (measure: Attribute) => textOf(measure.read(node), measure)
  return (
    <>
      <Title order={3} size="h6">
        {text.details.measures}
      </Title>
      <Fields fields={Object.fromEntries(measures.map((measure) => [measure.title, shown(measure)]))} />
    </>
  )
}
