import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { system } from '../db/actors.ts'
import { openSqlite } from '../db/engine/sqlite/store.ts'
import { createUser } from '../db/users/users.ts'
import { writableFormatNamed, writableFormats } from '../graph/formats/index.ts'
import type { WritableFormat } from '../graph/formats/shared/format.ts'
import { GraphBuilder } from '../graph/formats/shared/graph-builder.ts'
import { Losses } from '../graph/formats/shared/losses.ts'
import { buildApp } from '../plugins/app.ts'
import type { GraphContent } from '../schemas/graph-content.ts'
import { readConfig } from '../src/settings/config.ts'
import { startThread } from '../src/system/assets.ts'
import { program } from '../src/system/program.ts'
import { network } from './graphs.ts'
import { median } from './measure.ts'

// Measures the time to read and write a graph of 20,000 nodes and 100,000 edges in each format, relative to JSON.parse and
// JSON.stringify of the same graph in the same run, and how long imports block the event loop.

const limits = { maxNodes: 100_000, maxEdges: 500_000, bodyLimit: 256 * 1024 * 1024 }
const ROUNDS = 7

interface Measurement {
  /** Medians of the rounds, in ms. */
  read: number
  write: number
  /** The peak increase in the process's memory use during the first read, in bytes. */
  memory: number
  bytes: number
}

/** Returns the median time of several rounds, in ms. */
function time(task: () => unknown) {
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now()
    task()
    return performance.now() - start
  })
  return median(times)
}

/** Returns the graph as a file. */
function fileOf(format: WritableFormat, content: GraphContent) {
  const pieces = [...format.write({ name: 'bench', content }, new Losses())]
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece as string)))
}

/** Measures a format. Runs in a separate process, so that no format inherits garbage from another. */
function measure(name: string): Measurement {
  const content = network(20_000, 100_000)
  const format = name === 'json' ? undefined : writableFormatNamed(name)
  const file = format ? fileOf(format, content) : Buffer.from(JSON.stringify(content))
  const read = () => {
    if (!format) return JSON.parse(file.toString('utf8'))
    const into = new GraphBuilder(limits)
    format.read(file, into)
    if (into.faultCount > 0 || into.content.edges.length !== 100_000) throw new Error(`${name} was read incorrectly`)
    return into.content
  }
  const write = () =>
    format ? [...format.write({ name: 'bench', content }, new Losses())].length : JSON.stringify(content)
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  read()
  if (!format) write()
  const memory = Math.max(0, process.resourceUsage().maxRSS * 1024 - before)
  return { read: time(read), write: time(write), memory, bytes: file.length }
}

async function inProcess(name: string): Promise<Measurement> {
  const child = fork(import.meta.filename, [name])
  const [measurement] = (await once(child, 'message')) as [Measurement]
  await once(child, 'exit')
  return measurement
}

/** Starts a server in a new folder, with a user who may push graphs. */
async function startServer() {
  const folder = mkdtempSync(join(tmpdir(), 'graphstead-bench-'))
  const store = await openSqlite(join(folder, 'graphstead.db'), startThread)
  const config = { ...readConfig([], {}), ...limits }
  const app = await buildApp(config, { program, store, tokenKey: Buffer.alloc(32, 1) })
  const values = { login: 'bench', role: 'USER', passwordHash: 'none', enabled: true } as const
  const user = await store.write((trx) => createUser(trx, system, values))
  if (!user) throw new Error('the user already exists')
  const url = await app.listen({ port: 0 })
  const close = async () => {
    await app.close()
    await store.close()
    rmSync(folder, { recursive: true })
  }
  return { url, folder, token: app.issueToken(user, false).token, close }
}

/** Returns the longest time that the event loop is blocked while another process pushes the graph as a file, in ms. */
async function stall({ url, folder, token }: Awaited<ReturnType<typeof startServer>>, name: string) {
  const file = join(folder, 'graph')
  const format = writableFormatNamed(name) as WritableFormat
  writeFileSync(file, fileOf(format, network(20_000, 100_000)))
  globalThis.gc?.()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const child = fork(import.meta.filename, ['push', `${url}/api/graphs/import?format=${name}`, file, token])
  const [code] = await once(child, 'exit')
  delay.disable()
  if (code !== 0) throw new Error(`${name} was not imported`)
  return delay.max / 1e6
}

async function push([url = '', file = '', token = '']: string[]) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: readFileSync(file)
  })
  process.exitCode = response.status === 201 ? 0 : 1
}

async function main() {
  const base = await inProcess('json')
  const json = base.read + base.write
  const mb = (bytes: number) => (bytes / 1e6).toFixed(1)
  console.log(
    `JSON.parse + JSON.stringify: ${json.toFixed(0)} ms, ${mb(base.bytes)} MB, memory ${mb(base.memory)} MB\n`
  )
  console.log(
    '| format | MB | read | write | memory of a read | longest block of the event loop during an import, ms |'
  )
  console.log('|---|---|---|---|---|---|')
  const server = await startServer()
  await stall(server, 'node-link')
  let beyond = 0
  for (const { name } of writableFormats) {
    const { read, write, memory, bytes } = await inProcess(name)
    const longest = await stall(server, name)
    if (read / json > (name === 'dot' ? 40 : 10) || longest > 50) beyond++
    const ratios = [read / json, write / json, memory / base.memory].map((ratio) => `${ratio.toFixed(1)}×`)
    console.log(`| ${[name, mb(bytes), ...ratios, longest.toFixed(0)].join(' | ')} |`)
  }
  await server.close()
  console.log(
    beyond === 0
      ? '\nAll formats are within 10× for reading (DOT: 40×) and 50 ms.'
      : `\n${beyond} formats miss the target.`
  )
  process.exitCode = beyond === 0 ? 0 : 1
}

const [task, ...args] = process.argv.slice(2)
if (task === 'push') await push(args)
else if (task !== undefined) process.send?.(measure(task))
else await main()
