import type { FastifyServerOptions } from 'fastify'
import type { AuditLineSink } from '../db/audit/line-sink.ts'
import type { AuditKey } from '../db/audit/signing-key.ts'
import type { Store } from '../db/store.ts'
import type { Peers } from '../graph/jobs/peers.ts'
import type { Settings } from '../schemas/settings.ts'
import * as audit from './audit/index.ts'
import * as graphs from './graphs/index.ts'
import type { AccessLog } from './http/access-log.ts'
import { type Connections, connectionsFor } from './http/connections/limits.ts'
import type { TlsFiles } from './http/connections/server.ts'
import { createServices, type Program } from './http/services.ts'
import * as server from './server/index.ts'
import * as sharing from './sharing/index.ts'
import * as signIn from './sign-in/index.ts'
import type { ProviderSettings } from './sign-in/provider/settings.ts'

export type App = Awaited<ReturnType<typeof buildApp>>

/** The dependencies of the service, and optional overrides of its defaults. */
export interface Parts {
  program: Program
  store: Store
  /** The key that signs tokens; see src/settings/token-key.ts. */
  tokenKey: Buffer
  /** The key that signs checkpoints; see src/audit/signing-key.ts. If undefined, no events are added to the audit log. */
  auditKey?: AuditKey
  /** The destination for events written as lines, if any; see src/audit/line-file.ts. */
  auditLines?: AuditLineSink | undefined
  /** The identity provider that people sign in with, if there is one; see src/settings/identity-provider.ts. */
  identityProvider?: ProviderSettings | undefined
  readiness?: server.Readiness
  logger?: FastifyServerOptions['logger']
  accessLog?: AccessLog | undefined
  backupPlan?: server.BackupPlan | undefined
  tls?: TlsFiles | undefined
  /** The other processes of the server, if there are any; see src/workers/. */
  peers?: Peers | undefined
  /** Whether this process does the work that only one process of the server does. */
  keepsHouse?: boolean
  /** Whether the service refuses all changes other than signing in and out. */
  isDemo?: boolean
  /** The connections of all servers in this process. */
  connections?: Connections
  /**
   * Memory limits in bytes, for request bodies and for pending responses. Bytes that several responses share are not counted.
   */
  budgets?: { bodies: number; answers: number }
}

const BUDGETS = { bodies: 256 * 1024 * 1024, answers: 256 * 1024 * 1024 }

/**
 * Builds the whole service: every context and the rights it requires. The index of each folder registers its plugins. The
 * returned app can listen, or handle requests through `inject`.
 */
export async function buildApp(settings: Settings, parts: Parts) {
  const { readiness = { draining: false }, connections = connectionsFor(settings), budgets = BUDGETS } = parts
  const app = server.createServer(settings, { ...parts, connections })
  const services = createServices(settings, { ...parts, log: app.log })
  const ways = await signIn.createWays(services, parts.identityProvider)

  await server.provide(app, services, { ...parts, connections })
  await audit.provide(app, services, parts)
  await server.provideReplies(app, services, budgets.answers)
  await signIn.provide(app, services)
  await sharing.provide(app, services)
  await graphs.provide(app, services)

  // Routes for all visitors.
  await server.serveMonitoring(app, readiness)
  await app.register(async (visitors) => {
    app.rates.limitAddresses(visitors)
    await server.serveVisitors(visitors, services)
    await sharing.serveVisitors(visitors, services)
    await signIn.serveVisitors(visitors, services, ways)
    await visitors.register(async (invited) => {
      if (parts.isDemo) server.refuseChanges(invited)
      await signIn.serveInvited(invited, ways)
    })
    await audit.serveVisitors(visitors, services)
  })

  // Routes for callers with a token or a session.
  await app.register(async (members) => {
    members.authenticate(members)
    app.rates.limitUsers(members)
    if (parts.isDemo) server.refuseChanges(members)
    await server.limitBodies(members, services, budgets.bodies)
    await signIn.serveNewUsers(members)
    // Routes for callers who have chosen their own password.
    await members.register(async (work) => {
      work.expectOwnPassword(work)
      work.expectSecondFactor(work)
      await work.register(async (contents) => {
        app.freeSpace.expectRoom(contents)
        await graphs.serveContents(contents, services)
      })
      await graphs.serveUsers(work, services)
      await server.serveUsers(work, services)
      await sharing.serveUsers(work, services)
      await signIn.serveUsers(work, services, ways)
      await work.register(async (administration) => {
        administration.allow(administration, 'ADMIN')
        await signIn.serveAdministrators(administration, services, ways)
        await sharing.serveAdministrators(administration)
        await server.serveAdministrators(administration)
      })
      await work.register(async (auditing) => {
        auditing.allow(auditing, 'ADMIN', 'AUDITOR')
        await audit.serveAuditors(auditing, services)
      })
    })
  })

  return app
}
