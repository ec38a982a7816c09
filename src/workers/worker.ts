import { performance } from 'node:perf_hooks'
import { openStore } from '../../db/engine/open.ts'
import type { Settings } from '../../schemas/settings.ts'
import { startThread } from '../system/assets.ts'
import { Link } from './link.ts'
import type { Address, FromWorker, ToWorker } from './messages.ts'
import { WORKER } from './pool.ts'
import { createService, readFiles, untilStopped } from './service.ts'

/** The interval at which a process reports its load, in milliseconds. */
export const LOAD_INTERVAL = 1000

/** Returns the number of this process as a worker, or undefined if no primary has started it. */
export function workerNumber(): number | undefined {
  const number = process.env[WORKER]
  return number === undefined || process.send === undefined ? undefined : Number(number)
}

/** Serves requests at the port of the primary until it says to stop, or ends. Returns the exit code. */
export async function runWorker(config: Settings, number: number): Promise<number> {
  // The primary handles the signal to reload.
  process.on('SIGHUP', () => {})
  const post = (message: FromWorker) => process.connected && process.send?.(message, undefined, undefined, () => {})
  // The size arrives with the port. Until then, there is at least one other process.
  const link = new Link(post, 2)
  const started = Promise.withResolvers<{ address: Address; handle: unknown }>()
  const told = Promise.withResolvers<{ signal?: NodeJS.Signals }>()
  process.on('message', (message: ToWorker, handle: unknown) => {
    if (message.kind === 'start') {
      link.receive({ kind: 'size', size: message.size })
      started.resolve({ address: message.address, handle })
    } else if (message.kind === 'stop') told.resolve(message)
    else link.receive(message)
  })
  process.on('disconnect', () => {
    link.cut()
    told.resolve({})
  })

  const files = readFiles(config)
  const store = await openStore(config, () => files.database, startThread, link)
  try {
    const service = await createService(config, files, store, { peers: link, worker: number })
    const stopped = untilStopped(service.app)
    post({ kind: 'prepared' })
    const first = await Promise.race([started.promise, told.promise])
    if ('handle' in first) {
      const { address, handle } = first
      // Node.js listens on a handle if there is one. Fastify passes the options on, and needs the host for its messages.
      const url = await service.app.listen({ ...address, _handle: handle } as Address)
      post({ kind: 'listening', url })
    }
    const loads = reportLoad((busy) => post({ kind: 'load', busy }))
    const end = await Promise.race([told.promise, stopped.then((signal) => ({ signal, isOwn: true }))])
    clearInterval(loads)
    // A signal to one worker only ends that one, like the primary's request without a signal.
    if ('isOwn' in end && end.signal === undefined) await service.stop(undefined)
    else if ('isOwn' in end || end.signal === undefined) await service.retire()
    else await service.stop(end.signal)
    return 'isOwn' in end && end.signal === undefined ? 1 : 0
  } finally {
    await store.close()
    if (process.connected) process.disconnect?.()
  }
}

/** Reports once a second which share of it the event loop was busy. */
export function reportLoad(report: (busy: number) => void): NodeJS.Timeout {
  let before = performance.eventLoopUtilization()
  return setInterval(() => {
    const now = performance.eventLoopUtilization()
    report(performance.eventLoopUtilization(now, before).utilization)
    before = now
  }, LOAD_INTERVAL).unref()
}
