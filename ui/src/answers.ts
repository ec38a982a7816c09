import { useSyncExternalStore } from 'react'

// The number of answers tells whether the server has been reached since a request failed.

let count = 0
const listeners = new Set<() => void>()

/** Returns the number of answers that the server has given since the app was opened. */
export function countAnswers() {
  return count
}

/** Counts an answer, even one that reports a problem. */
export function noteAnswer() {
  count++
  for (const listener of listeners) listener()
}

/** Like countAnswers, and renders again with each answer. */
export function useAnswers() {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, countAnswers)
}
