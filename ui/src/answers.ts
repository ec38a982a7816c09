import { useSyncExternalStore } from 'react'

// Counts responses, to tell whether the server has answered since a request failed.

let count = 0
const listeners = new Set<() => void>()

/** Returns the number of responses since the app was opened. */
export function countAnswers() {
  return count
}

/** Counts a response, even one that reports a problem. */
export function noteAnswer() {
  count++
  for (const listener of listeners) listener()
}

/** Like countAnswers, but rerenders with each response. */
export function useAnswers() {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, countAnswers)
}
