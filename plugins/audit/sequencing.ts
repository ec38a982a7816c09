import { setTimeout as sleep } from 'node:timers/promises'
import fp from 'fastify-plugin'
import { AuditSealer } from '../../db/audit/sealer.ts'
import { AuditSequencer, type Published } from '../../db/audit/sequencer.ts'
import type { AuditKey } from '../../db/audit/signing-key.ts'
import { countUnsealed, oldestUnsealed } from '../../db/audit/unsealed.ts'
import type { StartThread } from '../../graph/jobs/thread.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import type { Plugin } from '../http/plugin.ts'

declare module 'fastify' {
  interface FastifyInstance {
    auditLog: {
      /** Returns the latest published checkpoint. Throws `not-ready` if none can be published. */
      published(): Promise<Published>
      /** Adds all events to the log now. */
      takeInAll(): Promise<void>
    }
  }
}

/** The interval between checks for new events, in milliseconds. */
const INTERVAL = 1000

/** The minimum pause between checks, in milliseconds. */
const PAUSE = 100

/** The interval between searches for late events, and between log lines with the checkpoint, in milliseconds. */
const LONG_INTERVAL = 60 * 60 * 1000

interface Options {
  /** If undefined, no events are added. */
  auditKey: AuditKey | undefined
  startThread: StartThread
  /** Whether this process also looks for late events and logs the checkpoint, once an hour. */
  keepsHouse: boolean
}

/** Adds audit events to the tamper-evident log once a second, and publishes its checkpoints. */
const sequencing: Plugin<Options> = async (app, { auditKey, startThread, keepsHouse }) => {
  const { store, log } = app
  const stop = new AbortController()
  const sealer = new AuditSealer(startThread)
  const sequencer =
    auditKey &&
    new AuditSequencer(store, auditKey, sealer, {
      onEpoch: (origin, reason) =>
        reason === undefined
          ? log.info({ origin }, 'the audit log starts')
          : log.warn(
              { origin, reason },
              'the audit log continues under a new origin; an event records the last checkpoint of the old one'
            )
    })
  /** The latest run of the sequencer. Runs do not overlap. */
  let running: Promise<unknown> = Promise.resolve()
  /** The run that requests wait for until a checkpoint has been published. */
  let asked: Promise<unknown> | undefined
  let lastFault: string | undefined

  function run(options: Parameters<AuditSequencer['run']>[0] = {}): Promise<boolean> {
    const next = running.catch(() => {}).then(() => sequencer?.run(options) ?? false)
    running = next
    return next
  }

  /** Runs until no events remain for this process. Logs each error only once. */
  async function takeIn(options?: Parameters<typeof run>[0]) {
    try {
      while ((await run(options)) && !stop.signal.aborted);
      if (lastFault !== undefined) log.info('events can be added to the audit log again')
      lastFault = undefined
      return true
    } catch (error) {
      const { message } = error as Error
      if (message !== lastFault) log.error({ err: error }, 'events cannot be added to the audit log; retrying')
      lastFault = message
      return false
    }
  }

  function tellCheckpoint() {
    const { checkpoint } = sequencer?.published ?? {}
    if (checkpoint !== undefined) log.info({ checkpoint }, 'the checkpoint of the audit log')
  }

  /** Logs an error if the store is missing events that are in the log. */
  async function compareCounts() {
    const unsealed = await countUnsealed(store.read)
    if (unsealed < 0)
      log.error({ missing: -unsealed }, 'audit events are missing; run graphstead audit verify for details')
  }

  async function sequence() {
    let lookedAt = Number.NEGATIVE_INFINITY
    while (!stop.signal.aborted) {
      const start = performance.now()
      const isDue = keepsHouse && performance.now() - lookedAt >= LONG_INTERVAL
      if ((await takeIn({ all: isDue, mayDefer: !isDue })) && isDue) {
        lookedAt = performance.now()
        tellCheckpoint()
        await compareCounts().catch((error: unknown) => log.error({ err: error }, 'audit events cannot be counted'))
      }
      const pause = Math.max(PAUSE, INTERVAL - (performance.now() - start))
      await sleep(pause, undefined, { signal: stop.signal, ref: false }).catch(() => {})
    }
  }

  app.decorate('auditLog', {
    async published() {
      if (!sequencer?.published) {
        // The background loop logs the error.
        asked ??= run()
          .catch(() => {})
          .finally(() => {
            asked = undefined
          })
        await asked
      }
      const published = sequencer?.published
      if (published) return published
      throw new ProblemError('not-ready', { detail: 'The audit log has no checkpoint yet.', retryAfter: 1 })
    },
    async takeInAll() {
      while (await run());
    }
  })
  app.metrics.watchAuditLog(async () => ({
    size: sequencer?.published?.size ?? 0,
    lag: await oldestUnsealed(store.read).then((time) => (time ? Math.max(0, Date.now() - Date.parse(time)) / 1000 : 0))
  }))

  let sequences: Promise<void> | undefined
  app.addHook('onListen', () => {
    if (sequencer) sequences = sequence()
  })
  app.addHook('preClose', async () => {
    stop.abort()
    await sequences
    if (!sequences) return
    await takeIn()
    if (keepsHouse) tellCheckpoint()
  })
  app.addHook('onClose', async () => {
    await running.catch(() => {})
    await sealer.close()
  })
}

export default fp(sequencing, { name: 'sequencing', dependencies: ['store', 'metrics'] })
