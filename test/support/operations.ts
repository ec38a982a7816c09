import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { system } from '../../db/actors.ts'
import { createGroup } from '../../db/sharing/groups.ts'
import { createLink } from '../../db/sharing/links.ts'
import type { Trx } from '../../db/store.ts'
import { createApiToken } from '../../db/users/api-tokens.ts'
import { linkIdentity } from '../../db/users/identities.ts'
import { beginSession } from '../../db/users/sessions.ts'
import { requireUser } from '../../db/users/users.ts'
import type { Scope } from '../../schemas/api-token.ts'
import type { Access } from '../../schemas/graph.ts'
import { samePage } from './browsers.ts'
import { addUser, type build, PASSWORD, triangle } from './helper.ts'

// Every operation of the OpenAPI document with its class and a valid request, for tests that cover all operations.

/** The targets of a request. */
export interface Target {
  id: number
  login: string
  group: string
  key: string
  token: number
  session: string
  link: number
}
/** Targets that do not exist. */
export const missing: Target = {
  id: 7_000_000,
  login: 'nobody',
  group: 'none',
  key: 'none',
  token: 7_000_000,
  session: randomUUID(),
  link: 7_000_000
}

const file = JSON.stringify({ graph: { nodes: { a: {} }, edges: [] } })
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const nobody = () => ({ username: `nobody${Math.random()}`, password: 'no password of anybody' })
const jgf = { 'content-type': 'application/vnd.jgf+json' }
/**
 * The rights that an operation gives to the caller or another user, beyond those that the caller already has:
 * - `session`: signs in the user whose credentials are in the request.
 * - `credential`: adds or weakens a way to sign in or act that outlives the session. Tokens cannot do this, and a session
 *   alone can only weaken that of another user.
 * - `account`: creates a user, or restores access. A session with its user's proof may also set a password and a role, but a
 *   token may not.
 * - `membership`: gives a group's rights to graphs, which is the purpose of its scope.
 * - `rights to graphs`: passes on some of the caller's own rights through a grant, a link or a transfer.
 */
type Conferral = 'nothing' | 'session' | 'credential' | 'account' | 'membership' | 'rights to graphs'

