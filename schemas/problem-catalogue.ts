import type { AuditTarget } from './audit.ts'
import type { Fault } from './problem.ts'

/** All errors that clients can receive: code, status and title. */
const catalogue = {
  'validation-failed': [400, 'The request is not valid.'],
  'malformed-json': [400, 'The body is not JSON.'],
  'malformed-url': [400, 'The URL is not valid.'],
  'malformed-request': [400, 'The request is not valid HTTP.'],
  'query-too-short': [400, 'The search has no letter or digit.'],
  'graph-id-exists': [400, 'A new graph cannot already have an id.'],
  'cursor-invalid': [400, 'The cursor does not belong to this list.'],
  'grant-to-owner': [400, 'The owner has every right already.'],
  'password-refused': [400, 'The new password is not good enough.'],
  'element-not-found': [400, 'The graph has no such node or edge.'],
  'edge-ambiguous': [400, 'Several edges have these ends and no id.'],
  'password-incorrect': [400, 'The current password is incorrect.'],
  'request-aborted': [400, 'The client closed the connection.'],
  'sign-in-expired': [400, 'The sign-in took too long, was used before, or began in another browser: begin again.'],
  'sign-in-refused': [400, 'The identity provider has not signed the person in.'],
  'identity-invalid': [400, 'The answer of the identity provider is not valid.'],
  'logout-token-invalid': [400, 'The logout token is not valid.'],
  'token-missing': [401, 'The request needs a token.'],
  'token-invalid': [401, 'The token is not valid, or no longer valid.'],
  'link-password-required': [401, 'The link needs its password.'],
  'session-idle': [401, 'The session has ended after a time without use.'],
  'credentials-incorrect': [401, 'The username or password is incorrect.'],
  'second-factor-required': [401, 'The user has a second factor: send its code as well.'],
  'second-factor-incorrect': [401, 'The code is incorrect, or was used before.'],
  forbidden: [403, 'The caller may not do this.'],
  'password-change-required': [403, 'Somebody else set the password: change it first.'],
  'download-not-allowed': [403, 'The link shows the graph, and gives no files.'],
  'links-off': [403, 'Link sharing is disabled on this server.'],
  'second-factor-setup-required': [403, 'The server requires a second factor: set one up first.'],
  'sign-in-again': [403, 'Sign in with the identity provider again: the last sign-in is more than ten minutes old.'],
  'scope-missing': [403, 'The token does not have the scope for this.'],
  'cross-origin': [403, 'A request with a session must come from a page of this server.'],
  'identity-unknown': [403, 'No user is linked with this identity.'],
  'login-unusable': [403, 'The identity provider returned no usable username.'],
  'user-disabled': [403, 'The user is disabled.'],
  'route-not-found': [404, 'There is nothing at this address.'],
  'web-app-missing': [404, 'The web app has not been built: npm run build:ui.'],
  'docs-missing': [404, 'The API page has not been built: npm run build:ui. The OpenAPI document is /openapi.json.'],
  'graph-not-found': [404, 'There is no such graph.'],
  'node-not-found': [404, 'The graph has no such node.'],
  'version-not-found': [404, 'There is no such version of the graph.'],
  'user-not-found': [404, 'There is no such user.'],
  'token-not-found': [404, 'There is no such token.'],
  'link-not-found': [404, 'The link does not exist, or no longer exists.'],
  'session-not-found': [404, 'There is no such session.'],
  'group-not-found': [404, 'There is no such group.'],
  'identity-not-found': [404, 'The user is not linked with an identity.'],
  'provider-missing': [404, 'The server has no identity provider.'],
  'audit-event-not-found': [404, 'There is no such event.'],
  'tile-not-found': [404, 'The audit log has no such tile, or no longer has it.'],
  'method-not-allowed': [405, 'This address does not support the method.'],
  'format-not-acceptable': [406, 'The graph is not available in a format that the request accepts.'],
  'request-timeout': [408, 'The request took too long to arrive.'],
  'version-conflict': [409, 'The graph has been changed meanwhile.'],
  'key-taken': [409, 'Another graph of the owner has this key.'],
  'graph-in-trash': [409, 'The graph with this key is in the trash: restore it, or delete it permanently.'],
  'not-in-tree-yet': [409, 'The event is not in the audit log yet.'],
  'audit-event-altered': [409, 'The event is not the one that was recorded: somebody has changed the database.'],
  'login-taken': [409, 'There is already a user with this login.'],
  'identity-taken': [409, 'Another user is linked with this identity.'],
  'already-linked': [409, 'The user is linked with another identity.'],
  'second-factor-exists': [409, 'The user has a second factor already.'],
  'second-factor-not-begun': [409, 'This session has not started to set a second factor up in the last ten minutes.'],
  'second-factor-missing': [409, 'The user has no second factor.'],
  'only-way-in': [409, 'The user has no other way to sign in.'],
  'group-name-taken': [409, 'There is already a group with this name.'],
  'too-many-grants': [409, 'The graph is granted to too many people and groups.'],
  'too-many-views': [409, 'The graph has too many saved views.'],
  'too-many-links': [409, 'The graph has too many links.'],
  'too-many-members': [409, 'The group has too many members.'],
  'too-many-tokens': [409, 'The user has too many tokens.'],
  'last-administrator': [409, 'The last enabled administrator must remain.'],
  'user-owns-graphs': [409, 'The user still owns graphs.'],
  'precondition-failed': [412, 'The graph is not in the state that the request expects.'],
  'body-too-large': [413, 'The body is too large.'],
  'file-too-complex': [413, 'The file or body takes more time or memory than allowed.'],
  'media-type-unsupported': [415, 'The media type of the body is not supported.'],
  'format-unknown': [415, 'The file is in no known format.'],
  'expectation-failed': [417, 'The expectation cannot be met.'],
  'too-many-attempts': [429, 'There were too many attempts.'],
  'too-many-requests': [429, 'There were too many requests.'],
  'misdirected-request': [421, 'The request is for another server.'],
  'precondition-required': [428, 'The request has to say on which version it is based.'],
  'headers-too-large': [431, 'The headers are too large.'],
  'internal-error': [500, 'Something went wrong on the server.'],
  'server-busy': [503, 'The server is too busy.'],
  'graph-too-complex': [503, 'The result takes more time or memory than allowed.'],
  'not-ready': [503, 'The server is not ready.'],
  'outcome-unknown': [503, 'The connection to the database broke: the change may or may not have been made.'],
  'store-unavailable': [503, 'The store cannot serve at the moment.'],
  'provider-unavailable': [503, 'The identity provider does not answer as it should.'],
  'quota-exceeded': [507, 'The graphs of the owner exceed the quota.'],
  'storage-low': [507, 'The server has too little disk space for more content.']
} as const satisfies Record<string, readonly [status: number, title: string]>

