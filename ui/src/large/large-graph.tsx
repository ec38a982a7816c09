import { Alert, Button, Group, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { emptyContent, type Graph } from '../api.ts'
import { GraphView } from '../graph/graph-view.tsx'
import { useView } from '../graph/view/use-view.ts'
import { useSearchOf } from '../search/page-search.ts'
import { FailureAlert, Loading } from '../shared/failure.tsx'
import { formatNumber, text } from '../text/index.ts'
import { type Part, usePart } from './part.ts'
import { Summary } from './summary.tsx'

/** The initial number of nodes in a part, the factor by which "Show more" increases it, and the server's limit. */
const [FIRST, TIMES, MOST] = [2000, 5, 100_000]

/** The maximum total length of the ids in the address, in characters. */
const LONGEST_ADDRESS = 4000

/**
 * Shows the summary of a graph that is too large to draw, and a part of it that starts with a search and grows node by node.
 */
export function LargeGraph({ graph, gone }: { graph: Graph; gone: Error | undefined }) {
  const { read: view, change } = useView()
  const [most, setMost] = useState(FIRST)
  const near = view.near ?? []
  const part = usePart(graph, near, most)
  useEffect(() => {
    // Links from other pages may contain only a node.
    if (!view.near && view.node !== undefined) change({ near: [view.node] })
  })
  const open = (ids: string[]) => {
    setMost(FIRST)
    const [node] = ids
    change({ near: ids, node, edge: undefined, camera: undefined, tab: 'drawing' })
  }

  useSearchOf({ kind: 'part', graph: graph.id, onFind: open })

  const { content = emptyContent, left } = (near.length > 0 && part.data) || {}
  const more = most < MOST ? () => setMost(most * TIMES) : undefined
  return (
    <GraphView
      graph={graph}
      content={content}
      gone={gone}
      part={{
        isOpen: near.length > 0,
        summary: (
          <Summary
            graph={graph}
            onTables={() => change({ whole: true, tab: 'nodes' })}
            onDrawing={() => change({ whole: true, tab: 'drawing' })}
          />
        ),
        notice: (
          <>
            {part.isLoading && <Loading label={text.part.loading} />}
            {part.error && <FailureAlert error={part.error} retry={() => part.refetch()} />}
            {left && left.nodes > 0 && <Left left={left} more={more} isLoading={part.isFetching} />}
          </>
        ),
        onGrow: (id) => change({ near: newest([...near.filter((other) => other !== id), id]), camera: undefined })
      }}
    />
  )
}

/** Shows how many nodes and edges a part omits. */
function Left({
  left: { nodes, edges },
  more,
  isLoading
}: {
  left: Part['left']
  more: (() => void) | undefined
  isLoading: boolean
}) {
  return (
    <Alert variant="light" py="xs" role="status">
      <Group justify="space-between">
        <Text size="sm">{text.part.left(formatNumber(nodes), formatNumber(edges))}</Text>
        {more && (
          <Button variant="default" size="xs" loading={isLoading} onClick={more}>
            {text.part.more}
          </Button>
        )}
      </Group>
    </Alert>
  )
}

/** Returns as many of the last ids as fit in an address. */
function newest(ids: string[]): string[] {
  let length = 0
  const first = ids.findLastIndex((id) => {
    length += encodeURIComponent(id).length + '&near='.length
    return length > LONGEST_ADDRESS
  })
  return ids.slice(first + 1)
}
