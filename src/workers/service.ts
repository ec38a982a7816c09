import { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../../db/store.ts'
import type { Peers } from '../../graph/jobs/peers.ts'
import { type App, buildApp, type Parts } from '../../plugins/app.ts'
import { type Connections, connectionsFor } from '../../plugins/http/connections/limits.ts'
import { millisecondsOf } from '../../schemas/quantities.ts'
import type { Settings } from '../../schemas/settings.ts'
import { auditLinesFor } from '../audit/line-file.ts'
import { AuditKeyFiles } from '../audit/signing-key.ts'
import { backupFolderIn, prepareDataFolder } from '../settings/data-folder.ts'
import { readIdentityProvider } from '../settings/identity-provider.ts'
import { readTls } from '../settings/tls.ts'
import { readTokenKey } from '../settings/token-key.ts'
import { thisProgram } from '../system/assets.ts'
import { accessLogFor, loggerOptions } from '../system/logger.ts'
import { endingSignals } from '../system/platform.ts'
import { program } from '../system/program.ts'

/** How long, in milliseconds, /readyz responds with 503 before the port closes, so that load balancers notice. */
const NOTICE = 500
/** How long a repeated signal is ignored, in milliseconds. */
const REPEATED = 1000
/** How long open requests may take to finish when the server stops, in milliseconds. */
const SHUTDOWN_TIMEOUT = 8000
/** The maximum time that a stopping process takes, in milliseconds. */
export const LONGEST_STOP = NOTICE + SHUTDOWN_TIMEOUT + 1500
/** How long the clients of a worker that is no longer needed may take to send another request, in milliseconds. */
const PARTING = 1000

/** The settings that a server reads from files before it opens the store. */
export type Files = ReturnType<typeof readFiles>

/**
 * Checks the settings that refer to files, creates the data folder, and reads the keys. Throws BadSetting, DataFolderRefused or
 * TokenKeyRefused.
 */
export function readFiles(config: Settings) {
  const identityProvider = readIdentityProvider(config)
  const database = prepareDataFolder(config.data)
  return { identityProvider, database, tls: readTls(config), tokenKey: readTokenKey(config.data, config.jwtSecretFile) }
}

/** The parts in which the processes of a server differ. */
interface Own {
  peers?: Peers
  /** The number of the worker, if the process is one. */
  worker?: number
  isDemo?: boolean
}

/** The part of a server that one process runs. */
export interface Service {
  app: App
  connections: Connections
  /** Stops this part of a server that stops. After SIGTERM, first tells load balancers. */
  stop(signal: NodeJS.Signals | undefined): Promise<void>
  /** Stops this process while the server keeps running. Its clients move to the other processes without an error. */
  retire(): Promise<void>
}

/** Builds the app of this process. */
export async function createService(
  config: Settings,
  { identityProvider, tls, tokenKey }: Files,
  store: Store,
  { peers, worker, isDemo = false }: Own
): Promise<Service> {
  const readiness = { draining: false }
  const connections = connectionsFor(config)
  const app = await buildApp(config, {
    program,
    store,
    tokenKey,
    auditKey: new AuditKeyFiles(config),
    auditLines: auditLinesFor(config),
    identityProvider,
    readiness,
    logger: loggerOptions(config.logLevel, worker),
    accessLog: accessLogFor(config.logLevel, worker),
    backupPlan: backupPlanOf(config),
    tls,
    isDemo,
    peers,
    keepsHouse: (worker ?? 1) === 1,
    connections
  })
  const closeAfter = (milliseconds: number) => setTimeout(() => app.server.closeAllConnections(), milliseconds).unref()
  if (peers) connections.divide(peers.size)
  peers?.onSize((size, before) => {
    connections.divide(size)
    // Clients keep their connections, so a new process would get little of the load.
    if (size > before) connections.shed((size - before) / size)
  })

  return {
    app,
    connections,
    async stop(signal) {
      if (signal) app.log.info({ signal }, 'stopping')
      readiness.draining = true
      if (signal === 'SIGTERM') await sleep(NOTICE)
      const timer = closeAfter(SHUTDOWN_TIMEOUT)
      await app.close().finally(() => clearTimeout(timer))
    },
    async retire() {
      app.log.info('the worker is stopping')
      // Unlike the method of HTTP servers, this one leaves idle connections open. Their next request may be on its way.
      const closed = new Promise((resolve) => Server.prototype.close.call(app.server, resolve))
      connections.shed(1)
      await Promise.race([closed, sleep(PARTING, undefined, { ref: false })])
      app.server.closeIdleConnections()
      const timer = closeAfter(SHUTDOWN_TIMEOUT)
      await closed
      clearTimeout(timer)
      await app.close()
    }
  }
}

function backupPlanOf({ data, backups = backupFolderIn(data), every, keep }: Settings): Parts['backupPlan'] {
  if (every === undefined) return undefined
  const command = [...thisProgram(), 'backup', '--data', data]
  return { command, folder: backups, every: millisecondsOf(every), keep }
}

/** Waits for the end of a process: resolves to the signal, or to undefined after an uncaught exception. */
export function untilStopped({ log }: App): Promise<NodeJS.Signals | undefined> {
  return new Promise((resolve) => {
    for (const signal of endingSignals(process.stdin.isTTY)) {
      process.off(signal, exitEarly)
      process.once(signal, () => {
        // A terminal also sends Ctrl-C to npm, which forwards it. A second signal would otherwise kill the process at once.
        process.on(signal, resolve)
        setTimeout(() => process.off(signal, resolve), REPEATED).unref()
        resolve(signal)
      })
    }
    // Requests in progress may be unaffected by the exception, so they are completed, but new requests are refused.
    process.on('uncaughtException', (error) => {
      log.fatal({ err: error }, 'the server stops after an uncaught exception')
      setTimeout(() => process.exit(1), LONGEST_STOP).unref()
      resolve(undefined)
    })
  })
}

/** Stops the process while it is starting, before `untilStopped` handles signals. */
export function exitEarly() {
  process.exit(1)
}
