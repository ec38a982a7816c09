import { randomBytes } from 'node:crypto'
import type { Server as HttpsServer } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { system } from '../../db/actors.ts'
import { recordEvent } from '../../db/audit/events.ts'
import { openStore } from '../../db/engine/open.ts'
import type { Store } from '../../db/store.ts'
import { findWeakness, hashPassword } from '../../db/users/passwords.ts'
import { countUsers, createUser } from '../../db/users/users.ts'
import { type App, buildApp, type Parts } from '../../plugins/app.ts'
import { type Connections, connectionsFor } from '../../plugins/http/connections/limits.ts'
import { serveMetrics } from '../../plugins/http/connections/metrics-server.ts'
import { millisecondsOf } from '../../schemas/quantities.ts'
import type { Settings } from '../../schemas/settings.ts'
import { auditLinesFor } from '../audit/line-file.ts'
import { AuditKeyFiles } from '../audit/signing-key.ts'
import type { Command } from '../command.ts'
import type { Demo } from '../demo/demo.ts'
import { createDemoFolder, removeDemoFolder } from '../demo/folder.ts'
import { BadSetting, readSecret } from '../settings/config.ts'
import { backupFolderIn, prepareDataFolder } from '../settings/data-folder.ts'
import { demoSettings, readDemoConfig } from '../settings/demo.ts'
import { readIdentityProvider } from '../settings/identity-provider.ts'
import { readTls } from '../settings/tls.ts'
import { readTokenKey } from '../settings/token-key.ts'
import { serverUsage } from '../settings/usage.ts'
import { startThread, thisProgram } from '../system/assets.ts'
import { accessLogFor, loggerOptions } from '../system/logger.ts'
import { endingSignals } from '../system/platform.ts'
import { program } from '../system/program.ts'
import { printError } from '../system/terminal.ts'
import { version } from '../system/version.ts'

const ADMIN_PASSWORD = 'GRAPHSTEAD_ADMIN_PASSWORD'
const FIRST_LOGIN = 'admin'

/** How long, in milliseconds, /readyz responds with 503 before the port closes, so that load balancers notice. */
const NOTICE = 500
/** How long a repeated signal is ignored, in milliseconds. */
const REPEATED = 1000
/** How long open requests may take to finish when the server stops, in milliseconds. */
const SHUTDOWN_TIMEOUT = 8000

export const help = serverUsage(
  'serve [options]',
  'Runs the server until it receives SIGTERM or SIGINT.',
  { Demo: demoSettings },
  `Each option is also an environment variable, such as GRAPHSTEAD_PORT; options override variables.

The first start creates the administrator ${FIRST_LOGIN} with the password in
${ADMIN_PASSWORD} or in the file that ${ADMIN_PASSWORD}_FILE points to, or
else with a random one, which it prints once.`
)

/** Runs the server until a signal stops it. */
const serve: Command = async (args) => {
  process.stderr.on('error', () => {})
  const { isDemo, settings } = readDemoConfig(args, process.env)
  if (!isDemo) return runServer(settings)
  const folder = createDemoFolder()
  // The exit handler also runs if open requests take too long and the process exits.
  process.on('exit', () => removeDemoFolder(folder))
  for (const signal of endingSignals(process.stdin.isTTY)) process.once(signal, exitEarly)
  try {
    return await runServer({ ...settings, data: folder }, isDemo)
  } finally {
    removeDemoFolder(folder)
  }
}

export default serve

/** Stops the demo while it is starting, before `untilStopped` handles signals. The exit handler removes its folder. */
function exitEarly() {
  process.exit(1)
}