/** The class of an operation, and a valid request. */
interface Good {
  /** The scope that API tokens need. `session` operations refuse API tokens, and `link` operations accept only link tokens. */
  scope: Scope | 'any' | 'session' | 'link' | 'public'
  confers: Conferral
  /** The access level on the graph that the operation requires. */
  right?: Access
  /** The role that may call the operation; administrators always may. */
  role?: 'ADMIN' | 'AUDITOR'
  query?: string
  body?: (target: Target) => unknown
  headers?: Record<string, string>
}
/** The classes and requests of the operations, keyed by operationId. */
export const good: Record<string, Good> = {
  isAlive: { scope: 'public', confers: 'nothing' },
  isReady: { scope: 'public', confers: 'nothing' },
  authenticate: { scope: 'public', confers: 'session', body: nobody },
  startSession: { scope: 'public', confers: 'session', body: nobody, headers: samePage },
  getSession: { scope: 'public', confers: 'nothing' },
  endSession: { scope: 'public', confers: 'nothing', headers: samePage },
  getSignInWays: { scope: 'public', confers: 'nothing' },
  startSignIn: { scope: 'public', confers: 'nothing' },
  finishSignIn: { scope: 'public', confers: 'session' },
  endProviderSessions: { scope: 'public', confers: 'nothing', body: () => 'logout_token=none', headers: form },
  startLinking: { scope: 'session', confers: 'credential', body: () => ({ password: PASSWORD }) },
  unlinkMyIdentity: { scope: 'session', confers: 'nothing' },
  getSecondFactor: { scope: 'session', confers: 'nothing' },
  beginSecondFactor: { scope: 'session', confers: 'nothing', body: () => ({ password: PASSWORD }) },
  confirmSecondFactor: { scope: 'session', confers: 'credential', body: () => ({ code: '000000' }) },
  renewRecoveryCodes: { scope: 'session', confers: 'credential', body: () => ({ password: PASSWORD }) },
  removeMySecondFactor: { scope: 'session', confers: 'credential', body: () => ({ password: PASSWORD }) },
  inviteUser: { scope: 'session', confers: 'credential', role: 'ADMIN', body: () => ({ password: PASSWORD }) },
  openInvitation: { scope: 'public', confers: 'nothing', body: () => ({ secret: 'x'.repeat(43) }) },
  acceptInvitation: {
    scope: 'public',
    confers: 'session',
    body: () => ({ secret: 'x'.repeat(43), password: 'a new one for all' })
  },
  listMySessions: { scope: 'session', confers: 'nothing' },
  endMySession: { scope: 'session', confers: 'nothing' },
  getAccount: { scope: 'any', confers: 'nothing' },
  listMyTokens: { scope: 'session', confers: 'nothing' },
  createMyToken: {
    scope: 'session',
    confers: 'credential',
    body: () => ({ name: 'mine', scopes: ['read:graphs'], password: PASSWORD })
  },
  revokeMyToken: { scope: 'session', confers: 'nothing' },
  changePassword: {
    scope: 'session',
    confers: 'credential',
    body: () => ({ currentPassword: 'not the current one', newPassword: 'a new one for all' })
  },
  endMySessions: { scope: 'session', confers: 'nothing' },
  createGraph: { scope: 'write:graphs', confers: 'rights to graphs', body: () => triangle },
  updateGraph: {
    scope: 'write:graphs',
    confers: 'rights to graphs',
    right: 'WRITE',
    body: ({ id }) => ({ id, name: 'Replaced' })
  },
  listGraphs: { scope: 'read:graphs', confers: 'nothing' },
  patchGraph: { scope: 'write:graphs', confers: 'rights to graphs', right: 'WRITE', body: () => ({ name: 'Patched' }) },
  getGraph: { scope: 'read:graphs', confers: 'nothing', right: 'READ' },
  copyGraph: { scope: 'write:graphs', confers: 'rights to graphs', right: 'READ', body: () => ({}) },
  deleteGraph: { scope: 'write:graphs', confers: 'nothing', right: 'OWNER' },
  getGraphContent: { scope: 'read:graphs', confers: 'nothing', right: 'READ' },
  putGraphContent: { scope: 'write:graphs', confers: 'nothing', right: 'WRITE', body: () => file, headers: jgf },
  patchGraphContent: {
    scope: 'write:graphs',
    confers: 'nothing',
    right: 'WRITE',
    body: () => ({ nodes: { put: [{ id: 'new' }] } }),
    headers: { 'if-match': '*' }
  },
  getMyGraphByKey: { scope: 'read:graphs', confers: 'nothing' },
  putMyGraphContent: { scope: 'write:graphs', confers: 'rights to graphs', body: () => file, headers: jgf },
  importGraph: { scope: 'write:graphs', confers: 'rights to graphs', body: () => file, headers: jgf },
  listMyGraphs: { scope: 'read:graphs', confers: 'nothing' },
  listVersions: { scope: 'read:graphs', confers: 'nothing', right: 'READ' },
  getVersion: { scope: 'read:graphs', confers: 'nothing', right: 'READ' },
  getVersionContent: { scope: 'read:graphs', confers: 'nothing', right: 'READ' },
  restoreVersion: { scope: 'write:graphs', confers: 'nothing', right: 'WRITE', body: () => ({ version: 1 }) },
  diffVersions: { scope: 'read:graphs', confers: 'nothing', right: 'READ' },
  compareFile: { scope: 'read:graphs', confers: 'nothing', right: 'READ', body: () => file, headers: jgf },
  listTrash: { scope: 'read:graphs', confers: 'nothing' },
  getTrashed: { scope: 'read:graphs', confers: 'nothing', right: 'OWNER' },
  restoreTrashed: { scope: 'write:graphs', confers: 'rights to graphs', right: 'OWNER' },
  purgeTrashed: { scope: 'write:graphs', confers: 'nothing', right: 'OWNER' },
  listTags: { scope: 'read:graphs', confers: 'nothing' },
  getSubgraph: { scope: 'read:graphs', confers: 'nothing', right: 'READ', query: '?node=a' },
  postSubgraph: {
    scope: 'read:graphs',
    confers: 'nothing',
    right: 'READ',
    body: () => ({ nodes: ['a', 'b'], depth: 2 })
  },
  getSummary: { scope: 'read:graphs', confers: 'nothing', right: 'READ' },
  getLayout: { scope: 'read:graphs', confers: 'nothing', right: 'READ' },
  getPictureAsSvg: { scope: 'read:graphs', confers: 'nothing', right: 'READ' },
  getPictureAsPng: { scope: 'read:graphs', confers: 'nothing', right: 'READ' },
  searchGraphs: { scope: 'read:graphs', confers: 'nothing', query: '?q=triangle' },
  listAccess: { scope: 'read:graphs', confers: 'nothing', right: 'OWNER' },
  grantToUser: {
    scope: 'write:graphs',
    confers: 'rights to graphs',
    right: 'OWNER',
    body: () => ({ access: 'WRITE' })
  },
  revokeFromUser: { scope: 'write:graphs', confers: 'nothing', right: 'OWNER' },
  grantToGroup: {
    scope: 'write:graphs',
    confers: 'rights to graphs',
    right: 'OWNER',
    body: () => ({ access: 'WRITE' })
  },
  revokeFromGroup: { scope: 'write:graphs', confers: 'nothing', right: 'OWNER' },
  listViews: { scope: 'read:graphs', confers: 'nothing', right: 'READ' },
  saveView: { scope: 'write:graphs', confers: 'nothing', right: 'WRITE', body: () => ({ query: 'colour=degree' }) },
  removeView: { scope: 'write:graphs', confers: 'nothing', right: 'WRITE' },
  listLinks: { scope: 'write:graphs', confers: 'rights to graphs', right: 'OWNER' },
  createLink: {
    scope: 'write:graphs',
    confers: 'rights to graphs',
    right: 'OWNER',
    body: () => ({ name: 'For the paper' })
  },
  updateLink: { scope: 'write:graphs', confers: 'rights to graphs', right: 'OWNER', body: () => ({ downloads: true }) },
  revokeLink: { scope: 'write:graphs', confers: 'nothing', right: 'OWNER' },
  openLink: { scope: 'public', confers: 'session', body: () => ({ secret: 'no secret of any link' }) },
  getLinkedGraph: { scope: 'link', confers: 'nothing' },
  getLinkedContent: { scope: 'link', confers: 'nothing' },
  getLinkedLayout: { scope: 'link', confers: 'nothing' },
  getLinkedPictureAsSvg: { scope: 'link', confers: 'nothing' },
  getLinkedPictureAsPng: { scope: 'link', confers: 'nothing' },
  listGroups: { scope: 'read:users', confers: 'nothing' },
  createGroup: { scope: 'write:users', confers: 'nothing', role: 'ADMIN', body: () => ({ name: `g${Math.random()}` }) },
  getGroup: { scope: 'read:users', confers: 'nothing' },
  updateGroup: { scope: 'write:users', confers: 'nothing', role: 'ADMIN', body: () => ({ description: 'Changed' }) },
  deleteGroup: { scope: 'write:users', confers: 'nothing', role: 'ADMIN' },
  addMember: { scope: 'write:users', confers: 'membership', role: 'ADMIN' },
  removeMember: { scope: 'write:users', confers: 'nothing', role: 'ADMIN' },
  listUsers: { scope: 'read:users', confers: 'nothing', role: 'ADMIN' },
  createUser: {
    scope: 'write:users',
    confers: 'account',
    role: 'ADMIN',
    body: () => ({ login: `u${Math.random()}`, kind: 'SERVICE', role: 'USER' })
  },
  getUser: { scope: 'read:users', confers: 'nothing', role: 'ADMIN' },
  updateUser: { scope: 'write:users', confers: 'account', role: 'ADMIN', body: () => ({ enabled: false }) },
  deleteUser: { scope: 'write:users', confers: 'nothing', role: 'ADMIN' },
  listUserTokens: { scope: 'session', confers: 'nothing', role: 'ADMIN' },
  createUserToken: {
    scope: 'session',
    confers: 'credential',
    role: 'ADMIN',
    body: () => ({ name: 'theirs', scopes: ['read:graphs'], password: PASSWORD })
  },
  revokeUserToken: { scope: 'session', confers: 'nothing', role: 'ADMIN' },
  getIdentity: { scope: 'read:users', confers: 'nothing', role: 'ADMIN' },
  linkIdentity: {
    scope: 'session',
    confers: 'credential',
    role: 'ADMIN',
    body: () => ({ issuer: 'https://login.example.org', subject: `s${Math.random()}`, password: PASSWORD })
  },
  unlinkIdentity: { scope: 'session', confers: 'nothing', role: 'ADMIN' },
  removeSecondFactor: { scope: 'session', confers: 'credential', role: 'ADMIN' },
  listUserSessions: { scope: 'session', confers: 'nothing', role: 'ADMIN' },
  endUserSession: { scope: 'session', confers: 'nothing', role: 'ADMIN' },
  endUserSessions: { scope: 'session', confers: 'nothing', role: 'ADMIN' },
  listAudits: { scope: 'read:audits', confers: 'nothing', role: 'AUDITOR' },
  getAudit: { scope: 'read:audits', confers: 'nothing', role: 'AUDITOR' },
  auditActivity: {
    scope: 'read:audits',
    confers: 'nothing',
    role: 'AUDITOR',
    query: '?fromDate=2026-11-01&toDate=2026-11-30'
  },
  getAuditCheckpoint: { scope: 'read:audits', confers: 'nothing', role: 'AUDITOR' },
  getAuditKey: { scope: 'read:audits', confers: 'nothing', role: 'AUDITOR' },
  getAuditConsistency: { scope: 'read:audits', confers: 'nothing', role: 'AUDITOR', query: '?from=1' },
  getAuditProof: { scope: 'read:audits', confers: 'nothing', role: 'AUDITOR' },
  exportAudits: { scope: 'read:audits', confers: 'nothing', role: 'AUDITOR', query: '?format=csv' },
  readMetrics: { scope: 'read:audits', confers: 'nothing', role: 'ADMIN' }
}

