import { getPriority, setPriority } from 'node:os'

/** The niceness of threads that work for the trail. They get a quarter of a core that is busy with requests: checkpoints have to keep up. */
const NICENESS = 5

/** Has this thread give way to requests, unless the whole process does so already. Only Linux has priorities per thread. */
export function giveWay() {
  if (process.platform === 'linux' && getPriority() < NICENESS) setPriority(NICENESS)
}
