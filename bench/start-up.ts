import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from './measure.ts'
import { startProgram } from './processes.ts'
import type { Line } from './table.ts'

const ROUNDS = 5

/** From the start of the process to the first answer of readyz, with an empty store; and the memory it rests with. */
export async function startUp(folder: string): Promise<Line[]> {
  const times: number[] = []
  const sizes: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const data = join(folder, String(round))
    // The first start makes the store, the key and the administrator, whose password takes its time.
    await (await startProgram(data)).stop()
    const start = performance.now()
    // With every core that there is: nothing else is measured meanwhile.
    const program = await startProgram(data, 'Graphstead', { pinned: false })
    times.push(performance.now() - start)
    await sleep(2000)
    sizes.push(program.resident())
    await program.stop()
  }
  return [
    { path: 'start to ready, empty store', ours: '', theirs: '', ratio: median(times), aim: { most: 400, unit: 'ms' } },
    { path: 'memory at rest', ours: '', theirs: '', ratio: median(sizes), aim: { most: 130, unit: 'MiB' } }
  ]
}
