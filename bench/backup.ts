import { execFile } from 'node:child_process'
import { copyFileSync, fsyncSync, openSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { exactly, fetched, logIn, numbered } from './client.ts'
import { load, requestOf } from './load.ts'
import { timed } from './measure.ts'
import { startProgram } from './processes.ts'
import { seed } from './seed.ts'
import type { Line } from './table.ts'

const MIB = 1024 * 1024

/**
 * Backs up a store with many records while other clients read and write. Measures how long the backup takes and how long they
 * wait.
 */
export async function backup(folder: string): Promise<Line[]> {
  await seed(folder, { graphs: 200_000, users: 100, events: 1_000_000, shared: 10 })
  const database = join(folder, 'graphstead.db')
  const size = `${Math.round(statSync(database).size / MIB)} MiB`
  const copied = await timed(() => {
    copyFileSync(database, `${database}.copy`)
    fsyncSync(openSync(`${database}.copy`, 'r'))
  })
  rmSync(`${database}.copy`)

  const program = await startProgram(folder)
  try {
    const token = await logIn(program, 'admin')
    const { get } = await fetched(program, '/api/graphs/77', token)
    const create = numbered((number) => requestOf('POST', '/api/graphs', { token, body: `{"name":"Graph ${number}"}` }))
    /** Three readers and one writer. */
    const others = (duration: number, connections = 4) =>
      load({
        port: program.port,
        connections,
        duration,
        next: (connection) => (connection === 3 ? exactly(create(), 201) : get)
      })
    await others(2000)
    const alone = await others(10_000)
    const file = join(folder, 'backup.db')
    const command = [join(import.meta.dirname, '../src/graphstead.js'), 'backup', file, '--data', folder]
    const [beside, took] = await Promise.all([
      others(10_000),
      timed(() => promisify(execFile)('nice', [process.execPath, ...command]))
    ])
    return [
      {
        path: `backup of ${size}, written, read again and checked`,
        ours: `${(took / 1000).toFixed(1)} s`,
        theirs: `cp and fsync: ${(copied / 1000).toFixed(1)} s`,
        ratio: took / copied,
        aim: {}
      },
      {
        path: 'longest wait of three readers and one writer in the meantime',
        ours: `p50 ${beside.p50.toFixed(1)}, p99 ${beside.p99.toFixed(1)} ms`,
        theirs: `without: p50 ${alone.p50.toFixed(1)}, p99 ${alone.p99.toFixed(1)}, longest ${Math.round(alone.max)} ms`,
        ratio: beside.max,
        aim: { most: 50, unit: 'ms' }
      }
    ]
  } finally {
    await program.stop()
  }
}
