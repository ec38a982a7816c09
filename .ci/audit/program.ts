import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { readHead } from '../../audit/checkpoint.ts'
import { splitNote } from '../../audit/note.ts'
import { fetchFrom, type Log } from './log.ts'
import { FILE, insertEvents, prepareStore } from './store.ts'
import { run } from './tally.ts'

const PROGRAM = join(import.meta.dirname, '../../src/graphstead.js')

/** How long to wait for a checkpoint that contains the added events, in milliseconds. */
const PATIENCE = 60_000

const withoutLimits = ['user', 'address'].flatMap((rate) => [`--rate-${rate}`, '0'])

/** The audit log of a server that runs from source on its own data folder. */
export class Program implements Log {
  url = ''
  token = ''
  readonly #folder: string
  /** The principal of the events that `growTo` adds. */
  readonly #principal: string
  #server: ChildProcess | undefined

  private constructor(folder: string, principal: string) {
    this.#folder = folder
    this.#principal = principal
  }

  /** Starts a server with a new data folder and an auditor. The server's start is the first event in the log. */
  static async open(folder: string): Promise<Program> {
    const program = new Program(folder, 'ada')
    program.token = await prepareStore(folder)
    await program.#start()
    return program
  }

  async growTo(size: number) {
    insertEvents(join(this.#folder, FILE), size, this.#principal)
    for (const start = Date.now(); ; await sleep(50)) {
      const { text } = splitNote(`${await fetchFrom(this, 'log/checkpoint')}`)
      const reached = readHead(text).size
      if (reached === size) return
      if (reached > size || Date.now() - start > PATIENCE)
        throw new Error(`the log has the size ${reached} instead of ${size}`)
    }
  }

  exportTo(folder: string) {
    return run(process.execPath, [PROGRAM, 'audit', 'export', '--tiles', folder, '--data', this.#folder])
  }

  witness(url: string, key: string) {
    return run(process.execPath, [PROGRAM, 'audit', 'witness', url, '--vkey', key, '--data', this.#folder])
  }

  async fork(): Promise<Program> {
    const copy = new Program(`${this.#folder}-fork`, 'eve')
    copy.token = this.token
    await this.close()
    await cp(this.#folder, copy.#folder, { recursive: true })
    await this.#start()
    await copy.#start()
    return copy
  }

  async close() {
    const server = this.#server
    this.#server = undefined
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    // On SIGTERM, the server would wait for clients.
    server.kill('SIGINT')
    await once(server, 'exit')
  }

  async #start() {
    const args = ['serve', '--port', '0', '--data', this.#folder, '--log-level', 'error', ...withoutLimits]
    const server = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'inherit', 'pipe'] })
    this.#server = server
    const kill = () => server.kill('SIGKILL')
    process.once('exit', kill)
    server.once('exit', () => process.off('exit', kill))
    for await (const line of createInterface({ input: server.stderr })) {
      const [, url] = /running at (http:\S+?),/.exec(line) ?? []
      if (url === undefined) console.log(line)
      else {
        this.url = `${url}/management/audits`
        server.stderr.pipe(process.stderr)
        return
      }
    }
    throw new Error('the server did not start')
  }
}
