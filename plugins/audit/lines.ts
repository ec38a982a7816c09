import { setTimeout as sleep } from 'node:timers/promises'
import fp from 'fastify-plugin'
import { exportLines } from '../../db/audit/export.ts'
import type { AuditLineSink, LinePosition } from '../../db/audit/line-sink.ts'
import { AuditLineWriter } from '../../db/audit/line-writer.ts'
import { readLeafHash } from '../../db/audit/log.ts'
import type { Peers } from '../../graph/jobs/peers.ts'
import type { StartThread } from '../../graph/jobs/thread.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import type { Plugin } from '../http/plugin.ts'

/** The interval between checks for new events, in milliseconds. */
const INTERVAL = 500

/** The time allowed for writing the last lines when the server stops, in milliseconds. */
const PARTING = 2000

/** How long a process may write before another one tries to, in milliseconds. */
const LONGEST_WRITE = 60_000

const BEGINNING: LinePosition = { next: 0, leaf: '' }

interface Options {
  sink: AuditLineSink
  startThread: StartThread
  peers: Peers
}

/**
 * Writes each event of the audit log as a line. The position in the log is saved after the lines are written, so a line may be
 * written more than once. If writing fails, requests continue, and the lines are written later.
 */
const auditLines: Plugin<Options> = async (app, { sink, startThread, peers }) => {
  const { store, log } = app
  const { name } = sink
  const writer = new AuditLineWriter(startThread)
  const stop = new AbortController()
  let position: LinePosition | undefined
  let lastFault: string | undefined

  /** Writes the lines of all newly published leaves. */
  async function writeNew() {
    const { size } = await app.auditLog.published()
    // While a worker is replaced, both the old and the new one write.
    if (peers.size > 1) position = undefined
    position ??= (await sink.position()) ?? BEGINNING
    if (!(await isOfLog(position, size))) {
      log.warn(
        { file: name, position: position.next, size },
        'rewriting all audit lines: the log was restored or changed'
      )
      position = BEGINNING
    }
    for await (const { bytes, next } of exportLines(store, writer, {
      format: 'jsonl',
      filter: {},
      from: position.next,
      size
    })) {
      const reached = { next, leaf: await readLeafHash(store.read, next - 1) }
      await sink.append(bytes, reached)
      position = reached
      if (stop.signal.aborted) return
    }
  }

  async function isOfLog({ next, leaf }: LinePosition, size: number) {
    return next <= size && (next === 0 || (await readLeafHash(store.read, next - 1)) === leaf)
  }

  /** Writes new lines. Logs each error only once. */
  async function write() {
    const release = await peers.lock('audit lines', LONGEST_WRITE)
    try {
      await writeNew()
      if (lastFault !== undefined) log.info({ file: name }, 'audit lines can be written again')
      lastFault = undefined
    } catch (error) {
      // There is no checkpoint yet.
      if (error instanceof ProblemError) return
      const { message } = error as Error
      if (message !== lastFault) {
        log.error({ err: error, file: name }, 'the audit lines cannot be written; retrying')
      }
      lastFault = message
    } finally {
      release()
    }
  }

  async function follow() {
    while (!stop.signal.aborted) {
      await write()
      await sleep(INTERVAL, undefined, { signal: stop.signal, ref: false }).catch(() => {})
    }
  }

  let following: Promise<void> | undefined
  app.addHook('onListen', () => {
    following = follow()
  })
  app.addHook('preClose', async () => {
    stop.abort()
    // If this takes too long, the next process writes the missing lines.
    if (following) await Promise.race([following.then(write), sleep(PARTING, undefined, { ref: false })])
  })
  app.addHook('onClose', async () => {
    await writer.close()
    await sink.close()
  })
}

export default fp(auditLines, { name: 'audit-lines', dependencies: ['store', 'sequencing'] })
