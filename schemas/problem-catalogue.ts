import type { AuditTarget } from './audit.ts'
import type { Fault } from './problem.ts'

/** All errors that clients can receive: code, status and title. */
const catalogue = {
  'validation-failed': [400, 'The request is not valid.'],
  'malformed-json': [400, 'The body is not valid JSON.'],
  'malformed-url': [400, 'The URL is not valid.'],
  'malformed-request': [400, 'The request is not valid HTTP.'],
  'query-too-short': [400, 'The search needs at least one letter or digit.'],
  'graph-id-exists': [400, 'A new graph must not have an id.'],
  'cursor-invalid': [400, 'This cursor cannot be used with this list.'],
  'grant-to-owner': [400, 'The owner already has full access.'],
  'password-refused': [400, 'The new password does not meet the requirements.'],
  'element-not-found': [400, 'The graph does not contain this node or edge.'],
  'edge-ambiguous': [400, 'The edge is ambiguous: several edges without an id match.'],
  'password-incorrect': [400, 'The current password is incorrect.'],
  'request-aborted': [400, 'The client closed the connection.'],
  'sign-in-expired': [
    400,
    'This sign-in has expired, was already used, or was started in another browser. Sign in again.'
  ],
  'sign-in-refused': [400, 'The identity provider refused the sign-in.'],
  'identity-invalid': [400, 'The response from the identity provider is not valid.'],
  'logout-token-invalid': [400, 'The logout token is not valid.'],
  'token-missing': [401, 'This request requires authentication.'],
  'token-invalid': [401, 'The token is invalid, expired or revoked.'],
  'link-password-required': [401, 'The link password is missing or incorrect.'],
  'session-idle': [401, 'The session expired due to inactivity.'],
  'credentials-incorrect': [401, 'The username or password is incorrect.'],
  'second-factor-required': [401, 'A two-factor code is required.'],
  'second-factor-incorrect': [401, 'The code is incorrect or has already been used.'],
  forbidden: [403, 'You do not have permission to do this.'],
  'demo-read-only': [403, 'This is a demo: you cannot change anything.'],
  'password-change-required': [403, 'Someone else set your password. Change it first.'],
  'download-not-allowed': [403, 'This link does not allow downloads.'],
  'links-off': [403, 'Link sharing is disabled on this server.'],
  'second-factor-setup-required': [403, 'This server requires two-factor authentication. Set it up first.'],
  'sign-in-again': [403, 'Your last sign-in was more than ten minutes ago. Sign in with your identity provider again.'],
  'scope-missing': [403, 'The token lacks the required scope.'],
  'password-login-off': [403, 'The user cannot sign in with a password on this server.'],
  'cross-origin': [403, 'Requests that use a session must come from a page on this server.'],
  'identity-unknown': [403, 'No user is linked to this identity.'],
  'login-unusable': [403, 'The identity provider returned no usable username.'],
  'user-disabled': [403, 'The user is disabled.'],
  'route-not-found': [404, 'Nothing was found at this address.'],
  'web-app-missing': [404, 'The web app has not been built. Run npm run build:ui.'],
  'docs-missing': [404, 'The API reference has not been built. Run npm run build:ui, or use /openapi.json.'],
  'help-missing': [404, 'The help has not been built. Run npm run build:ui.'],
  'graph-not-found': [404, 'Graph not found.'],
  'node-not-found': [404, 'Node not found.'],
  'version-not-found': [404, 'Version not found.'],
  'view-not-found': [404, 'Saved view not found.'],
  'user-not-found': [404, 'User not found.'],
  'token-not-found': [404, 'Token not found.'],
  'invitation-not-found': [404, 'Invitation not found. It may have expired, been used, or been revoked.'],
  'link-not-found': [404, 'Link not found. It may have expired or been revoked.'],
  'session-not-found': [404, 'Session not found.'],
  'group-not-found': [404, 'Group not found.'],
  'identity-not-found': [404, 'The user is not linked to an identity.'],
  'provider-missing': [404, 'No identity provider is configured on this server.'],
  'audit-event-not-found': [404, 'Event not found.'],
  'tile-not-found': [404, 'Tile not found in the audit log.'],
  'method-not-allowed': [405, 'This address does not support the request method.'],
  'format-not-acceptable': [406, 'The graph is not available in any of the accepted formats.'],
  'request-timeout': [408, 'The request took too long to arrive.'],
  'version-conflict': [409, 'The graph has changed since you loaded it.'],
  'key-taken': [409, 'The owner has another graph with this key.'],
  'graph-in-trash': [409, 'The graph with this key is in the trash. Restore it or delete it permanently.'],
  'not-in-tree-yet': [409, 'The event is not in the audit log yet. Try again in a few seconds.'],
  'audit-event-altered': [409, 'The event does not match the audit log. The database has been altered.'],
  'login-taken': [409, 'A user with this login already exists.'],
  'identity-taken': [409, 'Another user is linked to this identity.'],
  'already-linked': [409, 'The user is already linked to another identity.'],
  'password-exists': [409, 'The user already has a password.'],
  'second-factor-exists': [409, 'The user already uses two-factor authentication.'],
  'second-factor-not-begun': [409, 'Two-factor setup has expired or was not started in this session. Start it again.'],
  'second-factor-missing': [409, 'The user does not use two-factor authentication.'],
  'only-way-in': [409, 'The user has no other way to sign in.'],
  'group-name-taken': [409, 'A group with this name already exists.'],
  'too-many-grants': [409, 'The graph has too many grants.'],
  'too-many-views': [409, 'The graph has too many saved views.'],
  'too-many-links': [409, 'The graph has too many links.'],
  'too-many-members': [409, 'The group has too many members.'],
  'too-many-tokens': [409, 'The user has too many tokens.'],
  'last-administrator': [409, 'At least one enabled administrator must remain.'],
  'user-owns-graphs': [409, 'The user still owns graphs.'],
  'precondition-failed': [412, 'A precondition of the request was not met.'],
  'body-too-large': [413, 'The body is too large.'],
  'file-too-complex': [413, 'The file or body takes too much time or memory to process.'],
  'media-type-unsupported': [415, 'The media type of the body is not supported.'],
  'format-unknown': [415, 'The file format was not recognised.'],
  'expectation-failed': [417, 'The value of the Expect header is not supported.'],
  'too-many-attempts': [429, 'Too many attempts. Try again later.'],
  'too-many-requests': [429, 'Too many requests. Try again later.'],
  'misdirected-request': [421, 'This server does not serve the requested host.'],
  'precondition-required': [428, 'The request must specify the version that it is based on.'],
  'headers-too-large': [431, 'The request headers are too large.'],
  'internal-error': [500, 'Something went wrong on the server.'],
  'server-busy': [503, 'The server is too busy.'],
  'graph-too-complex': [503, 'The result takes too much time or memory to compute.'],
  'not-ready': [503, 'The server is not ready.'],
  'outcome-unknown': [503, 'The connection to the database was lost. The change may or may not have been saved.'],
  'store-unavailable': [503, 'The database is unavailable.'],
  'provider-unavailable': [503, 'The identity provider is unavailable.'],
  'quota-exceeded': [507, "The change would exceed the owner's quota."],
  'storage-low': [507, 'The server does not have enough disk space for more content.']
} as const satisfies Record<string, readonly [status: number, title: string]>

export type ErrorCode = keyof typeof catalogue

/** Returns the status and title of an error. */
export function statusAndTitleOf(code: ErrorCode): { status: number; title: string } {
  const [status, title] = catalogue[code]
  return { status, title }
}

/** Additional information about an error. */
export interface Circumstances {
  /** Details for the client beyond the title. */
  detail?: string
  errors?: Fault[]
  /** The total number of faults, if the list is truncated. */
  errorCount?: number
  /** How long to wait before trying again, in seconds. */
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

/** Returns an error with the given fault as its only fault, and with that fault's code. */
export function faultAs(fault: Fault & { code: ErrorCode }) {
  return new ProblemError(fault.code, { errors: [fault] })
}

/** Returns the error for a change based on a version other than the stored one. */
export function versionConflict(stored: number, given: number) {
  return new ProblemError('version-conflict', {
    detail: `The graph is at version ${stored}, not ${given}.`,
    errors: [{ pointer: '#/version', code: 'version-conflict', detail: `is not ${stored}` }]
  })
}
