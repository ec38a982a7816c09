import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from './measure.ts'
import { EXECUTABLE, type Server, startExecutable, startProgram } from './processes.ts'
import type { Line } from './table.ts'

const ROUNDS = 9

/**
 * Measures the time from the start of the process to the first 200 from `/readyz`, with an empty store, and the idle memory use.
 */
export async function startUp(folder: string): Promise<Line[]> {
  // The process may use all cores, because nothing else runs.
  const source = await measured(folder, (data) => startProgram(data, 'Graphstead', { pinned: false }))
  const lines = [
    lineOf('start to ready, empty store', source.times, 400, 'ms'),
    lineOf('memory at rest', source.sizes, 100, 'MiB')
  ]
  if (!existsSync(join(import.meta.dirname, '..', EXECUTABLE))) return lines
  const executable = await measured(folder, startExecutable)
  return [
    ...lines,
    lineOf('the executable: start to ready', executable.times, 200, 'ms'),
    lineOf('the executable: memory at rest', executable.sizes, 100, 'MiB')
  ]
}

async function measured(folder: string, start: (data: string) => Promise<Server>) {
  const data = join(folder, 'data')
  // The first start creates the store, the key and the administrator, whose password takes time to hash.
  await (await start(data)).stop()
  const times: number[] = []
  const sizes: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now()
    const server = await start(data)
    times.push(performance.now() - began)
    await sleep(1000)
    sizes.push(server.resident())
    await server.stop()
  }
  return { times, sizes }
}

function lineOf(path: string, values: number[], most: number, unit: string): Line {
  const [lowest, highest] = [Math.min(...values), Math.max(...values)].map(Math.round)
  return { path, ours: `${lowest} to ${highest} ${unit}`, ratio: median(values), aim: { most, unit } }
}
