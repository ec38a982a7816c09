/** The log line of a request. It omits headers, and the query, which may contain search terms. */
export interface Access {
  reqId: string
  method: string
  path: string
  status: number
  /** The time from the first byte to the last, in milliseconds. */
  ms: number
  ip: string
  user: string | undefined
}

/** The buffer is flushed when it reaches this many characters, or after this many milliseconds. */
const BATCH = 16 * 1024
const INTERVAL = 250

/** Workers share a pipe, which keeps writes of up to this many bytes together (PIPE_BUF on Linux). */
const ATOMIC = 4096

/**
 * Logs a line for each request, in the same format as the rest of the log. Lines are written in batches, since a single write
 * takes as long as reading a graph. A line costs 0.4 µs; pino would take 3.5 µs (`bench/README.md`).
 */
export class AccessLog {
  readonly #write: (lines: string) => void
  /** The most characters to write at once. */
  readonly #most: number
  readonly #worker: string
  #lines = ''
  #timer: NodeJS.Timeout | undefined

  /** `worker` is the number of the worker that handles the requests, if any. */
  constructor(write: (lines: string) => void, worker?: number) {
    this.#write = write
    this.#most = worker === undefined ? Number.POSITIVE_INFINITY : ATOMIC
    this.#worker = worker === undefined ? '' : `"worker":${worker},`
  }

  add({ reqId, method, path, status, ms, ip, user }: Access) {
    const author = user === undefined ? '' : `,"user":${JSON.stringify(user)}`
    const line = `{"level":30,"time":${Date.now()},${this.#worker}"reqId":"${reqId}","method":"${method}","path":${JSON.stringify(path)},"status":${status},"ms":${ms},"ip":${JSON.stringify(ip)}${author},"msg":"request"}\n`
    if (this.#lines.length + line.length > this.#most) this.flush()
    this.#lines += line
    if (this.#lines.length >= BATCH) this.flush()
    // The timer does not keep the process alive. The remaining lines are written at exit.
    else this.#timer ??= setTimeout(() => this.flush(), INTERVAL).unref()
  }

  flush() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#lines === '') return
    const lines = this.#lines
    this.#lines = ''
    this.#write(lines)
  }
}
