import type { components } from './generated.ts'

type Schemas = components['schemas']
export type Fault = Schemas['Fault']

/** The server refused a request, or failed: a response with status 400 or more, as described by RFC 9457. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  /** The HTTP status. */
  readonly status: number
  /** The stable code to compare, such as `graph-not-found`; `unknown` if the response is not from Graphstead. */
  readonly code: string
  /** An explanation for people. */
  readonly detail: string
  /** The first faults of a refused file or body, each with its place. */
  readonly errors: Fault[]
  /** The id of the request in the server's log and events. */
  readonly requestId: string | undefined
  /** The seconds after which the request may be sent again. */
  readonly retryAfter: number | undefined

  /** Takes the response's status and headers, and its body if it is a problem. */
  constructor({ status, headers }: Pick<Response, 'status' | 'headers'>, problem: Partial<Schemas['Problem']> = {}) {
    const { code = 'unknown', detail = problem.title ?? 'The answer has no explanation.', errors = [] } = problem
    super(`${status} ${code}: ${detail}`)
    this.status = status
    this.code = code
    this.detail = detail
    this.errors = errors
    this.requestId = headers.get('x-request-id') ?? problem.instance?.replace('urn:uuid:', '')
    this.retryAfter = secondsOf(headers.get('retry-after'))
  }
}

/** Reads `Retry-After`, which is in seconds or a date. Returns seconds. */
function secondsOf(header: string | null) {
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

/** Reads the problem in an unsuccessful response. */
export async function readProblem(response: Response): Promise<ProblemError> {
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    await response.body?.cancel()
    return new ProblemError(response, {
      code: 'redirected',
      detail: 'The server redirects to another address, which the client does not follow: it would get the token.'
    })
  }
  const body: unknown = await response.json().catch(() => undefined)
  return new ProblemError(response, typeof body === 'object' && body !== null ? body : {})
}
