import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useMemo, useState } from 'react'
import { Swatch } from '../../shared/swatch.tsx'
import { formatNumber, text } from '../../text/index.ts'
import type { Element } from '../drawing/drawing.ts'
import type { Attribute } from '../network/attributes.ts'
import { at, edgesOf, type Network, nodeName, otherEnd, weightOf } from '../network/network.ts'

/** The number of edges to list at first. */
const MANY = 30

/** Lists a node's edges and neighbours. The heaviest edges come first, then the neighbours with the highest degree. */
export function Neighbours({
  network,
  weight: weights,
  colourOf,
  index,
  onSelect
}: {
  network: Network
  /** The attribute of edge weights. */
  weight: Pick<Attribute, 'format'> | undefined
  /** The colour of a node. */
  colourOf: (node: number) => string
  index: number
  onSelect: (element: Element | undefined) => void
}) {
  const [most, setMost] = useState(MANY)
  const edges = useMemo(() => edgesByWeight(network, index), [network, index])
  return (
    <>
      <Title order={3} size="h6">
        {text.details.edges(formatNumber(edges.length))}
      </Title>
      <Stack gap={2} component="ul" className="plain-list">
        {edges.slice(0, most).map((edge) => {
          const other = otherEnd(network, edge, index)
          const { relation, label, metadata } = network.edges[edge] as Network['edges'][number]
          const weight = metadata?.weight
          return (
            <Group key={edge} component="li" gap={4} wrap="nowrap">
              <Button
                variant="subtle"
                size="compact-sm"
                className="shrinking"
                leftSection={<Swatch colour={colourOf(other)} />}
                onClick={() => onSelect({ kind: 'node', index: other })}
              >
                {arrowOf(network, edge, index)} {nodeName(network, other)}
              </Button>
              {typeof weight === 'number' && (
                <Text size="xs" c="dimmed" ms="auto">
                  {formatNumber(weight, weights?.format)}
                </Text>
              )}
              <Button
                variant="subtle"
                color="gray"
                size="compact-xs"
                className="row-end"
                ms={typeof weight === 'number' ? 0 : 'auto'}
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
    </>
  )
}

function edgesByWeight(network: Network, node: number): number[] {
  const degreeOf = (edge: number) => at(network.degree, otherEnd(network, edge, node))
  const weight = (edge: number) => weightOf(network.edges[edge] as Network['edges'][number])
  return edgesOf(network, node).toSorted(
    (one, other) => weight(other) - weight(one) || degreeOf(other) - degreeOf(one) || one - other
  )
}

function arrowOf({ directed, source }: Network, edge: number, node: number) {
  if (!directed[edge]) return '–'
  return at(source, edge) === node ? '→' : '←'
}
