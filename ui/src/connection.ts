import { useSyncExternalStore } from 'react'

// Detects whether the server can be reached. A single failed request does not prove that it cannot, so the health check decides.

/** How long to wait for the health check, in milliseconds. With it, a user learns within three seconds that a request failed. */
const PATIENCE = 2000

/** The delays between attempts to reconnect, in milliseconds. The last one repeats. */
const DELAYS = [1000, 2000, 4000, 8000]
const LONGEST_DELAY = 15_000

let isLost = false
/** The number of responses since the app was opened. */
let answers = 0
/** The number of failed health checks since the connection was lost. */
let failures = 0
let timer: ReturnType<typeof setTimeout> | undefined
let current: Promise<void> | undefined
const listeners = new Set<() => void>()

/** Notes that the server has responded, even if the response reports a problem. */
export function noteAnswer() {
  answers++
  if (!isLost) return
  clearTimeout(timer)
  failures = 0
  setLost(false)
}

/** Checks whether the server can be reached. If it cannot, repeats the check until it can. */
export function checkConnection(): Promise<void> {
  current ??= check().finally(() => {
    current = undefined
  })
  return current
}

async function check() {
  clearTimeout(timer)
  const before = answers
  const request = { cache: 'no-store', credentials: 'omit', signal: AbortSignal.timeout(PATIENCE) } as const
  const isAlive = await fetch('/healthz', request).then(
    ({ ok }) => ok,
    () => false
  )
  if (isAlive) noteAnswer()
  if (answers > before) return
  timer = setTimeout(checkConnection, DELAYS[failures++] ?? LONGEST_DELAY)
  setLost(true)
}

function setLost(value: boolean) {
  isLost = value
  for (const listener of listeners) listener()
}

/** Returns whether the server cannot be reached, and rerenders when this changes. */
export function useIsLost() {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isLost
  )
}
