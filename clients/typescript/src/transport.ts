import { ProblemError, readProblem } from './problem.ts'

/** Settings of a client. */
export interface GraphsteadOptions {
  /** An API token from the Account page. Without one, a page of the server itself sends its session. */
  token?: string | undefined
  /** Sends the requests instead of the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** The timeout in milliseconds until the response to an attempt is read completely: 60,000 by default, 0 for no limit. */
  timeout?: number | undefined
  /** How often a request may be retried after 429 or 503: 4 by default. */
  retries?: number | undefined
  /** The milliseconds before the first retry, which double each time: 500 by default. A longer `Retry-After` takes precedence. */
  retryDelay?: number | undefined
}

/** A request that can be sent again, because its body is not a stream. */
export interface Sending {
  method: string
  headers?: Headers | Record<string, string>
  body?: string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | undefined
  signal?: AbortSignal | undefined
  timeout?: number | undefined
  /** Whether the request may run twice with the same result. */
  isIdempotent: boolean
}

/**
 * Sends a request to an address of the server. Returns the response if it is successful or 304, and throws `ProblemError`
 * otherwise.
 */
export type Send = (url: string, sending: Sending) => Promise<Response>

/** The longest wait in milliseconds. The client gives up if the server asks for more. */
const LONGEST_PAUSE = 60_000

/** Makes the function that sends all requests of a client to the server at this address. */
export function createTransport(base: string, options: GraphsteadOptions): Send {
  const { fetch = globalThis.fetch, timeout = 60_000, retries = 4, retryDelay = 500 } = options
  const token = options.token?.trim()
  // An error of `fetch` would quote it.
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) throw new TypeError('This is not a token.')

  return async (url, { headers: own, signal, isIdempotent, timeout: limit = timeout, ...init }) => {
    if (!url.startsWith(`${base}/`)) throw new TypeError(`${url} is not an address of ${base}.`)
    const headers = new Headers(own)
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    // A token may belong to another user than the session of the page.
    const credentials = token === undefined ? 'same-origin' : 'omit'
    for (let attempt = 0; ; attempt++) {
      const limited = limit > 0 ? [AbortSignal.timeout(limit)] : []
      const response = await fetch(url, {
        ...init,
        body: init.body ?? null,
        headers,
        credentials,
        redirect: 'manual',
        signal: AbortSignal.any([...limited, ...(signal ? [signal] : [])])
      })
      if (response.ok && response.headers.get('content-type')?.startsWith('text/html')) {
        const detail = 'A web page answered instead of the API: check the address of the server.'
        throw new ProblemError(response, { code: 'not-graphstead', detail })
      }
      if (response.ok || response.status === 304) return response
      const problem = await readProblem(response)
      const pause = Math.max((problem.retryAfter ?? 0) * 1000, retryDelay * 2 ** attempt)
      if (attempt >= retries || pause > LONGEST_PAUSE || !mayRepeat(problem, isIdempotent)) throw problem
      // The jitter keeps clients that were refused together from returning together.
      await sleep(pause * (1 + Math.random() / 4), signal)
    }
  }
}

/** Returns whether a request may be sent again: it has changed nothing, or running it twice is the same as once. */
function mayRepeat({ status, code }: ProblemError, isIdempotent: boolean) {
  if (status === 429) return true
  // A proxy does not know whether the server has accepted the request.
  const hasRun = code === 'outcome-unknown' || code === 'unknown'
  return status === 503 && (isIdempotent || !hasRun)
}

/** Waits for this many milliseconds. Throws the signal's reason if it is aborted first. */
function sleep(milliseconds: number, signal?: AbortSignal) {
  return new Promise<void>((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
