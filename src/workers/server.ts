import type { Server as HttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { system } from '../../db/actors.ts'
import { recordEvent } from '../../db/audit/events.ts'
import { openStore } from '../../db/engine/open.ts'
import type { App } from '../../plugins/app.ts'
import type { Connections } from '../../plugins/http/connections/limits.ts'
import { sumOfMetrics } from '../../plugins/server/metric-sums.ts'
import type { Settings } from '../../schemas/settings.ts'
import type { Demo } from '../demo/demo.ts'
import { BadSetting, readSecret } from '../settings/config.ts'
import { readTls } from '../settings/tls.ts'
import { startThread } from '../system/assets.ts'
import { printError } from '../system/terminal.ts'
import { version } from '../system/version.ts'
import { ADMIN_PASSWORD, createFirstAdministrator } from './first-administrator.ts'
import { Link } from './link.ts'
import { closeMetricsPort, openMetricsPort } from './metrics-port.ts'
import { WorkerPool } from './pool.ts'
import { untilFree } from './port.ts'
import { Scaling } from './scaling.ts'
import { createService, LONGEST_STOP, readFiles, untilStopped } from './service.ts'
import { Switchboard } from './switchboard.ts'
import { reportLoad } from './worker.ts'

/** How long to wait after a worker could not start, in milliseconds. */
const RETRY_PAUSE = 60_000

interface Options {
  isDemo?: boolean
  /** The command that starts a worker, if workers are to share the load. */
  command?: readonly string[]
}

/** Runs a server that serves requests itself, and shares them with workers under load. Returns the exit code. */
export async function runServer(config: Settings, { isDemo = false, command }: Options = {}): Promise<number> {
  const files = readFiles(config)
  const password = isDemo ? undefined : readSecret(ADMIN_PASSWORD, process.env)
  const board = new Switchboard(sumOfMetrics)
  const self = { post: (message: Parameters<Link['receive']>[0]) => link.receive(message) }
  const link = new Link((message) => board.receive(self, message), 1)
  board.join(self)
  const store = await openStore(config, () => files.database, startThread, command && link)
  try {
    const demo = isDemo ? await (await import('../demo/demo.ts')).createDemo(store) : undefined
    if (!demo) await createFirstAdministrator(store, password)
    const { app, connections, stop } = await createService(config, files, store, {
      isDemo,
      ...(command && { peers: link, worker: 1 })
    })
    const stopped = untilStopped(app)
    let workers: ReturnType<typeof shareLoad> | undefined
    if (process.platform !== 'win32')
      process.on('SIGHUP', () => {
        reloadTls(app, config)
        workers?.pool.replaceAll()
      })
    const url = await start(app, config, connections).catch(async (error: unknown) => {
      await app.close()
      throw error
    })
    printError(`Graphstead is running at ${url}, with its API documented at ${url}/docs`)
    if (demo) printError(await describeDemo(app, demo, config.publicUrl ?? url))
    workers = command && shareLoad(app, command, board)

    const signal = await stopped
    clearInterval(workers?.loads)
    await Promise.all([workers?.pool.stopAll(signal ?? 'SIGINT', LONGEST_STOP), stop(signal)])
    if (signal === undefined) return 1
    await store.write((trx) => recordEvent(trx, system, { type: 'SERVER_STOPPED', data: { signal } }))
    return 0
  } finally {
    await store.close()
  }
}

/** Starts workers while this process and the existing ones are busy, and ends them when they no longer are. */
function shareLoad(app: App, command: readonly string[], board: Switchboard) {
  // Node.js can send the handle of a server to other processes, which then accept connections as well.
  const { _handle: handle } = app.server as unknown as { _handle: object }
  const { address: host, port } = app.server.address() as AddressInfo
  const warn = (message: string) => app.log.error(message)
  const pool = new WorkerPool({ command, port: { handle, host, port }, board, warn })
  const scaling = new Scaling(availableParallelism())
  let isChanging = false
  const loads = reportLoad(async (busy) => {
    const numbers = pool.numbers
    const change = isChanging ? 0 : scaling.decide([busy, ...pool.loads])
    if (change === 0) return
    isChanging = true
    // This process is number 1.
    const number = numbers.length + (change === 1 ? 2 : 1)
    app.log.info({ workers: number - (change === 1 ? 0 : 1) }, change === 1 ? 'starting a worker' : 'ending a worker')
    try {
      await (change === 1 ? pool.add(number) : pool.end(number))
    } catch (error) {
      warn(`${(error as Error).message} when it started`)
      await sleep(RETRY_PAUSE, undefined, { ref: false })
    }
    isChanging = false
  })
  return { pool, loads }
}

/** Returns text that explains how to sign in to the demo, and includes the address of its link. */
async function describeDemo(app: App, { user, password, linked }: Demo, url: string): Promise<string> {
  const authorization = `Bearer ${app.issueToken(user, false).token}`
  const headers = { authorization, host: new URL(url).host }
  const [link] = (await app.inject({ url: `/api/graphs/${linked}/links`, headers })).json()
  return `
  This is a demo: nothing can be changed, and it is deleted when the server stops.

  Sign in at ${url}
  Username   ${user.login}
  Password   ${password}
  Open a link without signing in: ${new URL(link.url, url)}
`
}

/** Reloads the certificate for new connections. If that fails, keeps the old one. */
function reloadTls(app: App, config: Settings) {
  try {
    const tls = readTls(config)
    if (!tls) return app.log.info('there is no certificate to reload')
    ;(app.server as HttpsServer).setSecureContext(tls)
    app.log.info('the certificate was reloaded')
  } catch (error) {
    app.log.error({ err: error }, 'the certificate cannot be reloaded; the old one stays in use')
  }
}

/**
 * Opens the ports and records the start. Returns the URL of the service. Throws BadSetting, or an error if the store cannot be
 * written to.
 */
async function start(app: App, config: Settings, connections: Connections): Promise<string> {
  const url = await listen(app, config, connections)
  await app.store.write((trx) => recordEvent(trx, system, { type: 'SERVER_STARTED', data: { version } }))
  return url
}

/** Opens the ports for metrics and for the service. Returns the URL of the service. Throws BadSetting. */
async function listen(app: App, config: Settings, connections: Connections): Promise<string> {
  const metrics = await openMetricsPort(app.metrics.text, config, connections)
  if (metrics) app.log.info({ address: metrics.address() }, 'metrics are served')
  app.addHook('onClose', async () => closeMetricsPort(metrics))
  return untilFree(() => app.listen({ host: config.host, port: config.port })).catch((error: Error) => {
    throw new BadSetting(`--host and --port: cannot listen: ${error.message}`)
  })
}
