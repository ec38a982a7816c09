import type { components } from './generated.ts'

type Schemas = components['schemas']
export type Fault = Schemas['Fault']

/** The error for a response with a status of 400 or more, or a redirect: a problem as described by RFC 9457. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  /** The HTTP status. */
  readonly status: number
  /** A stable code to compare, such as `graph-not-found`, or `unknown` if the response is not from Graphstead. */
  readonly code: string
  /** A human-readable explanation. */
  readonly detail: string
  /** The first faults in a refused file or body, each with its location. */
  readonly errors: Fault[]
  /** The id of the request in the server's log and events. */
  readonly requestId: string | undefined
  /** The number of seconds to wait before retrying. */
  readonly retryAfter: number | undefined

  /** `problem` is the body of the response if it is a problem document. */
  constructor({ status, headers }: Pick<Response, 'status' | 'headers'>, problem: Partial<Schemas['Problem']> = {}) {
    const { code = 'unknown', detail = problem.title ?? 'The response has no explanation.', errors = [] } = problem
    super(`${status} ${code}: ${detail}`)
    this.status = status
    this.code = code
    this.detail = detail
    this.errors = errors
    this.requestId = headers.get('x-request-id') ?? problem.instance?.replace('urn:uuid:', '')
    this.retryAfter = secondsOf(headers.get('retry-after'))
  }
}

/** Returns `Retry-After` in seconds, even if the header contains a date. */
function secondsOf(header: string | null) {
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

/** Returns the error for an unsuccessful response. */
export async function readProblem(response: Response): Promise<ProblemError> {
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    await response.body?.cancel()
    return new ProblemError(response, {
      code: 'redirected',
      detail: 'The server sent a redirect, which the client does not follow because that would forward the token.'
    })
  }
  const body: unknown = await response.json().catch(() => undefined)
  return new ProblemError(response, typeof body === 'object' && body !== null ? body : {})
}
