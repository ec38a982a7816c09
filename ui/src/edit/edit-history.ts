import type { GraphContent } from '../api.ts'

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
