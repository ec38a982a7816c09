import { ProblemError, readProblem } from './problem.ts'

/** Settings of a client. */
export interface GraphsteadOptions {
  /** An API token. A page on the server's own origin does not need one, because it uses the session of the web app. */
  token?: string | undefined
  /** A replacement for the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** The time limit for each attempt, including reading the response, in milliseconds: 60,000 by default, 0 for no limit. */
  timeout?: number | undefined
  /** The maximum number of retries after 429 or 503: 4 by default. */
  retries?: number | undefined
  /**
   * The delay before the first retry, in milliseconds: 500 by default. It doubles each time; a longer `Retry-After` takes
   * precedence.
   */
  retryDelay?: number | undefined
}

/** A request that can be repeated, because its body is not a stream. */
export interface Sending {
  method: string
  headers?: Headers | Record<string, string>
  body?: string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | undefined
  signal?: AbortSignal | undefined
  timeout?: number | undefined
  /** Whether sending the request twice has the same effect as sending it once. */
  isIdempotent: boolean
}

/**
 * Sends a request to an address on the server. Returns the response if it is successful or 304, and throws `ProblemError`
 * otherwise.
 */
export type Send = (url: string, sending: Sending) => Promise<Response>

/** The longest pause in milliseconds. The client gives up if the server asks for a longer one. */
const LONGEST_PAUSE = 60_000

/** Returns the function that sends all requests of a client to the server at `base`. */
export function createTransport(base: string, options: GraphsteadOptions): Send {
  const { fetch = globalThis.fetch, timeout = 60_000, retries = 4, retryDelay = 500 } = options
  const token = options.token?.trim()
  // The error that `fetch` throws for an invalid token would quote it.
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw new TypeError('The token is empty or contains invalid characters.')

  return async (url, { headers: own, signal, isIdempotent, timeout: limit = timeout, ...init }) => {
    if (!url.startsWith(`${base}/`)) throw new TypeError(`${url} is not an address under ${base}.`)
    const headers = new Headers(own)
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    // The token and the page's session may belong to different users.
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
        const detail = 'The response is a web page: check the address of the server.'
        throw new ProblemError(response, { code: 'not-graphstead', detail })
      }
      if (response.ok || response.status === 304) return response
      const problem = await readProblem(response)
      const pause = Math.max((problem.retryAfter ?? 0) * 1000, retryDelay * 2 ** attempt)
      if (attempt >= retries || pause > LONGEST_PAUSE || !mayRepeat(problem, isIdempotent)) throw problem
      // The jitter spreads the retries of clients that were refused at the same time.
      await sleep(pause * (1 + Math.random() / 4), signal)
    }
  }
}

/** Returns whether a request may be repeated, because the server has not processed it or because it is idempotent. */
function mayRepeat({ status, code }: ProblemError, isIdempotent: boolean) {
  if (status === 429) return true
  // A proxy's response has no code and does not indicate whether the server has processed the request.
  const hasRun = code === 'outcome-unknown' || code === 'unknown'
  return status === 503 && (isIdempotent || !hasRun)
}

/** Waits for this many milliseconds. Throws the signal's reason if the signal is aborted first. */
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
