import { argon2Sync } from 'node:crypto'
import type { Test } from 'tap'
import { MemoryAuditKey } from '../../db/audit/signing-key.ts'
import type { Store } from '../../db/store.ts'
import { buildApp } from '../../plugins/app.ts'
import type { AuditEvent, AuditEventType } from '../../schemas/audit.ts'
import type { Problem } from '../../schemas/problem.ts'
import type { Settings } from '../../schemas/settings.ts'
import type { Role } from '../../schemas/user.ts'
import { readConfig } from '../../src/settings/config.ts'
import { readIdentityProvider } from '../../src/settings/identity-provider.ts'
import { program } from '../../src/system/program.ts'
import { openTestStore, type TestStoreOptions } from './engine.ts'

export const PASSWORD = 'correct horse battery'

/** An administrator's proof for requests that give a user more rights or a way to sign in. */
export const proven = { proof: { password: PASSWORD } }

/** A cheap hash that the program would never create. */
const cheapHash = (() => {
  const salt = Buffer.alloc(8, 7)
  const message = Buffer.from(PASSWORD)
  const hash = argon2Sync('argon2id', { message, nonce: salt, parallelism: 1, memory: 8, passes: 1, tagLength: 32 })
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=8,t=1,p=1$${text(salt)}$${text(hash)}`
})()

/** The test users with roles other than USER. All users have PASSWORD. */
const roles: Record<string, Role> = { root: 'ADMIN', audrey: 'AUDITOR' }

export interface Reply<Body = any> {
  status: number
  headers: Record<string, string | undefined>
  body: Body
  text: string
  bytes: Buffer
}

export type Client = ReturnType<Awaited<ReturnType<typeof build>>['as']>

/** Creates a server with its own database. Both are removed when the test ends. */
export async function build(t: Test, settings: Partial<Settings> = {}, options: TestStoreOptions = {}) {
  const folder = t.testdir({})
  const { store, url, hold } = await openTestStore(t, folder, options)
  const config = { ...readConfig([], {}), ...settings }
  const tokenKey = Buffer.alloc(32, 1)
  const auditKey = new MemoryAuditKey()
  const readiness = { draining: false }
  const app = await buildApp(config, {
    program,
    store,
    tokenKey,
    auditKey,
    readiness,
    identityProvider: readIdentityProvider(config)
  })
  await app.ready()
  t.teardown(async () => {
    await app.close()
    await store.close()
  })

  const tokens = new Map<string, Promise<string>>()
  const tokenOf = (login: string) => {
    const known = tokens.get(login)
    if (known) return known
    const token = addUser(store, login).then((user) => app.issueToken(user, false).token)
    tokens.set(login, token)
    return token
  }

  /** Returns a client that sends requests as a user, who is created on first use, or without a user. */
  function as(login?: string) {
    const send =
      (method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS') =>
      async (url: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> => {
        const authorization = login === undefined ? {} : { authorization: `Bearer ${await tokenOf(login)}` }
        const response = await app.inject({
          method,
          url,
          headers: {
            ...authorization,
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...headers
          },
          ...(body !== undefined && {
            payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
          })
        })
        const isJson = /json(;|$)/.test(String(response.headers['content-type'])) && response.payload !== ''
        const reply = {
          status: response.statusCode,
          headers: response.headers as Record<string, string | undefined>,
          body: isJson ? JSON.parse(response.payload) : undefined,
          text: response.payload
        }
        // Tests compare replies as JSON, which would include an enumerable property.
        return Object.defineProperty(reply, 'bytes', { value: response.rawPayload }) as Reply
      }
    return {
      get: (url: string, headers?: Record<string, string>) => send('GET')(url, undefined, headers),
      head: (url: string, headers?: Record<string, string>) => send('HEAD')(url, undefined, headers),
      delete: (url: string, headers?: Record<string, string>) => send('DELETE')(url, undefined, headers),
      options: (url: string) => send('OPTIONS')(url),
      post: send('POST'),
      put: send('PUT'),
      patch: send('PATCH')
    }
  }

  return { app, store, url, hold, as, folder, config, tokenKey, auditKey, readiness, tokenOf }
}

/** Adds a user without recording an event, so that a test sees only its own events. */
export function addUser(store: Store, login: string) {
  const now = new Date().toISOString()
  return store.write((trx) =>
    trx
      .insertInto('user')
      .values({
        login,
        role: roles[login] ?? 'USER',
        passwordHash: cheapHash,
        enabled: true,
        tokenVersion: 1,
        createdAt: now,
        updatedAt: now
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  )
}

/** Returns a row for an unexpired browser session of the first user. */
export function sessionRow(values: { id: string; remembered: boolean; lastUsedAt: number }) {
  const times = { startedAt: values.lastUsedAt, expiresAt: 2 ** 41 }
  const origin = { method: 'password' as const, address: '::1', familiar: true }
  return { ...values, ...times, ...origin, userId: 1, handle: values.id, browser: true, tokenVersion: 1 }
}

/** Returns the events of the audit trail, oldest first. */
export async function events(store: Store, type?: AuditEventType) {
  let query = store.read.selectFrom('auditEvent').selectAll().orderBy('id')
  if (type) query = query.where('type', '=', type)
  const rows = await query.execute()
  return rows.map(({ data, request, ...row }) => ({
    ...row,
    data: JSON.parse(data) as AuditEvent['data'],
    request: request === null ? null : (JSON.parse(request) as AuditEvent['request'])
  }))
}

/** Returns handles for reading the store, and a function that reports whether scans were used since its last call. */
export function watchReads(store: Store) {
  let hasScanned = false
  const scan = new Proxy(store.scan, {
    get(db, key) {
      hasScanned = true
      const value = Reflect.get(db, key, db)
      return typeof value === 'function' ? value.bind(db) : value
    }
  })
  const scanned = () => {
    const was = hasScanned
    hasScanned = false
    return was
  }
  return { reader: { read: store.read, scan, report: scan }, scanned }
}

/** Returns the parts of a problem that a client acts on. */
export function problem(status: number, code: string, errors?: object[]) {
  return {
    status,
    headers: { 'content-type': /^application\/problem\+json/ },
    body: { status, code, ...(errors && { errors }) } as Partial<Problem>
  }
}

export const triangle = {
  name: 'Triangle',
  content: {
    directed: false,
    nodes: [{ id: 'a', label: 'A' }, { id: 'b' }, { id: 'c', x: 1.5, y: -2 }],
    edges: [
      { source: 'a', target: 'b', metadata: { weight: 2 } },
      { source: 'b', target: 'c' },
      { source: 'c', target: 'a', relation: 'back' }
    ]
  }
}

/** Returns the path of the next page from the links of a response; empty for the last page. */
export function nextOf({ headers }: { headers: { link?: string } }): string {
  return /<([^>]*)>; rel="next"/.exec(headers.link ?? '')?.[1] ?? ''
}
