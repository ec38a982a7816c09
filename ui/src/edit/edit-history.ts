import type { Edge, GraphContent } from '../api.ts'

/** The past, present and undone states of an edit. */
export interface EditHistory {
  /** The stored content and its version. */
  stored: GraphContent
  version: number
  past: GraphContent[]
  present: GraphContent
  future: GraphContent[]
}

/** The maximum number of steps to undo. */
const STEPS = 100

export function beginEdit(stored: GraphContent, version: number, present = stored): EditHistory {
  return { stored, version, past: present === stored ? [] : [stored], present, future: [] }
}

export function edit({ past, present, ...history }: EditHistory, next: GraphContent): EditHistory {
  return { ...history, past: [...past, present].slice(-STEPS), present: next, future: [] }
}

/** Returns the edge that was added last, with its current values, or undefined if the edit has added none. */
export function lastAddedEdge({ past, present }: EditHistory): Edge | undefined {
  const counts = [...past, present].map(({ edges }) => edges.length)
  return counts.some((count, state) => count > (counts[state - 1] ?? count)) ? present.edges.at(-1) : undefined
}

export function undo(history: EditHistory): EditHistory {
  const { past, present, future } = history
  const before = past.at(-1)
  return before ? { ...history, past: past.slice(0, -1), present: before, future: [present, ...future] } : history
}

export function redo(history: EditHistory): EditHistory {
  const { past, present, future } = history
  const [next, ...rest] = future
  return next ? { ...history, past: [...past, present], present: next, future: rest } : history
}