/** Runs a server with these settings until a signal stops it. Returns the exit code. */
async function runServer(config: Settings, isDemo = false): Promise<number> {
  const identityProvider = readIdentityProvider(config)
  const password = isDemo ? undefined : readSecret(ADMIN_PASSWORD, process.env)
  const file = prepareDataFolder(config.data)
  const tls = readTls(config)
  const tokenKey = readTokenKey(config.data, config.jwtSecretFile)
  const store = await openStore(config, () => file, startThread)
  try {
    const demo = isDemo ? await (await import('../demo/demo.ts')).createDemo(store) : undefined
    if (!demo) await createFirstAdministrator(store, password)
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
      logger: loggerOptions(config.logLevel),
      accessLog: accessLogFor(config.logLevel),
      backupPlan: backupPlanOf(config),
      tls,
      isDemo,
      connections
    })
    const stopped = untilStopped(app)
    if (process.platform !== 'win32') process.on('SIGHUP', () => reloadTls(app, config))
    const url = await start(app, config, connections).catch(async (error: unknown) => {
      await app.close()
      throw error
    })
    printError(`Graphstead is running at ${url}, with its API documented at ${url}/docs`)
    if (demo) printError(await describeDemo(app, demo, config.publicUrl ?? url))

    const signal = await stopped
    readiness.draining = true
    if (signal === undefined) setTimeout(() => process.exit(1), NOTICE + SHUTDOWN_TIMEOUT).unref()
    else app.log.info({ signal }, 'stopping')
    if (signal === 'SIGTERM') await sleep(NOTICE)
    const timer = setTimeout(() => app.server.closeAllConnections(), SHUTDOWN_TIMEOUT)
    await app.close().finally(() => clearTimeout(timer))
    if (signal === undefined) return 1
    await store.write((trx) => recordEvent(trx, system, { type: 'SERVER_STOPPED', data: { signal } }))
    return 0
  } finally {
    await store.close()
  }
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
  await listenForMetrics(app, config, connections)
  return app.listen({ host: config.host, port: config.port }).catch((error: Error) => {
    throw new BadSetting(`--host and --port: cannot listen: ${error.message}`)
  })
}

async function listenForMetrics(app: App, { host, metricsPort: port }: Settings, connections: Connections) {
  if (port === undefined) return
  const server = await serveMetrics(app.metrics.text, { host, port, connections }).catch((error: Error) => {
    throw new BadSetting(`--metrics-port: cannot listen: ${error.message}`)
  })
  app.log.info({ address: server.address() }, 'metrics are served')
  app.addHook('onClose', async () => {
    server.close()
    server.closeAllConnections()
  })
}

function backupPlanOf({ data, backups = backupFolderIn(data), every, keep }: Settings): Parts['backupPlan'] {
  if (every === undefined) return undefined
  const command = [...thisProgram(), 'backup', '--data', data]
  return { command, folder: backups, every: millisecondsOf(every), keep }
}

/**
 * Resolves to the signal that stops the server, or to undefined after an uncaught exception. Requests in progress may be
 * unaffected by the exception, so they are completed, but new requests are refused.
 */
function untilStopped({ log }: App) {
  return new Promise<NodeJS.Signals | undefined>((resolve) => {
    for (const signal of endingSignals(process.stdin.isTTY)) {
      process.off(signal, exitEarly)
      process.once(signal, () => {
        // A terminal also sends Ctrl-C to npm, which forwards it. A second signal would otherwise kill the process at once.
        process.on(signal, resolve)
        setTimeout(() => process.off(signal, resolve), REPEATED).unref()
        resolve(signal)
      })
    }
    process.on('uncaughtException', (error) => {
      log.fatal({ err: error }, 'the server stops after an uncaught exception')
      resolve(undefined)
    })
  })
}

/**
 * Creates the administrator if there are no users yet. If several processes start at once, only one of them does so. Throws
 * BadSetting.
 */
async function createFirstAdministrator(store: Store, given: string | undefined) {
  if ((await countUsers(store.read)) > 0) return
  const weak = given === undefined ? undefined : await findWeakness(given, FIRST_LOGIN)
  if (weak) throw new BadSetting(`${ADMIN_PASSWORD} ${weak}`)
  const password = given ?? randomBytes(18).toString('base64url')
  const passwordHash = await hashPassword(password)
  const created = await store.write(async (trx) => {
    if ((await countUsers(trx)) > 0) return undefined
    return createUser(trx, system, { login: FIRST_LOGIN, passwordHash, role: 'ADMIN', enabled: true })
  })
  if (created && given === undefined) {
    // Print the password once, to the terminal rather than the log.
    printError(`\n  The first administrator is ${FIRST_LOGIN}, with the password  ${password}\n`)
  }
}
