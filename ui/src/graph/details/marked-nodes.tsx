import { Button, Stack, Text } from '@mantine/core'
import { Swatch } from '../../shared/swatch.tsx'
import { formatNumber, text } from '../../text/index.ts'
import { type Network, nodeName } from '../network/network.ts'

/** The number of nodes to list. */
const MOST = 100

/** Lists the nodes that are selected together. Clicking one shows its details. */
export function MarkedNodes({
  network,
  nodes,
  colourOf,
  onSelect
}: {
  network: Network
  nodes: ReadonlySet<number>
  /** The colour of a node. */
  colourOf: (node: number) => string
  onSelect: (node: number) => void
}) {
  return (
    <Stack gap="xs" component="section" aria-label={text.marks.title} className="details">
      <Text size="sm">{text.table.selected(formatNumber(nodes.size))}</Text>
      <Stack gap={2} component="ul" align="start" className="plain-list">
        {[...nodes].slice(0, MOST).map((node) => (
          <li key={node} className="shrinking">
            <Button
              variant="subtle"
              size="compact-sm"
              maw="100%"
              leftSection={<Swatch colour={colourOf(node)} />}
              onClick={() => onSelect(node)}
            >
              {nodeName(network, node)}
            </Button>
          </li>
        ))}
      </Stack>
      {nodes.size > MOST && <Text size="sm">{text.details.more(formatNumber(nodes.size - MOST))}</Text>}
    </Stack>
  )
}
