import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { useGraphContext } from '../graph/graph-context.ts'
import { at, nodeName } from '../graph/network/network.ts'
import { formatNumber, text } from '../text/index.ts'
import { MOST_PATHS } from './shortest-paths.ts'
import type { PathState } from './use-path.ts'

/** The number of nodes to list at first. */
const MANY = 100

/** Shows the path with links to its nodes and edges, or explains why there is none. */
export function PathAnswerList({
  state: { answer, measured },
  onNumber
}: {
  state: PathState
  /** Shows another of the equally short paths. */
  onNumber: (number: number) => void
}) {
  const { view, show } = useGraphContext()
  const [most, setMost] = useState(MANY)
  const { network, look } = view
  const { lengths, missing = 0, zero = 0 } = measured ?? {}
  const ignored = answer.kind !== 'negative' && answer.kind !== 'open'
  const said = {
    open: () => text.paths.open,
    none: () => text.paths.none,
    noLengths: () => text.paths.noLengths,
    negative: () => text.paths.negative(formatNumber(answer.kind === 'negative' ? answer.count : 0)),
    found: () => (answer.kind === 'found' ? found(answer.path.edges.length, lengths && answer.path.length) : '')
  }[answer.kind]()
  const nodes = answer.kind === 'found' ? answer.path.nodes : []
  const edges = answer.kind === 'found' ? answer.path.edges : []
  return (
    <>
      <Text size="sm" role="status">
        {said}
        {ignored && missing > 0 && ` ${text.paths.missing(formatNumber(missing))}`}
        {ignored && zero > 0 && ` ${text.paths.zero(formatNumber(zero))}`}
      </Text>
      {answer.kind === 'found' && answer.count > 1 && (
        <OtherPaths number={answer.number} count={answer.count} onNumber={onNumber} />
      )}
      {look.appearance.hidden && nodes.length > 0 && (
        <Text size="xs" c="dimmed">
          {text.paths.unfiltered}
        </Text>
      )}
      <Stack gap={2} component="ol" className="plain-list" aria-label={text.paths.nodes}>
        {nodes.slice(0, most).map((node, index) => {
          const edge = index === 0 ? undefined : edges[index - 1]
          return (
            <Group key={node} component="li" gap={4} wrap="nowrap" justify="space-between">
              <Button
                variant="subtle"
                size="compact-sm"
                className="shrinking"
                onClick={() => show({ kind: 'node', index: node })}
              >
                {nodeName(network, node)}
              </Button>
              {edge !== undefined && (
                <Button
                  variant="subtle"
                  color="gray"
                  size="compact-xs"
                  className="row-end"
                  onClick={() => show({ kind: 'edge', index: edge })}
                >
                  {network.edges[edge]?.relation || network.edges[edge]?.label || text.graph.edge}
                  {lengths && `: ${formatNumber(at(lengths, edge))}`}
                </Button>
              )}
            </Group>
          )
        })}
      </Stack>
      {nodes.length > most && (
        <Button variant="default" size="xs" onClick={() => setMost(most * 10)}>
          {text.details.more(formatNumber(nodes.length - most))}
        </Button>
      )}
    </>
  )
}

/** Shows which of several equally short paths is shown, with buttons for the others. */
function OtherPaths({
  number,
  count,
  onNumber
}: {
  number: number
  count: number
  onNumber: (number: number) => void
}) {
  const step = (label: string, Icon: typeof IconChevronLeft, to: number) => (
    <ActionIcon variant="default" size="md" aria-label={label} onClick={() => onNumber(to)}>
      <Icon size={16} aria-hidden />
    </ActionIcon>
  )
  return (
    <Group gap="xs">
      {step(text.paths.previous, IconChevronLeft, number > 1 ? number - 1 : count)}
      <Text size="sm" role="status">
        {text.paths.which(formatNumber(number), formatNumber(count), count < MOST_PATHS)}
      </Text>
      {step(text.paths.next, IconChevronRight, number < count ? number + 1 : 1)}
    </Group>
  )
}

function found(edges: number, length: number | undefined): string {
  const steps = text.paths.found(edges, formatNumber(edges))
  return length === undefined ? steps : text.paths.foundLength(steps, formatNumber(length))
}
