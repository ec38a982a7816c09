import { setTimeout as sleep } from 'node:timers/promises'

/** The time limit in seconds. It is shorter in mutation testing, where many conditions never become true. */
const LIMIT = process.env.MUTATION_FILES === undefined ? 60 : 3

/** Waits for the condition for a limited time. Returns whether it was met. */
export async function until(holds: () => Promise<boolean>): Promise<boolean> {
  for (let look = 0; look < LIMIT * 100; look++) {
    if (await holds()) return true
    await sleep(10)
  }
  return false
}