const checkedIn = readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8')
const document = JSON.parse(checkedIn) as {
  paths: Record<string, Record<string, { operationId: string; security: Record<string, string[]>[] }>>
}

/** Every operation of the checked-in document. An operation without an entry in `good` is an error. */
export const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, security }]) => {
    const line = good[operationId]
    if (line === undefined)
      throw new Error(`${operationId} needs its class and a valid request in test/support/operations.ts`)
    return { path, method, operationId, security, good: line }
  })
)
type Operation = (typeof operations)[number]
type Server = Pick<Awaited<ReturnType<typeof build>>, 'as' | 'store'>

/** Returns the operation's request for this target. */
export function requestOf({ path, method, good }: Operation, target: Target) {
  const url = path
    .replace('{id}', String(target.id))
    .replace('{version}', '1')
    .replace('{login}', target.login)
    .replace('{name}', target.group)
    .replace('{tokenId}', String(target.token))
    .replace('{linkId}', String(target.link))
    .replace('{publicId}', `nothing${Math.random()}`)
    .replace('{sessionId}', target.session)
    .replace('{key}', encodeURIComponent(target.key))
  const body = good.body?.(target)
  return {
    method: method as 'get',
    url: `${url}${good.query ?? ''}`,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...good.headers },
    ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) })
  }
}

