import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for the condition, for a minute at most. Returns whether it holds. */
export async function until(holds: () => Promise<boolean>): Promise<boolean> {
  for (let look = 0; look < 6000; look++) {
    if (await holds()) return true
    await sleep(10)
  }
  return false
}
