import { registerHooks } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Test } from 'tap'

// A child process of test/run.ts, which sends it test files to run one after another. Each file is a test, and the tests in it
// are its subtests.

/** The results of a file: the counts of its assertions, and the CPU time that this process used, in milliseconds. */
export interface FileResult {
  file: string
  counts: Record<'pass' | 'fail' | 'skip' | 'todo', number>
  cpu: number
}

const folder = process.env.GRAPHSTEAD_TEST_FOLDER ?? ''

// A file imports its own test as `tap`.
let current: Test | undefined
const ofFile = new Proxy({} as Test, {
  get: (_, key) => {
    const value = Reflect.get(current as Test, key, current)
    return typeof value === 'function' ? value.bind(current) : value
  },
  set: (_, key, value) => Reflect.set(current as Test, key, value, current)
})
Object.assign(globalThis, { tapOfFile: ofFile })
const replaced: Record<string, string> = {
  tap: 'export default globalThis.tapOfFile',
  // To find the test that caused an uncaught error, tap would install hooks on all promises, which take 5 % of the run time.
  'async-hook-domain': 'export class Domain { destroy() {} }'
}
registerHooks({
  resolve(specifier, context, next) {
    const isKept = specifier === 'tap' && (!current || context.parentURL?.includes('/node_modules/'))
    const code = isKept ? undefined : replaced[specifier]
    return code ? { url: `data:text/javascript,${code}`, shortCircuit: true } : next(specifier, context)
  }
})
process.on('uncaughtException', (error) => current?.threw(error))

const { default: tap } = await import('tap')
await import('./support/exact-arrays.ts')
await import('./support/hashes.ts')

// At the end of a test, tap would change the working directory to the parent of the test's folder.
process.chdir = () => {}

// The parent of all files never ends, because tap would exit the process after the last test.
const files = await new Promise<Test>((resolve) => {
  void tap.test('files', { timeout: 0 }, (t) => {
    resolve(t)
    return new Promise(() => {})
  })
})

async function runFile(file: string): Promise<FileResult> {
  const before = process.cpuUsage()
  const exitCode = process.exitCode
  const env = { ...process.env }
  const own = join(folder, `${process.pid}-${file.replaceAll(/[^\w.]/g, '-')}`)
  await files.test(file, { timeout: 0 }, async (t) => {
    current = t
    t.testdirName = own
    // tap itself removes a test's folder before the test's teardowns run, while a server is still writing to it.
    t.teardown(() => {})
    t.beforeEach((t) => t.teardown(() => {}))
    await import(pathToFileURL(resolve(file)).href)
  })
  process.exitCode = exitCode
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name]
  Object.assign(process.env, env)
  const { user, system } = process.cpuUsage(before)
  const { pass, fail, skip, todo } = (current as unknown as Test).counts
  return { file, counts: { pass, fail, skip, todo }, cpu: (user + system) / 1000 }
}

// tap does not wait for messages.
process.channel?.ref()
process.on('disconnect', () => process.exit())
process.on('message', async (file: string) => {
  const result = await runFile(file)
  process.send?.(result)
})
