/** What the log tells of a request: never its query, which may hold what somebody searches for, nor headers. */
export interface Access {
  reqId: string
  method: string
  path: string
  status: number
  /** From the first byte to the last, in milliseconds. */
  ms: number
  ip: string
  user: string | undefined
}

/** Lines wait for so many characters, or for so many milliseconds. */
const ENOUGH = 16 * 1024
const PATIENCE = 250

/**
 * A line for each request, in the form of the rest of the log. Written by the hundred: to write one takes as long as to
 * read a graph.
 */
export class AccessLog {
  readonly #write: (lines: string) => void
  #lines = ''
  #timer: NodeJS.Timeout | undefined

  constructor(write: (lines: string) => void) {
    this.#write = write
  }

  add({ reqId, method, path, status, ms, ip, user }: Access) {
    const who = user === undefined ? '' : `,"user":"${user}"`
    this.#lines += `{"level":30,"time":${Date.now()},"reqId":"${reqId}","method":"${method}","path":${JSON.stringify(path)},"status":${status},"ms":${ms},"ip":${JSON.stringify(ip)}${who},"msg":"request"}\n`
    if (this.#lines.length >= ENOUGH) this.flush()
    // Nobody is kept from ending by it, and whoever ends flushes.
    else this.#timer ??= setTimeout(() => this.flush(), PATIENCE).unref()
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
