import { randomUUID } from 'node:crypto'
import fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import type { Store } from '../../db/store.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { bytesOf } from '../../schemas/quantities.ts'
import type { Settings } from '../../schemas/settings.ts'
import type { AccessLog } from '../http/access-log.ts'
import { mayChange } from '../http/callers/safe-methods.ts'
import type { Connections } from '../http/connections/limits.ts'
import { createHttpServer, type TlsFiles } from '../http/connections/server.ts'
import { readTrustProxy } from '../http/networks.ts'
import type { Services } from '../http/services.ts'
import { withoutOrigin } from '../http/urls.ts'
import backups, { type BackupPlan } from './backups.ts'
import bodyBudget from './body-budget.ts'
import docs from './docs.ts'
import freeSpace from './free-space.ts'
import health, { type Readiness } from './health.ts'
import help from './help.ts'
import housekeeping from './housekeeping.ts'
import mcp from './mcp/endpoint.ts'
import methods from './methods.ts'
import metrics, { metricsPage } from './metrics.ts'
import openapi from './openapi.ts'
import paging from './paging.ts'
import problems, { answerFrameworkError } from './problems.ts'
import rates from './rates.ts'
import requesters from './requesters.ts'
import requests from './requests.ts'
import sendBudget from './send-budget.ts'
import store from './store.ts'
import validation, { createSchemaController } from './validation.ts'
import webApp from './web-app.ts'

export type { BackupPlan, Readiness }

interface ServerParts {
  connections: Connections
  logger?: FastifyServerOptions['logger']
  tls?: TlsFiles | undefined
}

/** Creates a server without routes. */
export function createServer({ trustProxy }: Settings, { connections, logger = false, tls }: ServerParts) {
  const app = fastify({
    logger,
    // The log has one line per request; see plugins/http/access-log.ts.
    logController: new LogController({ disableRequestLogging: true }),
    // Disables per-request loggers, since each log line includes the request id.
    childLoggerFactory: (parent) => parent,
    genReqId: () => randomUUID(),
    // The request line may contain an absolute URL (RFC 9112, section 3.2.2).
    rewriteUrl: ({ url = '/' }) => withoutOrigin(url),
    trustProxy: readTrustProxy(trustProxy),
    bodyLimit: 64 * 1024,
    // The length of the longest key in a URL: each character may be four bytes, and each byte takes three characters.
    routerOptions: { maxParamLength: 128 * 12 },
    serverFactory: (listener) => createHttpServer(listener, { connections, tls }),
    // Makes Fastify report its address as https.
    ...(tls && ({ https: tls } as object)),
    // Requests that arrive while the server is stopping are answered as usual.
    return503OnClosing: false,
    schemaController: createSchemaController(),
    frameworkErrors: answerFrameworkError,
    // plugins/http/connections/limits.ts handles these errors.
    clientErrorHandler: () => {}
  })
  connections.log = app.log
  return app
}

interface Parts {
  store: Store
  connections: Connections
  accessLog?: AccessLog | undefined
  backupPlan?: BackupPlan | undefined
  keepsHouse?: boolean
}

/** Registers the plugins that all others need: the store, metrics, limits and background work. */
export async function provide(
  app: FastifyInstance,
  { settings, program, worker, idle, peers }: Services,
  parts: Parts
) {
  const { connections, accessLog, backupPlan, keepsHouse = true } = parts
  await app.register(store, { store: parts.store, policy: policyOf(settings) })
  await app.register(metrics, { connections, version: program.version, peers })
  worker.onEnded = (reason) => app.metrics.countEndedJob(reason)
  app.addHook('onClose', () => worker.close())
  if (keepsHouse) await app.register(housekeeping, { idle })
  if (keepsHouse && backupPlan) await app.register(backups, { plan: backupPlan, peers })
  await app.register(requests, { accessLog })
  await app.register(requesters)
  await app.register(rates, { rates: ratesOf(settings), peers })
  await app.register(freeSpace, {
    folder: settings.database === undefined ? settings.data : undefined,
    minFree: bytesOf(settings.minFree)
  })
}

/**
 * Registers the plugins that apply to all requests and replies. Call it after `audit.provide`, since `problems` records
 * denials.
 */
export async function provideReplies(app: FastifyInstance, services: Services, answers: number) {
  const { settings, program, keyFor, peers } = services
  await app.register(problems, { publicUrl: settings.publicUrl })
  await app.register(sendBudget, { budget: answers, least: settings.bodyLimit, peers })
  await app.register(methods)
  await app.register(validation)
  await app.register(paging, { cursorKey: keyFor('cursor') })
  await app.register(openapi, { version: program.version })
}

export async function serveMonitoring(app: FastifyInstance, readiness: Readiness) {
  await app.register(health, { readiness })
}

export async function serveVisitors(visitors: FastifyInstance, { program }: Services) {
  await visitors.register(docs, { files: program.docsPage() })
  await visitors.register(help, { files: program.helpPages() })
  await visitors.register(webApp, { files: program.webApp() })
}

/** Limits the memory for bodies to `bodies` bytes. A single body may always be as large as the body limit. */
export async function limitBodies(members: FastifyInstance, { settings, peers }: Services, bodies: number) {
  await members.register(bodyBudget, { budget: Math.max(bodies, settings.bodyLimit), least: settings.bodyLimit, peers })
}

/** Makes every route of this context refuse changes. Call it after `authenticate`. */
export function refuseChanges(members: FastifyInstance) {
  members.addHook('onRequest', (request, _reply, done) => {
    if (mayChange(request)) throw new ProblemError('demo-read-only')
    done()
  })
}

export async function serveUsers(work: FastifyInstance, { worker, program: { version } }: Services) {
  await work.register(mcp, { worker, version })
}

export async function serveAdministrators(operation: FastifyInstance) {
  await operation.register(metricsPage)
}

/** Returns the policy for graphs: how long they are kept, and the quotas for each owner. */
function policyOf({ keepVersions = Number.POSITIVE_INFINITY, trashDays, userQuota, userGraphs }: Settings) {
  return { keepVersions, trashDays, maxBytes: bytesOf(userQuota), maxGraphs: userGraphs }
}

/**
 * Returns the rate limits per minute for users and for addresses. One request in ten may be a change, and one in a thousand may
 * be denied.
 */
export function ratesOf({ rateUser, rateAddress }: Pick<Settings, 'rateUser' | 'rateAddress'>) {
  return {
    requests: rateUser,
    changes: Math.ceil(rateUser / 10),
    bytes: rateUser * 4096,
    denials: Math.ceil(rateUser / 1000),
    address: rateAddress
  }
}