/** Options for the graph of a target. */
interface Owning {
  owner: string
  /** The user who has the token or session, unless the path specifies another user. */
  caller?: string
  shared?: boolean
  /** Makes further changes to the graph before it is moved to the trash, if it is moved at all. */
  prepare?: (id: number) => Promise<void>
}

/** Creates a new target for a request to the operation: a graph of the owner, and anything else that the path specifies. */
export async function makeTarget(
  { as, store }: Server,
  { path, operationId, good }: Operation,
  { owner, caller = owner, shared = false, prepare }: Owning
): Promise<Target> {
  const number = Math.random().toString(36).slice(2)
  const own = { id: 1, login: `user${number}`, group: `group${number}`, key: `key ${number}` }
  const target: Target = { ...missing, ...own }
  const holder = path.includes('{login}') ? target.login : caller
  if (path.includes('{login}')) await addUser(store, target.login)
  if (good.right || path.includes('{key}')) {
    const { key } = target
    target.id = (await as(owner).post('/api/graphs', { ...triangle, shared, key })).body.id
    await as(owner).patch(`/api/graphs/${target.id}`, { name: 'Second version' })
    if (good.right) await prepare?.(target.id)
  }
  await store.write(async (trx) => {
    if (path.includes('{name}')) await createGroup(trx, system, { name: target.group, description: null })
    if (path.includes('{linkId}')) target.link = (await createLink(trx, system, target.id, {})).id
    if (path.includes('{tokenId}')) target.token = (await makeToken(trx, holder, ['read:graphs'])).id
    if (path.includes('{sessionId}')) target.session = await makeSession(trx, holder)
    if (operationId === 'getIdentity') {
      const person = { issuer: 'https://login.example.org', subject: holder }
      await linkIdentity(trx, system, await requireUser(trx, holder), person)
    }
  })
  if (path.startsWith('/api/trash')) await as(owner).delete(`/api/graphs/${target.id}`)
  if (operationId === 'confirmSecondFactor') await as(caller).post('/api/account/second-factor', { password: PASSWORD })
  return target
}

/** Creates a token for the user that is valid for this many milliseconds. */
export async function makeToken(trx: Trx, login: string, scopes: readonly Scope[], ms = 1e6) {
  const values = { name: 'a script', scopes, expiresAt: new Date(Date.now() + ms) }
  return createApiToken(trx, system, await requireUser(trx, login), values)
}

/** Creates a session for the user. Returns the id with which the user can end the session. */
async function makeSession(trx: Trx, login: string): Promise<string> {
  const [id, handle] = [randomUUID(), randomUUID()]
  const circumstances = { method: 'password', browser: true, remembered: false, familiar: true } as const
  const place = { address: '127.0.0.1', expiresAt: Date.now() + 1e6 }
  await beginSession(trx, await requireUser(trx, login), { id, handle, ...circumstances, ...place })
  return handle
}
