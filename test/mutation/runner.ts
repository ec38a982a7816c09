import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Answer, Order } from './child.ts'

// A test runner for Stryker. Stryker's tap runner starts a process for each file and mutant. This runner runs only the tests
// that reach a mutant, fastest first, in a process that is reused for the next mutant.

/** How many CPU seconds a test may take with a mutant, in addition to three times its CPU time without one. */
const SPARE = 10
/** The number of seconds without work after which a process is considered hung. */
const IDLE = 5
/** The number of runs after which a process is replaced. */
const REUSE = 300
/** The limit in CPU seconds for loading the test files, and for each test without a mutant. */
const START = 1200

type Outcome =
  | { end: 'passed'; coverage: unknown; times: Map<string, number> }
  | { end: 'failed'; id: string }
  | { end: 'crashed' | 'hung' }

/** A process that has loaded the test files. */
class Child {
  readonly #process: ChildProcess
  #isAlive = true
  runs = 0
  ids: string[] = []

  constructor(files: string[], staticMutant?: string) {
    this.#process = spawn(process.execPath, ['--import', '@tapjs/mock/import', 'test/mutation/child.ts'], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: {
        ...process.env,
        MUTATION_FILES: JSON.stringify(files),
        TAP_TIMEOUT: '0',
        ...(staticMutant !== undefined && { MUTATION_STATIC: staticMutant })
      },
      // Creates a process group, so that processes started by the tests are killed with it.
      detached: true
    })
    this.#process.on('exit', () => this.end())
  }

  get isAlive() {
    return this.#isAlive
  }

  end() {
    this.#isAlive = false
    try {
      if (this.#process.pid) process.kill(-this.#process.pid, 'SIGKILL')
    } catch {
      // The process has already ended.
    }
  }

  /** Returns false if the files cannot be loaded. */
  async load(): Promise<boolean> {
    const outcome = await this.#wait(undefined, () => START)
    return outcome.end === 'passed'
  }

  /** Runs tests until one fails. `limitOf` returns the seconds of CPU time that a test may take. */
  async run(order: Order, limitOf: (id: string | undefined) => number): Promise<Outcome> {
    this.runs++
    return this.#wait(order, limitOf)
  }

  #wait(order: Order | undefined, limitOf: (id: string | undefined) => number): Promise<Outcome> {
    return new Promise((resolve) => {
      const times = new Map<string, number>()
      let failed: string | undefined
      let start = cpuOf(this.#process.pid)?.seconds ?? 0
      let seconds = start
      let idle = 0
      const settle = (outcome: Outcome) => {
        clearInterval(watch)
        this.#process.off('message', listen)
        this.#process.off('exit', crash)
        resolve(outcome)
      }
      const crash = () => settle(failed === undefined ? { end: 'crashed' } : { end: 'failed', id: failed })
      const listen = (answer: Answer | { type?: undefined }) => {
        // tap sends other messages.
        if (answer.type === undefined) return
        if (answer.type === 'ready') {
          this.ids = answer.ids
          settle({ end: 'passed', coverage: undefined, times })
        } else if (answer.type === 'ended') {
          times.set(answer.id, answer.milliseconds)
          start = cpuOf(this.#process.pid)?.seconds ?? start
          if (!answer.isOk) failed = answer.id
        } else if (failed !== undefined) settle({ end: 'failed', id: failed })
        else settle({ end: 'passed', coverage: answer.mutantCoverage, times })
      }
      const watch = setInterval(() => {
        const now = cpuOf(this.#process.pid)
        if (!now) return
        // A process that waits for the CPU is not hung.
        idle = now.isRunning || now.seconds > seconds + 0.05 ? 0 : idle + 1
        seconds = now.seconds
        if (idle < IDLE && seconds - start < limitOf(order?.only[times.size])) return
        settle({ end: 'hung' })
        this.end()
      }, 1000)
      this.#process.on('message', listen)
      this.#process.on('exit', crash)
      if (!this.#isAlive) crash()
      else if (order) this.#process.send(order, () => {})
    })
  }
}

interface MutantRun {
  testFilter?: string[]
  activeMutant: { id: string }
  hitLimit?: number
  mutantActivation: 'static' | 'runtime'
}

class SubtestRunner {
  readonly #files: string[]
  #child: Child | undefined
  /** The CPU time of each test without a mutant, in milliseconds. */
  #times = new Map<string, number>()

  constructor(files: string[]) {
    this.#files = files
  }

  capabilities() {
    return { reloadEnvironment: true }
  }

  async dryRun() {
    const child = new Child(this.#files)
    if (!(await child.load())) return { status: 'error', errorMessage: 'the files of tests do not load' }
    const outcome = await child.run({ only: child.ids, activeMutant: null }, () => START)
    child.end()
    if (outcome.end !== 'passed')
      return { status: 'error', errorMessage: `without a mutant: ${JSON.stringify(outcome)}` }
    this.#times = outcome.times
    const tests = [...this.#times].map(([id, milliseconds]) => ({ id, name: id, timeSpentMs: milliseconds, status: 0 }))
    return { status: 'complete', tests, mutantCoverage: outcome.coverage }
  }

  async mutantRun({ testFilter, activeMutant: { id }, hitLimit, mutantActivation }: MutantRun) {
    const only = (testFilter ?? [...this.#times.keys()]).toSorted((a, b) => this.#timeOf(a) - this.#timeOf(b))
    if (only.length === 0) throw new Error('there are no tests to run')
    const order = { only, activeMutant: id, ...(hitLimit !== undefined && { hitLimit }) }
    const isStatic = mutantActivation === 'static'
    const outcome = (!isStatic && (await this.#runAgain(order))) || (await this.#runAnew(order, isStatic))
    if (outcome.end === 'passed') return { status: 'survived', nrOfTests: only.length }
    if (outcome.end === 'hung') return { status: 'timeout' }
    const killedBy = outcome.end === 'failed' ? [outcome.id] : []
    return { status: 'killed', killedBy, failureMessage: outcome.end, nrOfTests: only.length }
  }

  dispose() {
    this.#child?.end()
  }

  #timeOf(id: string) {
    return this.#times.get(id) ?? 0
  }

  /** Returns the CPU seconds that the test may take with a mutant. */
  readonly #limitOf = (id = '') => (3 * this.#timeOf(id)) / 1000 + SPARE

  /**
   * Runs the tests in the process used for earlier mutants. A failure counts only if the test fails twice with the mutant and
   * passes without it; otherwise the result is undefined.
   */
  async #runAgain(order: Order): Promise<Outcome | undefined> {
    if (this.#child && (!this.#child.isAlive || this.#child.runs >= REUSE)) {
      this.#child.end()
      this.#child = undefined
    }
    const child = this.#child
    if (!child) return undefined
    const outcome = await child.run(order, this.#limitOf)
    if (outcome.end === 'passed') return outcome
    if (outcome.end === 'failed' && child.isAlive) {
      const only = [outcome.id]
      const again = await child.run({ ...order, only }, this.#limitOf)
      const without = again.end === 'failed' ? await child.run({ only, activeMutant: null }, this.#limitOf) : again
      if (again.end === 'failed' && without.end === 'passed') return outcome
    }
    child.end()
    return undefined
  }

  /** Runs the tests in a new process, which is kept for the next mutant if possible. */
  async #runAnew(order: Order, isStatic: boolean): Promise<Outcome> {
    const child = new Child(this.#files, isStatic ? (order.activeMutant ?? undefined) : undefined)
    const outcome: Outcome = (await child.load()) ? await child.run(order, this.#limitOf) : { end: 'crashed' }
    if (isStatic || outcome.end === 'hung' || !child.isAlive) child.end()
    else this.#child = child
    return outcome
  }
}

/** Returns the CPU time of a process, and whether it is running; undefined if the system does not report it. */
function cpuOf(pid: number | undefined) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return { seconds: (Number(fields[11]) + Number(fields[12])) / 100, isRunning: fields[0] === 'R' }
  } catch {
    return undefined
  }
}

function createRunner(options: { subtests: { files: string[] } }) {
  return new SubtestRunner(options.subtests.files)
}
createRunner.inject = ['options'] as const

export const strykerPlugins = [{ kind: 'TestRunner', name: 'subtests', factory: createRunner }]
