import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FromWorker, ToWorker } from './messages.ts'
import type { Port } from './port.ts'
import { LONGEST_STOP } from './service.ts'
import type { Member, Switchboard } from './switchboard.ts'

/** The variable that tells a process its number as a worker. */
export const WORKER = 'GRAPHSTEAD_WORKER_NUMBER'

/** A worker that lives for less than this, in milliseconds, is replaced only after a pause, which doubles each time. */
const SHORT = 10_000
const FIRST_PAUSE = 500
const LONGEST_PAUSE = 30_000

/** How long a worker may take to start, in milliseconds. */
const LONGEST_START = 120_000

/** A worker process. */
interface Worker extends Member {
  number: number
  process: ChildProcess
  /** Resolves to the URL of the service once the worker listens. Rejects with WorkerEnded. */
  listening: Promise<string>
  /** Resolves to how the process ended. */
  ended: Promise<string>
  /** The share of the last second in which its event loop was busy. */
  busy: number
}

/** Thrown if a worker ends before it listens. It has reported why. */
export class WorkerEnded extends Error {
  override name = 'WorkerEnded'
  readonly exitCode: number

  constructor(number: number, reason: string, exitCode: number) {
    super(`worker ${number} ${reason}`)
    this.exitCode = exitCode
  }
}

interface PoolOptions {
  /** The command that starts a worker. */
  command: readonly string[]
  port: Omit<Port, 'close'>
  board: Switchboard
  /** Called with a sentence about a worker that ended or cannot start. */
  warn(message: string): void
}

/** The worker processes of a server. Replaces those that end. */
export class WorkerPool {
  readonly #options: PoolOptions
  readonly #workers = new Map<number, Worker>()
  /** The workers that may still run: those of the pool, and those that were replaced. */
  readonly #running = new Set<Worker>()
  readonly #stopping = new AbortController()
  #replacing: Promise<void> = Promise.resolve()

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** The numbers of the workers. */
  get numbers() {
    return [...this.#workers.keys()]
  }

  /** The share of the last second in which each worker's event loop was busy. */
  get loads() {
    return [...this.#workers.values()].map(({ busy }) => busy)
  }

  /** Starts the worker with this number. Resolves to the URL of the service. Throws WorkerEnded. */
  async add(number: number): Promise<string> {
    const worker = this.#start(number)
    this.#workers.set(number, worker)
    try {
      const url = await worker.listening
      this.#keep(worker)
      return url
    } catch (error) {
      if (this.#workers.get(number) === worker) this.#workers.delete(number)
      throw error
    }
  }

  /** Stops the worker with this number. */
  async end(number: number) {
    const worker = this.#workers.get(number)
    this.#workers.delete(number)
    if (worker) await stop(worker, undefined, LONGEST_STOP)
  }

  /** Replaces the workers one by one. Each stops only when the one that replaces it listens. */
  replaceAll(): Promise<void> {
    this.#replacing = this.#replacing.then(async () => {
      await Promise.allSettled([...this.#workers.values()].map(({ listening }) => listening))
      for (const number of this.numbers) {
        if (this.#stopping.signal.aborted) return
        const worker = this.#start(number)
        try {
          await worker.listening
        } catch (error) {
          if (this.#stopping.signal.aborted) return
          this.#options.warn(`${(error as Error).message} when it started; the remaining workers are not replaced`)
          return
        }
        // The old worker may have been replaced or ended in the meantime.
        const before = this.#workers.get(number)
        if (before) {
          this.#workers.set(number, worker)
          this.#keep(worker)
        }
        await stop(before ?? worker, undefined, LONGEST_STOP)
      }
    })
    return this.#replacing
  }

  /** Stops all workers. Those that are still running after `timeout` milliseconds are killed. */
  async stopAll(signal: NodeJS.Signals, timeout: number) {
    this.#stopping.abort()
    await Promise.all([...this.#running].map((worker) => stop(worker, signal, timeout)))
  }

  #start(number: number): Worker {
    const { command, port, board } = this.#options
    const [program = '', ...args] = command
    const child = spawn(program, args, {
      env: { ...process.env, [WORKER]: String(number) },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc']
    })
    const { promise: listening, resolve, reject } = Promise.withResolvers<string>()
    const { promise: ended, resolve: end } = Promise.withResolvers<string>()
    // A worker that is ending may have closed its end.
    const post = (message: ToWorker) => child.connected && child.send(message, () => {})
    const worker: Worker = { number, process: child, listening, ended, busy: 0, post }
    this.#running.add(worker)
    child.on('message', (message: FromWorker) => {
      if (message.kind === 'prepared') {
        const start: ToWorker = { kind: 'start', address: { host: port.host, port: port.port }, size: board.size + 1 }
        child.send(start, port.handle as never, () => {})
      } else if (message.kind === 'listening') {
        clearTimeout(timer)
        board.join(worker)
        resolve(message.url)
      } else if (message.kind === 'load') worker.busy = message.busy
      else board.receive(worker, message)
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_START)
    const leave = (reason: string, code: number | null) => {
      clearTimeout(timer)
      this.#running.delete(worker)
      board.remove(worker)
      reject(new WorkerEnded(number, reason, code ?? 1))
      end(reason)
    }
    child.on('error', (error) => leave(`cannot run: ${error.message}`, null))
    child.on('exit', (code, signal) => leave(signal ? `was killed by ${signal}` : `exited with code ${code}`, code))
    listening.catch(() => {})
    return worker
  }

  /** Replaces the worker whenever it ends unasked. */
  async #keep(worker: Worker) {
    for (let [current, pause] = [worker, 0]; ; ) {
      const begun = performance.now()
      const reason = await current.ended
      if (!this.#isCurrent(current)) return
      this.#options.warn(`worker ${current.number} ${reason}; starting another`)
      pause = performance.now() - begun > SHORT ? 0 : Math.min(2 * pause || FIRST_PAUSE, LONGEST_PAUSE)
      await sleep(pause, undefined, { signal: this.#stopping.signal }).catch(() => {})
      if (!this.#isCurrent(current)) return
      current = this.#start(current.number)
      this.#workers.set(current.number, current)
    }
  }

  #isCurrent(worker: Worker) {
    return !this.#stopping.signal.aborted && this.#workers.get(worker.number) === worker
  }
}

/**
 * Asks a worker to stop, because of a signal to the server or because it is no longer needed. Waits until it has ended. If it is
 * still running after `timeout` milliseconds, kills it.
 */
async function stop(worker: Worker, signal: NodeJS.Signals | undefined, timeout: number) {
  worker.post({ kind: 'stop', ...(signal && { signal }) })
  const timer = setTimeout(() => worker.process.kill('SIGKILL'), timeout)
  await worker.ended
  clearTimeout(timer)
}
