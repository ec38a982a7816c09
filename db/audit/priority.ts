import { getPriority, setPriority } from 'node:os'

/**
 * The niceness of threads that work on the audit log. On a core that is busy with requests, they still get a quarter of the CPU
 * time, so that checkpoints keep up.
 */
const NICENESS = 5

/**
 * Lowers this thread's priority below that of requests, unless the process already runs at low priority. Only Linux has
 * per-thread priorities.
 */
export function giveWay() {
  if (process.platform === 'linux' && getPriority() < NICENESS) setPriority(NICENESS)
}
