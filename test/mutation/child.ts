import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import '../support/exact-arrays.ts'
import '../support/hashes.ts'

// Runs tests of several files in one process for runner.ts, in Stryker's copy of the repository: first without a mutant, then
// repeatedly, each time with another mutant.

/** A request from runner.ts to run these tests in order until one fails. */
export interface Order {
  /** The ids of the tests. */
  only: string[]
  /** The id of a mutant; null for the unchanged program. */
  activeMutant: string | null
  /** The maximum number of times that the mutant may be reached, which stops endless loops. */
  hitLimit?: number
}

/** A message to runner.ts: `ready` after the files are loaded, `ended` after each test, `done` after the last. */
export type Answer =
  | { type: 'ready'; ids: string[] }
  | { type: 'ended'; id: string; isOk: boolean; milliseconds: number }
  | { type: 'done'; mutantCoverage: unknown }

type Results = Promise<{ ok: boolean }>

// The mutated code reads this object, and uses it to count the mutants that each test reaches.
const stryker: Record<string, unknown> = { activeMutant: process.env.MUTATION_STATIC ?? null }
Object.assign(globalThis, { __stryker__: stryker })

type Parent = { test: (...values: unknown[]) => Results }
// This parent test never ends, because tap would exit the process after the last test.
const parent = await new Promise<Parent>((resolve) => {
  void t.test('all', (t) => {
    resolve(t as unknown as Parent)
    return new Promise(() => {})
  })
})
const tests = new Map<string, () => Results>()

// Each test waits until it is requested.
for (const file of JSON.parse(process.env.MUTATION_FILES ?? '[]') as string[]) {
  const register = (name: string, ...rest: unknown[]) => tests.set(`${file}: ${name}`, () => parent.test(name, ...rest))
  Object.assign(t, { test: register })
  await import(pathToFileURL(join(process.cwd(), file)).href)
}

function answer(answer: Answer) {
  return new Promise((resolve) => process.send?.(answer, resolve))
}

async function run({ only, activeMutant, hitLimit }: Order) {
  const isLimited = hitLimit !== undefined
  Object.assign(stryker, { activeMutant, hitLimit, hitCount: isLimited ? 0 : undefined })
  for (const id of only) {
    stryker.currentTestId = id
    const start = performance.now()
    // A skipped test has no result.
    const isOk = (await tests.get(id)?.())?.ok ?? true
    await answer({ type: 'ended', id, isOk, milliseconds: performance.now() - start })
    if (!isOk) break
  }
  await answer({ type: 'done', mutantCoverage: activeMutant === null ? stryker.mutantCoverage : undefined })
}

// tap does not wait for requests.
process.channel?.ref()
process.on('disconnect', () => process.exit())
process.on('message', (order: Order) => void run(order))
await answer({ type: 'ready', ids: [...tests.keys()] })
