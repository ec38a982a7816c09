import type { AuditTarget } from './audit.ts'
import type { Fault } from './problem.ts'

/** Every error that a client can meet: its code, its status, and what it says. */
const catalogue = {
  'validation-failed': [400, 'The request is not valid.'],
  'malformed-json': [400, 'The body is not JSON.'],
  'malformed-url': [400, 'The URL is not valid.'],
  'malformed-request': [400, 'The request is not valid HTTP.'],
  'graph-id-exists': [400, 'A new graph cannot already have an id.'],
  'cursor-invalid': [400, 'The cursor does not belong to this list.'],
  'password-refused': [400, 'The new password is not good enough.'],
  'password-incorrect': [400, 'The current password is not right.'],
  'token-missing': [401, 'This needs a token.'],
  'token-invalid': [401, 'The token is not valid, or not any more.'],
  'session-idle': [401, 'The session has ended after a time without use.'],
  'credentials-incorrect': [401, 'The username or the password is not right.'],
  forbidden: [403, 'This is not for the caller.'],
  'password-change-required': [403, 'The password was given by somebody else, and has to be changed first.'],
  'cross-origin': [403, 'With a session this has to come from a page of this server.'],
  'route-not-found': [404, 'There is nothing at this address.'],
  'web-app-missing': [404, 'The web app has not been built: npm run build:ui.'],
  'docs-missing': [404, 'The page on the API has not been built: npm run build:ui. Its document is /openapi.json.'],
  'graph-not-found': [404, 'There is no such graph.'],
  'version-not-found': [404, 'There is no such version of the graph.'],
  'user-not-found': [404, 'There is no such user.'],
  'audit-event-not-found': [404, 'There is no such event.'],
  'method-not-allowed': [405, 'This address does not know the method.'],
  'format-not-acceptable': [406, 'The graph cannot be had in a format that the request accepts.'],
  'request-timeout': [408, 'The request took too long to arrive.'],
  'version-conflict': [409, 'The graph has been changed meanwhile.'],
  'login-taken': [409, 'There is already a user with this login.'],
  'last-administrator': [409, 'The last enabled administrator has to stay.'],
  'user-owns-graphs': [409, 'The user still owns graphs.'],
  'precondition-failed': [412, 'The graph is not in the state that the request is meant for.'],
  'body-too-large': [413, 'The body is too large.'],
  'file-too-complex': [413, 'What was sent takes more time or memory than it may.'],
  'media-type-unsupported': [415, 'The body is of a kind that is not understood here.'],
  'format-unknown': [415, 'The file is in no format that is known here.'],
  'request-aborted': [400, 'The client went away.'],
  'expectation-failed': [417, 'The expectation cannot be met.'],
  'too-many-attempts': [429, 'There were too many attempts.'],
  'too-many-requests': [429, 'There were too many requests.'],
  'headers-too-large': [431, 'The headers are too large.'],
  'internal-error': [500, 'Something went wrong on the server.'],
  'server-busy': [503, 'The server has too much to do.'],
  'graph-too-complex': [503, 'This takes more time or memory than it may.'],
  'not-ready': [503, 'The server is not ready.'],
  'outcome-unknown': [503, 'The connection to the database broke: this may have been done, or not.'],
  'quota-exceeded': [507, 'The graphs of the owner take too much.'],
  'storage-low': [507, 'The server has too little room for more content.'],
  'store-unavailable': [503, 'The store cannot serve at the moment.']
} as const satisfies Record<string, readonly [status: number, title: string]>

export type ErrorCode = keyof typeof catalogue

/** How an error reads in an answer. */
export function describe(code: ErrorCode): { status: number; title: string } {
  const [status, title] = catalogue[code]
  return { status, title }
}

export interface Circumstances {
  /** What a client should know beyond the title. */
  detail?: string
  errors?: Fault[]
  /** How many faults there are, where not all are in the list. */
  errorCount?: number
  /** Seconds until another attempt makes sense. */
  retryAfter?: number
  /** Of a denial: what the caller may see but not do that with. */
  target?: AuditTarget
  cause?: unknown
}

/** An error that a client is told about, from the catalogue. */
export class ProblemError extends Error {
  override name = 'ProblemError'
  readonly code: ErrorCode
  readonly circumstances: Circumstances

  constructor(code: ErrorCode, circumstances: Circumstances = {}) {
    super(circumstances.detail ?? describe(code).title, { cause: circumstances.cause })
    this.code = code
    this.circumstances = circumstances
  }
}

/** The error of a request with these faults. */
export function invalid(...errors: Fault[]) {
  return new ProblemError('validation-failed', { errors })
}

/** The error of a file with these faults, of which there may be more. */
export function faultyFile(errors: Fault[], errorCount: number) {
  return new ProblemError('validation-failed', { errors, errorCount })
}
