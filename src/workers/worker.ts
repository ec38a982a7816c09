import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '../../db/engine/open.ts'
import type { Settings } from '../../schemas/settings.ts'
import { startThread } from '../system/assets.ts'
import { Link } from './link.ts'
import type { Address, FromWorker, ToWorker } from './messages.ts'
import { WORKER } from './pool.ts'
import { createService, readFiles, untilStopped } from './service.ts'

/** The interval at which a process reports its load, in milliseconds. */
const LOAD_INTERVAL = 1000

/** How long a signal to all processes of a server may take to reach the primary, in milliseconds. */
const COMMON_SIGNAL = 200

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

  try {
    return await serveUntilTold(config, number, { link, post, started: started.promise, told: told.promise })
  } finally {
    if (process.connected) process.disconnect?.()
  }
}

/** The link of a worker to its primary, and what it waits for. */
interface Orders {
  link: Link
  post(message: FromWorker): void
  started: Promise<{ address: Address; handle: unknown }>
  told: Promise<{ signal?: NodeJS.Signals }>
}

async function serveUntilTold(config: Settings, number: number, { link, post, started, told }: Orders) {
  const files = readFiles(config)
  const store = await openStore(config, () => files.database, startThread, link)
  try {
    const service = await createService(config, files, store, { peers: link, worker: number })
    const stopped = untilStopped(service.app)
    post({ kind: 'prepared' })
    const first = await Promise.race([started, told])
    if ('handle' in first) {
      const { address, handle } = first
      // Node.js listens on a handle if there is one. Fastify passes the options on, and needs the host for its messages.
      const url = await service.app.listen({ ...address, _handle: handle } as Address)
      post({ kind: 'listening', url })
    }
    const loads = reportLoad((busy) => post({ kind: 'load', busy }))
    const end = await Promise.race([told, stopped.then(async (signal) => (signal ? soonTold(told) : 'exception'))])
    clearInterval(loads)
    if (end === 'exception') await service.stop(undefined)
    else if (end.signal) await service.stop(end.signal)
    else await service.retire()
    return end === 'exception' ? 1 : 0
  } finally {
    await store.close()
  }
}

/**
 * Waits for the primary after this worker has received a signal. If the primary has received it as well, the whole server stops.
 * Otherwise, only this worker ends.
 */
async function soonTold(told: Orders['told']) {
  return Promise.race([told, sleep<Awaited<typeof told>>(COMMON_SIGNAL, {})])
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
