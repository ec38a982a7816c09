import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { system } from '../../db/actors.ts'
import { recordEvent } from '../../db/audit/events.ts'
import { readLog } from '../../db/audit/log.ts'
import type { Store } from '../../db/store.ts'
import { AuditKeyFiles } from '../../src/audit/signing-key.ts'
import { openTestStore } from '../support/engine.ts'
import { events } from '../support/helper.ts'
import { root } from '../support/program.ts'
import { until } from '../support/until.ts'
import { expectOneLog } from './one-log.ts'
import { sequencerOf } from './recording.ts'

/** The steps of sequencing a batch, and the number of times each runs before the process kills itself. */
const STEPS = [
  ['sealed', 2],
  ['written', 2],
  ['committed', 2],
  ['kept', 3],
  ['published', 3]
] as const

/** Records events as a busy server does, with some slow and some failing transactions. */
async function recordFor(store: Store, milliseconds: number) {
  const deadline = performance.now() + milliseconds
  const transactions: Promise<unknown>[] = []
  for (let count = 0; performance.now() < deadline; count++) {
    const data = { count: String(count) }
    transactions.push(
      store
        .write(async (trx) => {
          await recordEvent(trx, system, { type: 'SERVER_STARTED', data })
          // Engines with concurrent transactions commit this one late.
          if (trx.locksRows && count % 7 === 0) await sleep(60)
          if (count % 5 === 0) throw new Error('the transaction fails')
        })
        .catch(() => {})
    )
    if (count % 3 === 0) await sleep(2)
  }
  await Promise.all(transactions)
}

/** A process that sequences events, with the checkpoints that it has published. */
class Sequencing {
  readonly child: ChildProcess
  readonly #lines: string[] = []

  constructor(t: Test, args: readonly string[]) {
    const environment = Object.entries(process.env).filter(
      ([name]) => !/^(GRAPHSTEAD_|NODE_OPTIONS|TAP|NODE_V8)/.test(name)
    )
    this.child = spawn(process.execPath, [join(root, 'test/audit/sequencing-process.ts'), ...args], {
      env: Object.fromEntries(environment),
      stdio: ['ignore', 'pipe', 'inherit']
    })
    this.child.stdout?.on('data', (chunk) => this.#lines.push(String(chunk)))
    t.teardown(() => this.child.kill('SIGKILL'))
  }

  get checkpoints() {
    // The last line may be cut off if the process was killed.
    const lines = this.#lines.join('').split('\n').slice(0, -1)
    return lines.map((line) => JSON.parse(line) as string)
  }

  get hasEnded() {
    return this.child.signalCode !== null || this.child.exitCode !== null
  }

  async kill() {
    if (this.hasEnded) return
    this.child.kill('SIGKILL')
    await once(this.child, 'exit')
  }
}

for (const [step, count] of STEPS) {
  t.test(
    `one of three processes is killed once a batch is ${step}: each event has one leaf, and all checkpoints agree`,
    async (t) => {
      const folder = t.testdir({ one: {}, two: {}, three: {}, four: {} })
      const { store, url } = await openTestStore(t, folder)
      t.teardown(() => store.close())
      const auditKeyFile = join(folder, 'audit.key')
      const start = (name: string, ...more: string[]) => {
        mkdirSync(join(folder, name), { recursive: true })
        return new Sequencing(t, [join(folder, name), auditKeyFile, url ?? join(folder, 'graphstead.db'), ...more])
      }
      await recordFor(store, 50)
      const dying = start('one', step, String(count))
      const others = [start('two'), start('three')]
      const recording = { isRunning: true }
      const recorded = (async () => {
        while (recording.isRunning) await recordFor(store, 200)
      })()
      t.ok(await until(async () => dying.hasEnded), 'the process was killed at this step')
      t.equal(dying.child.signalCode, 'SIGKILL')
      // Restarts the killed process.
      const again = start('one')
      await sleep(500)
      recording.isRunning = false
      await recorded
      const total = (await events(store)).length
      t.ok(await until(async () => (await readLog(store.read)).size === total), `all ${total} events are in the log`)
      for (const process of [...others, again]) await process.kill()

      const key = new AuditKeyFiles({ data: join(folder, 'four'), auditKeyFile })
      await sequencerOf(store, key).run({ all: true })
      await expectOneLog(
        t,
        store,
        [dying, ...others, again].flatMap(({ checkpoints }) => checkpoints)
      )
    }
  )
}
