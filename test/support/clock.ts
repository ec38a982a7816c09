import type { Test } from 'tap'

/** Stops the clock of the test. Returns a function that moves the clock by milliseconds and returns the time. */
export function stopClock(t: Test, start = Date.now()) {
  let now = start
  t.capture(Date, 'now', () => now)
  return (time = 0) => {
    now += time
    return now
  }
}
