import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beginSession } from '../db/sessions.ts'
import type { Store } from '../db/store.ts'
import { requireUser } from '../db/users.ts'
import { PASSWORD, triangle } from './helper.ts'

// A valid request for each operation of the OpenAPI document, for tests that go through all of them.

const checkedIn = readFileSync(join(import.meta.dirname, '..', 'openapi.json'), 'utf8')
const document = JSON.parse(checkedIn) as {
  paths: Record<string, Record<string, { operationId: string; security: Record<string, string[]>[] }>>
}

/** Every operation of the checked-in document. */
export const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, security }]) => ({ path, method, operationId, security }))
)

/** The things that requests are about, each of its own. */
export type Target = {
  id: number
  login: string
  group: string
  token?: number
  session?: string
  link?: number
  key?: string
}
const file = JSON.stringify({ graph: { nodes: { a: {} }, edges: [] } })
/** The header that a browser sends from a page of the server. */
const samePage = { 'sec-fetch-site': 'same-origin' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const jgf = { 'content-type': 'application/vnd.jgf+json' }
/** A valid request, by the name of its operation. */
export const good: Record<
  string,
  { query?: string; body?: (target: Target) => unknown; headers?: Record<string, string> }
> = {
  isAlive: {},
  isReady: {},
  authenticate: { body: () => ({ username: `nobody${Math.random()}`, password: 'no password of anybody' }) },
  startSession: {
    body: () => ({ username: `nobody${Math.random()}`, password: 'no password of anybody' }),
    headers: samePage
  },
  getSession: {},
  endSession: { headers: samePage },
  getSignInWays: {},
  startSignIn: {},
  finishSignIn: {},
  endProviderSessions: { body: () => 'logout_token=none', headers: form },
  startLinking: { body: () => ({ password: PASSWORD }) },
  unlinkMyIdentity: {},
  getSecondFactor: {},
  beginSecondFactor: { body: () => ({ password: PASSWORD }) },
  confirmSecondFactor: { body: () => ({ code: '000000' }) },
  renewRecoveryCodes: { body: () => ({ password: PASSWORD }) },
  removeMySecondFactor: { body: () => ({ password: PASSWORD }) },
  listMySessions: {},
  endMySession: {},
  getAccount: {},
  listMyTokens: {},
  createMyToken: { body: () => ({ name: 'mine', scopes: ['read:graphs'] }) },
  revokeMyToken: {},
  changePassword: { body: () => ({ currentPassword: 'not the current one', newPassword: 'a new one for all' }) },
  endMySessions: {},
  createGraph: { body: () => triangle },
  updateGraph: { body: ({ id }) => ({ id, name: 'Replaced' }) },
  listGraphs: {},
  patchGraph: { body: () => ({ name: 'Patched' }) },
  getGraph: {},
  deleteGraph: {},
  getGraphContent: {},
  putGraphContent: { body: () => file, headers: jgf },
  patchGraphContent: { body: () => ({ nodes: { put: [{ id: 'new' }] } }), headers: { 'if-match': '*' } },
  getMyGraphByKey: {},
  putMyGraphContent: { body: () => file, headers: jgf },
  importGraph: { body: () => file, headers: jgf },
  listMyGraphs: {},
  listVersions: {},
  getVersion: {},
  getVersionContent: {},
  restoreVersion: { body: () => ({ version: 1 }) },
  diffVersions: {},
  compareFile: { body: () => file, headers: jgf },
  listTrash: {},
  restoreTrashed: {},
  purgeTrashed: {},
  listTags: {},
  getSubgraph: { query: '?node=a' },
  postSubgraph: { body: () => ({ nodes: ['a', 'b'], depth: 2 }) },
  getSummary: {},
  getPictureAsSvg: {},
  getPictureAsPng: {},
  search: { query: '?q=triangle' },
  listAccess: {},
  grantToUser: { body: () => ({ access: 'WRITE' }) },
  revokeFromUser: {},
  grantToGroup: { body: () => ({ access: 'WRITE' }) },
  revokeFromGroup: {},
  listViews: {},
  saveView: { body: () => ({ query: 'colour=degree' }) },
  removeView: {},
  listLinks: {},
  createLink: { body: () => ({ name: 'For the paper' }) },
  updateLink: { body: () => ({ downloads: true }) },
  revokeLink: {},
  openLink: { body: () => ({ secret: 'no secret of any link' }) },
  getLinkedGraph: {},
  getLinkedContent: {},
  getLinkedPictureAsSvg: {},
  getLinkedPictureAsPng: {},
  listGroups: {},
  createGroup: { body: () => ({ name: `g${Math.random()}` }) },
  getGroup: {},
  updateGroup: { body: () => ({ description: 'Changed' }) },
  deleteGroup: {},
  addMember: {},
  removeMember: {},
  listUsers: {},
  createUser: { body: () => ({ login: `u${Math.random()}`, password: 'a new one for all', role: 'USER' }) },
  getUser: {},
  updateUser: { body: () => ({ role: 'AUDITOR' }) },
  deleteUser: {},
  listUserTokens: {},
  createUserToken: { body: () => ({ name: 'theirs', scopes: ['read:graphs'] }) },
  revokeUserToken: {},
  getIdentity: {},
  linkIdentity: { body: () => ({ issuer: 'https://login.example.org', subject: `s${Math.random()}` }) },
  unlinkIdentity: {},
  removeSecondFactor: {},
  listUserSessions: {},
  endUserSession: {},
  listAudits: {},
  getAudit: {},
  auditActivity: { query: '?fromDate=2026-11-01&toDate=2026-11-30' },
  getAuditCheckpoint: {},
  getAuditKey: {},
  getAuditConsistency: { query: '?from=1' },
  getAuditProof: {},
  exportAudits: { query: '?format=csv' },
  readMetrics: {}
}

/** Returns the address of the operation for these things. */
export function addressOf({ path, operationId }: { path: string; operationId: string }, target: Target): string {
  const { id, login, group, token = 0, session = '', link = 1, key = 'nightly' } = target
  const address = path
    .replace('{id}', String(id))
    .replace('{version}', '1')
    .replace('{login}', login)
    .replace('{name}', group)
    .replace('{tokenId}', String(token))
    .replace('{linkId}', String(link))
    .replace('{publicId}', `nothing${Math.random()}`)
    .replace('{sessionId}', session)
    .replace('{key}', key)
  return `${address}${good[operationId]?.query ?? ''}`
}

/** Makes a session of the user. Returns the id by which its user ends it. */
export async function makeSession(store: Store, login: string): Promise<string> {
  return store.write(async (trx) => {
    const [id, handle] = [randomUUID(), randomUUID()]
    const circumstances = { method: 'password', browser: true, remembered: false, familiar: true } as const
    const place = { address: '127.0.0.1', expiresAt: Date.now() + 1e6 }
    await beginSession(trx, await requireUser(trx, login), { id, handle, ...circumstances, ...place })
    return handle
  })
}
