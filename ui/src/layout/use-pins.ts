import { useMemo, useState } from 'react'
import type { Network } from '../graph/network/network.ts'

/** Manages the nodes that layouts do not move. They are tracked by id, because edits change indexes. */
export function usePins({ nodes, indexOf }: Network) {
  const [ids, setIds] = useState<ReadonlySet<string>>(none)
  const pinned = useMemo(() => {
    const numbers = [...ids].map((id) => indexOf.get(id)).filter((node) => node !== undefined)
    return numbers.length > 0 ? new Set(numbers) : noPins
  }, [ids, indexOf])
  return {
    /** The pinned nodes, by index. */
    pinned,
    /** Pins or unpins a node. */
    toggle: (node: number) => {
      const id = nodes[node]?.id
      if (id === undefined) return
      const others = new Set([...ids].filter((other) => other !== id))
      setIds(pinned.has(node) ? others : others.add(id))
    },
    /** Pins or unpins several nodes. */
    set: (indexes: ReadonlySet<number>, isPinned: boolean) => {
      const others = [...pinned].filter((node) => !indexes.has(node))
      setIds(new Set([...others, ...(isPinned ? indexes : [])].map((node) => nodes[node]?.id ?? '')))
    },
    clear: () => setIds(none)
  }
}

export type Pins = ReturnType<typeof usePins>

const none: ReadonlySet<string> = new Set()

export const noPins: ReadonlySet<number> = new Set()
