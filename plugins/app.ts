import { randomUUID } from 'node:crypto'
import fastify, { type FastifyServerOptions, LogController } from 'fastify'
import type { AuditKey } from '../db/audit-key.ts'
import type { AuditLineSink } from '../db/audit-line-sink.ts'
import type { Store } from '../db/store.ts'
import type { StartThread } from '../graph/job-thread.ts'
import type { PictureKit } from '../graph/picture/png.ts'
import { GraphWorker } from '../graph/worker.ts'
import { bytesOf, limitOf, millisecondsOf } from '../schemas/quantities.ts'
import type { Settings } from '../schemas/settings.ts'
import account from './account.ts'
import { myTokens, userTokens } from './api-tokens.ts'
import auditExports from './audit-export.ts'
import auditLines from './audit-lines.ts'
import { auditCheckpoint, auditLog } from './audit-log.ts'
import audits from './audits.ts'
import authentication from './authentication.ts'
import backchannelLogout from './backchannel-logout.ts'
import backups, { type BackupPlan } from './backups.ts'
import bodyBudget from './body-budget.ts'
import contentPatches from './content-patches.ts'
import denials from './denials.ts'
import diff from './diff.ts'
import docs from './docs.ts'
import freeSpace from './free-space.ts'
import grants from './grants.ts'
import graphFiles from './graph-files.ts'
import graphLists from './graph-lists.ts'
import graphParts from './graph-parts.ts'
import graphReplies from './graph-replies.ts'
import graphs from './graphs.ts'
import { groupChanges, groups } from './groups.ts'
import health, { type Readiness } from './health.ts'
import housekeeping from './housekeeping.ts'
import type { AccessLog } from './http/access-log.ts'
import type { BuiltFiles } from './http/built-files.ts'
import { type Connections, connectionsFor } from './http/connections.ts'
import { ContentCache } from './http/content-cache.ts'
import { deriveKey } from './http/derived-keys.ts'
import { createHttpServer, type TlsFiles } from './http/http-server.ts'
import { LinkAddresses } from './http/link-addresses.ts'
import { readTrustProxy } from './http/networks.ts'
import { Pictures } from './http/pictures.ts'
import { Provider } from './http/provider.ts'
import type { ProviderSettings } from './http/provider-settings.ts'
import { withoutOrigin } from './http/urls.ts'
import { myIdentity, userIdentities } from './identities.ts'
import indexing from './indexing.ts'
import keyedGraphs from './keyed-graphs.ts'
import linkPage from './link-page.ts'
import linkTokens from './link-tokens.ts'
import linkVisits from './link-visits.ts'
import links from './links.ts'
import login from './login.ts'
import mcp from './mcp.ts'
import methods from './methods.ts'
import metrics, { metricsPage } from './metrics.ts'
import oidc from './oidc.ts'
import openapi from './openapi.ts'
import ownPassword from './own-password.ts'
import paging from './paging.ts'
import pictures from './pictures.ts'
import problems, { answerFrameworkError } from './problems.ts'
import rates from './rates.ts'
import requests from './requests.ts'
import savedViews from './saved-views.ts'
import search from './search.ts'
import { mySecondFactor, userSecondFactors } from './second-factor.ts'
import secondFactors from './second-factors.ts'
import sendBudget from './send-budget.ts'
import sequencing from './sequencing.ts'
import { mySessions, userSessions } from './session-lists.ts'
import sessions from './sessions.ts'
import store from './store.ts'
import tags from './tags.ts'
import throttle from './throttle.ts'
import trash from './trash.ts'
import users from './users.ts'
import validation, { createSchemaController } from './validation.ts'
import versions from './versions.ts'
import webApp from './web-app.ts'

/** The memory for bodies, in bytes. A single body may in any case be as large as the limit. */
const BODIES = 256 * 1024 * 1024

/** The memory for answers that wait for their clients, without shared contents, in bytes. */
const ANSWERS = 256 * 1024 * 1024

export type { BackupPlan }
export type App = Awaited<ReturnType<typeof buildApp>>

/** The parts that the service takes from its program. */
export interface Program {
  /** The version of Graphstead. */
  version: string
  startThread: StartThread
  /** The files of the web app, and of the page about the API; empty if they have not been built. */
  webApp(): BuiltFiles
  docsPage(): BuiltFiles
  /** Returns what pictures in PNG are made with. */
  pictureKit(): Promise<PictureKit>
}