export type ErrorCode = keyof typeof catalogue

/** Returns the status and title of an error. */
export function statusAndTitleOf(code: ErrorCode): { status: number; title: string } {
  const [status, title] = catalogue[code]
  return { status, title }
}

/** Additional information about an error. */
export interface Circumstances {
  /** Details for the client that go beyond the title. */
  detail?: string
  errors?: Fault[]
  /** The total number of faults, if the list is truncated. */
  errorCount?: number
  /** When the client should try again, in seconds. */
  retryAfter?: number
  /** For a denial: the requested resource, which the caller is allowed to see. */
  target?: AuditTarget
  /** The scope that the token lacks. */
  scope?: string
  cause?: unknown
}

/** An error from the catalogue, which is sent to the client. */
export class ProblemError extends Error {
  override name = 'ProblemError'
  readonly code: ErrorCode
  readonly circumstances: Circumstances

  constructor(code: ErrorCode, circumstances: Circumstances = {}) {
    super(circumstances.detail ?? statusAndTitleOf(code).title, { cause: circumstances.cause })
    this.code = code
    this.circumstances = circumstances
  }
}

/** Returns the error for a request with these faults. */
export function invalid(...errors: Fault[]) {
  return new ProblemError('validation-failed', { errors })
}

/** Returns an error with the code of its only fault. */
export function faultAs(fault: Fault & { code: ErrorCode }) {
  return new ProblemError(fault.code, { errors: [fault] })
}

/** Returns the error for a change that is based on a different version than the stored one. */
export function versionConflict(stored: number, given: number) {
  return new ProblemError('version-conflict', {
    detail: `The stored graph has version ${stored}, not ${given}.`,
    errors: [{ pointer: '#/version', code: 'version-conflict', detail: `is not ${stored}` }]
  })
}
