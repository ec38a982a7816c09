import { get } from 'node:http'
import { join } from 'node:path'
import { logIn } from './client.ts'
import { type Server, start, startProgram } from './processes.ts'
import { seed } from './seed.ts'
import type { Line } from './table.ts'

const EVENTS = 1_000_000
const EXPORT = '/management/audits/export'

/** Compares exporting a million events over HTTP with streaming their rows from a bare server. */
export async function exporting(folder: string): Promise<Line[]> {
  await seed(folder, { graphs: 1000, users: 1000, events: EVENTS, shared: 10 })
  const program = await startProgram(folder, 'Graphstead', { pinned: false })
  const bare = await start('rows', 'bench/rows.ts', (port) => [String(port), join(folder, 'graphstead.db')], {
    pinned: false
  })
  try {
    const token = await logIn(program, 'admin')
    // Starts the threads, which then stay alive for several seconds.
    for (const format of ['jsonl', 'csv'])
      await download(program, `${EXPORT}?format=${format}&after=${EVENTS - 10_000}`, token)
    const theirs = await download(bare, '/', '')
    const lines: Line[] = []
    for (const format of ['jsonl', 'csv']) {
      const ours = await download(program, `${EXPORT}?format=${format}`, token)
      const against = { ours: describe(ours), theirs: `a bare server that streams the rows: ${describe(theirs)}` }
      lines.push(
        {
          path: `export of ${EVENTS.toLocaleString('en')} events as ${format}`,
          ...against,
          ratio: theirs.seconds / ours.seconds,
          aim: {}
        },
        {
          path: 'the same: events per second',
          ...against,
          ratio: EVENTS / ours.seconds,
          aim: { least: 100_000, unit: 'per second' }
        },
        { path: 'the same: additional memory', ...against, ratio: ours.memory, aim: { most: 50, unit: 'MiB' } }
      )
    }
    return lines
  } finally {
    await program.stop()
    await bare.stop()
  }
}

interface Download {
  seconds: number
  bytes: number
  /** The largest increase in the server's memory use during the download, in MiB. */
  memory: number
}

/** Downloads a response and discards it. */
async function download(server: Server, path: string, token: string): Promise<Download> {
  const before = server.memory()
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, server.memory())
  }, 50)
  const startedAt = performance.now()
  let bytes = 0
  try {
    await new Promise<void>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` }
      get({ port: server.port, host: '127.0.0.1', path, headers }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`${path}: status ${answer.statusCode}`))
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length
        })
        answer.on('end', resolve).on('error', reject)
      }).on('error', reject)
    })
  } finally {
    clearInterval(timer)
  }
  return { seconds: (performance.now() - startedAt) / 1000, bytes, memory: most - before }
}

function describe({ seconds, bytes, memory }: Download) {
  const rate = Math.round(EVENTS / seconds).toLocaleString('en')
  return `${rate}/s, ${Math.round(bytes / 2 ** 20)} MiB, ${Math.round(memory)} MiB additional memory`
}
