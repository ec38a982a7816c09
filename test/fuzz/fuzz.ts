import { Worker } from 'node:worker_threads'
import { type Case, caseOf, render, type Target } from './cases.ts'
import type { Answer, Question } from './reader-thread.ts'

/**
 * The lengths of the shorter input in characters; the longer one is four times as long. Headers are shorter. Small inputs
 * reveal costs that a limit hides in large ones.
 */
const SHORT = [4 * 1024, 64 * 1024]
const SHORT_HEADER = [8 * 1024] as const

/** The time below which measurements are noise, in milliseconds. */
const TELLING = 25

/** The allowed growth in time for four times the length: 4 is linear, 16 is quadratic. */
const GROWTH = 8

/**
 * The maximum cost of an input: its processing time relative to an ordinary file of the same length, and output bytes per input
 * byte.
 */
const SLOWEST = 4
const LARGEST = 400
const ORDINARY: Case = { target: 'csv', start: 'Source,Target\n', parts: ['a#,b#\n'], end: '', closing: '' }

/** The maximum memory that a reader may use for an input of 256 KiB, in MiB. */
const MEMORY = 320

/** The time limit for a case, in milliseconds. It is generous because other processes may use the CPU. */
const PATIENCE = 60_000

/** A problem found while reading a case. */
export interface Finding {
  seed: number
  what: string
  case: Case
}

/** Reads inputs in a thread, and replaces the thread after an input has killed it. */
class Reader {
  #worker: Worker | undefined

  async ask(question: Question): Promise<Answer | { end: string }> {
    this.#worker ??= new Worker(new URL('reader-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY }
    })
    const worker = this.#worker
    const { promise, resolve } = Promise.withResolvers<Answer | { end: string }>()
    const onError = (error: Error & { code?: string }) => resolve({ end: error.code ?? error.message })
    const timer = setTimeout(() => resolve({ end: `takes longer than ${PATIENCE / 1000} s` }), PATIENCE)
    worker.once('message', resolve)
    worker.once('error', onError)
    worker.postMessage(question)
    const answer = await promise
    clearTimeout(timer)
    worker.off('message', resolve)
    worker.off('error', onError)
    if ('end' in answer) await this.close()
    return answer
  }

  async close() {
    const worker = this.#worker
    this.#worker = undefined
    worker?.on('error', () => {})
    await worker?.terminate()
  }
}

/** Runs a case. Returns the finding, if any. */
async function examine(
  reader: Reader,
  seed: number,
  one: Case,
  lengths: readonly number[]
): Promise<Finding | undefined> {
  const finding = (what: string, read = one): Finding => ({ seed, what, case: read })
  const timeOf = async (length: number, rounds = 1, read = one) => {
    let best = Number.POSITIVE_INFINITY
    for (let round = 0; round < rounds; round++) {
      const text = render(read, length)
      const answer = await reader.ask({ target: read.target, text, turn: seed })
      if ('end' in answer) throw finding(answer.end, read)
      if (answer.error !== undefined) throw finding(answer.error, read)
      if (answer.size / text.length > LARGEST)
        throw finding(`${text.length} characters become ${answer.size} bytes`, read)
      best = Math.min(best, answer.time)
    }
    return best
  }
  try {
    for (const short of lengths) {
      const long = await timeOf(4 * short)
      if (long < TELLING) continue
      const isSlow = async (time: number) => time > SLOWEST * (await timeOf(4 * short, 2, ORDINARY))
      if (long / (await timeOf(short)) < GROWTH && !(await isSlow(long))) continue
      // First runs and garbage collection look slow too, so slow cases are repeated with more runs.
      const times = [await timeOf(short, 4), await timeOf(2 * short, 3), await timeOf(4 * short, 3)] as const
      // A small file may declare many nodes, which takes the same time at any length.
      if ((short > SHORT_HEADER[0] || times[2] > 2 * times[0]) && (await isSlow(times[2])))
        return finding(`takes ${times.map(Math.round).join(', ')} ms for ${short}, 2n, 4n`)
      // Up to a limit, a graph may repeat a value that the file contains once.
      if (short < SHORT_HEADER[0] || times[2] < TELLING || times[2] / times[0] < GROWTH) continue
      const twice = await timeOf(8 * short, 2)
      if (twice / times[1] < GROWTH) continue
      return finding(`grows by ${[...times, twice].map(Math.round).join(', ')} ms for ${short}, 2n, 4n, 8n`)
    }
    return undefined
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'seed' in error) return error as Finding
    throw error
  }
}

export interface Options {
  seed: number
  /** The maximum duration in seconds, and the maximum number of cases. The run ends when either is reached. */
  seconds: number
  cases?: number
  target?: Target | undefined
  onFinding?: (finding: Finding) => void
}

/** Runs fuzz cases. Returns how many ran, and the findings. */
export async function fuzz({ seed, seconds, cases = Number.POSITIVE_INFINITY, target, onFinding }: Options) {
  const reader = new Reader()
  const until = performance.now() + seconds * 1000
  const findings: Finding[] = []
  let count = 0
  for (; count < cases && performance.now() < until; count++) {
    const one = caseOf(seed + count, target)
    const finding = await examine(reader, seed + count, one, one.target === 'header' ? SHORT_HEADER : SHORT)
    if (!finding) continue
    findings.push(finding)
    onFinding?.(finding)
  }
  await reader.close()
  return { count, findings }
}

/** Runs small cases. Returns how many ran, and the findings, in which `seed` is the index of the case. */
export async function walk(cases: Iterable<Case>, onFinding?: (finding: Finding) => void) {
  const reader = new Reader()
  const findings: Finding[] = []
  let count = 0
  for (const one of cases) {
    const finding = await examine(reader, count++, one, SHORT.slice(0, 1))
    if (!finding) continue
    findings.push(finding)
    onFinding?.(finding)
  }
  await reader.close()
  return { count, findings }
}
