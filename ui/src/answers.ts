import { useSyncExternalStore } from 'react'

// Counts responses, to detect whether the server has responded since a request failed.

let count = 0
const listeners = new Set<() => void>()

/** Returns the number of responses since the app was opened. */
export function countAnswers() {
  return count
}

/** Counts a response, including one that reports a problem. */
export function noteAnswer() {
  count++
  for (const listener of listeners) listener()
}

/** Like countAnswers, but rerenders on each response. */
export function useAnswers() {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, countAnswers)
}
