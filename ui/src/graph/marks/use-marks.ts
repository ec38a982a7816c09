import { useMemo, useState } from 'react'
import type { Visibility } from '../../../../picture/filter/visibility.ts'
import type { Network } from '../network/network.ts'

/** Manages the nodes that are selected together. They are tracked by id, because edits change indexes. */
export function useMarks({ nodes, indexOf }: Network) {
  const [ids, setIds] = useState<ReadonlySet<string>>(none)
  const marked = useMemo(() => {
    const numbers = [...ids].map((id) => indexOf.get(id)).filter((node) => node !== undefined)
    return numbers.length > 0 ? new Set(numbers) : noMarks
  }, [ids, indexOf])
  const idsOf = (indexes: Iterable<number>) => Array.from(indexes, (node) => nodes[node]?.id ?? '')
  return {
    /** The selected nodes, by index. */
    marked,
    /** Adds a node, or removes it. */
    toggle: (node: number) => {
      const others = [...marked].filter((other) => other !== node)
      setIds(new Set(idsOf(marked.has(node) ? others : [...others, node])))
    },
    add: (others: Iterable<number>) => setIds(new Set(idsOf([...marked, ...others]))),
    set: (nodes: Iterable<number>) => setIds(new Set(idsOf(nodes))),
    /** Selects all nodes but the hidden ones. */
    setShown: ({ hidden }: Pick<Visibility, 'hidden'>) =>
      setIds(new Set(nodes.flatMap(({ id }, node) => (hidden?.[node] === 1 ? [] : [id])))),
    clear: () => setIds(none)
  }
}

export type Marks = ReturnType<typeof useMarks>

const none: ReadonlySet<string> = new Set()

export const noMarks: ReadonlySet<number> = new Set()