/** The dependencies of the service, and optional replacements of its defaults. */
export interface Parts {
  program: Program
  store: Store
  /** Signs tokens; see src/token-key.ts. */
  tokenKey: Buffer
  /** Signs checkpoints of the audit log; see src/audit-key.ts. Without it no events are taken into the log. */
  auditKey?: AuditKey
  /** Where events are written as lines, if anywhere; see src/audit-line-file.ts. */
  auditLines?: AuditLineSink | undefined
  /** How persons sign in with an identity provider, if there is one; see src/identity-provider.ts. */
  identityProvider?: ProviderSettings | undefined
  readiness?: Readiness
  logger?: FastifyServerOptions['logger']
  accessLog?: AccessLog | undefined
  backupPlan?: BackupPlan | undefined
  tls?: TlsFiles | undefined
  /** The connections of all servers of this process. */
  connections?: Connections
  /** The memory for bodies and for answers, in bytes. */
  budgets?: { bodies: number; answers: number }
}

/** Builds the whole service: every plugin in order, every context and its rights. It is ready to listen, or for `inject`. */
export async function buildApp(
  config: Settings,
  {
    program,
    store: db,
    tokenKey,
    auditKey,
    auditLines: sink,
    identityProvider,
    readiness = { draining: false },
    logger = false,
    accessLog,
    backupPlan,
    tls,
    connections = connectionsFor(config),
    budgets: { bodies, answers } = { bodies: BODIES, answers: ANSWERS }
  }: Parts
) {
  const { bodyLimit, maxNodes, maxEdges, metadataLimit } = config
  const app = fastify({
    logger,
    // One line a request, see plugins/http/access-log.ts.
    logController: new LogController({ disableRequestLogging: true }),
    // No logger for each request either: lines name their request.
    childLoggerFactory: (parent) => parent,
    genReqId: () => randomUUID(),
    // A request may name the whole URL (RFC 9112, section 3.2.2).
    rewriteUrl: ({ url = '/' }) => withoutOrigin(url),
    trustProxy: readTrustProxy(config.trustProxy),
    bodyLimit: 64 * 1024,
    // The longest key, as an address holds it: each character may be four bytes, and each byte three characters.
    routerOptions: { maxParamLength: 128 * 12 },
    serverFactory: (listener) => createHttpServer(listener, { connections, tls }),
    // Fastify then gives its address with https.
    ...(tls && ({ https: tls } as object)),
    // While the server stops, requests that still come in are answered like others.
    return503OnClosing: false,
    schemaController: createSchemaController(),
    frameworkErrors: answerFrameworkError,
    // plugins/http/connections.ts answers these.
    clientErrorHandler: () => {}
  })
  connections.log = app.log
  const idle = { window: limitOf(config.sessionIdle), remembered: limitOf(config.sessionIdleRemembered) }
  const worker = new GraphWorker(
    { maxNodes, maxEdges, bodyLimit, metadataLimit },
    { startThread: program.startThread, timeout: millisecondsOf(config.jobTimeout), memory: config.jobMemory }
  )
  app.addHook('onClose', () => worker.close())
  const addresses = new LinkAddresses(deriveKey(tokenKey, 'graphstead link'), config.publicUrl)
  const pictureKey = deriveKey(tokenKey, `graphstead picture ${program.version}`)
  const drawn = new Pictures(db, worker, program.pictureKit, pictureKey)
  const hasLinks = config.links === 'on'
  const signIn = {
    provider: identityProvider && new Provider(identityProvider),
    flowKey: deriveKey(tokenKey, 'graphstead sign-in'),
    passwordLogin: config.passwordLogin === 'on'
  }

  await app.register(store, { store: db, policy: policyOf(config) })
  await app.register(metrics, { connections, version: program.version })
  worker.onEnded = (reason) => app.metrics.countEndedJob(reason)
  await app.register(housekeeping, { idle })
  await app.register(indexing, { worker })
  await app.register(sequencing, { auditKey, startThread: program.startThread })
  if (sink) await app.register(auditLines, { sink, startThread: program.startThread })
  if (backupPlan) await app.register(backups, { plan: backupPlan })
  await app.register(requests, { accessLog })
  await app.register(rates, { rates: ratesOf(config) })
  await app.register(denials)
  await app.register(freeSpace, {
    folder: config.database === undefined ? config.data : undefined,
    minFree: bytesOf(config.minFree)
  })
  await app.register(problems)
  await app.register(sendBudget, { budget: answers })
  await app.register(methods)
  await app.register(validation)
  await app.register(authentication, { tokenKey, idle, requireSecondFactor: config.requireSecondFactor })
  await app.register(linkTokens, { key: deriveKey(tokenKey, 'graphstead link token') })
  await app.register(sessions, { deviceKey: deriveKey(tokenKey, 'graphstead device') })
  await app.register(paging, { cursorKey: deriveKey(tokenKey, 'graphstead cursor') })
  await app.register(throttle, { key: deriveKey(tokenKey, 'graphstead throttle') })
  await app.register(secondFactors, { key: deriveKey(tokenKey, 'graphstead second factor') })
  await app.register(ownPassword)
  await app.register(openapi, { version: program.version })

  await app.register(graphReplies, { worker, contents: new ContentCache() })

  // All visitors
  await app.register(health, { readiness })
  await app.register(async (visitors) => {
    app.rates.limitAddresses(visitors)
    await visitors.register(docs, { files: program.docsPage() })
    await visitors.register(webApp, { files: program.webApp() })
    await visitors.register(linkPage, { files: program.webApp(), addresses, isOn: hasLinks, pictures: drawn })
    await visitors.register(linkVisits, { prefix: '/api', addresses, isOn: hasLinks, pictures: drawn })
    await visitors.register(login, { prefix: '/api', ...signIn })
    await visitors.register(oidc, { prefix: '/api', ...signIn })
    await visitors.register(backchannelLogout, {
      prefix: '/api',
      ...signIn,
      key: deriveKey(tokenKey, 'graphstead logout')
    })
    if (config.auditCheckpointPublic) await visitors.register(auditCheckpoint, { prefix: '/management' })
  })

  // Callers with a token or a session
  await app.register(async (members) => {
    members.authenticate(members)
    app.rates.limitUsers(members)
    await members.register(bodyBudget, { budget: Math.max(bodies, bodyLimit) })
    await members.register(account, { prefix: '/api' })
    await members.register(mySecondFactor, { prefix: '/api' })
    // Callers who have a password of their own
    await members.register(async (work) => {
      work.expectOwnPassword(work)
      work.expectSecondFactor(work)
      await work.register(
        async (contents) => {
          app.freeSpace.expectRoom(contents)
          await contents.register(graphs, { bodyLimit, worker })
          await contents.register(graphFiles, { bodyLimit, worker })
          await contents.register(contentPatches, { bodyLimit, worker })
          await contents.register(keyedGraphs, { bodyLimit, worker })
          await contents.register(versions, { worker })
        },
        { prefix: '/api' }
      )
      await work.register(graphParts, { prefix: '/api', worker })
      await work.register(pictures, { prefix: '/api', pictures: drawn })
      await work.register(graphLists, { prefix: '/api' })
      await work.register(search, { prefix: '/api', worker })
      await work.register(diff, { prefix: '/api', worker })
      await work.register(mcp, { worker, version: program.version })
      await work.register(trash, { prefix: '/api' })
      await work.register(tags, { prefix: '/api' })
      await work.register(grants, { prefix: '/api' })
      await work.register(savedViews, { prefix: '/api' })
      await work.register(links, { prefix: '/api', addresses, isOn: hasLinks })
      await work.register(groups, { prefix: '/api' })
      await work.register(myTokens, { prefix: '/api' })
      await work.register(mySessions, { prefix: '/api', idle })
      await work.register(myIdentity, { prefix: '/api', ...signIn })
      await work.register(async (administration) => {
        administration.allow(administration, 'ADMIN')
        await administration.register(users, { prefix: '/api' })
        await administration.register(groupChanges, { prefix: '/api' })
        await administration.register(userTokens, { prefix: '/api' })
        await administration.register(userSecondFactors, { prefix: '/api' })
        await administration.register(userSessions, { prefix: '/api', idle })
        await administration.register(userIdentities, { prefix: '/api', ...signIn })
      })
      await work.register(async (auditing) => {
        auditing.allow(auditing, 'ADMIN', 'AUDITOR')
        await auditing.register(audits, { prefix: '/management' })
        await auditing.register(auditLog, { prefix: '/management' })
        await auditing.register(auditExports, { prefix: '/management', startThread: program.startThread })
        if (!config.auditCheckpointPublic) await auditing.register(auditCheckpoint, { prefix: '/management' })
      })
      await work.register(async (operation) => {
        operation.allow(operation, 'ADMIN')
        await operation.register(metricsPage)
      })
    })
  })

  return app
}

/** Returns the policy: how long graphs are kept, and the limits of one owner's graphs. */
function policyOf({ keepVersions = Number.POSITIVE_INFINITY, trashDays, userQuota, userGraphs }: Settings) {
  return { keepVersions, trashDays, maxBytes: bytesOf(userQuota), maxGraphs: userGraphs }
}

/** Returns the limits per minute of a user and of an address. */
function ratesOf({ rateRequests, rateChanges, rateBytes, rateDenials, rateAddress }: Settings) {
  return {
    requests: rateRequests,
    changes: rateChanges,
    bytes: bytesOf(rateBytes),
    denials: rateDenials,
    address: rateAddress
  }
}
