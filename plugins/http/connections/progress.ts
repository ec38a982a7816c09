import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The maximum number of requests that may wait on a connection while an earlier one is being answered (pipelining). */
const PIPELINED = 100

/** How long the server waits for a client, in milliseconds. */
export interface Patience {
  /** For a request's headers. For the first request, counted from the start of the connection. */
  headers: number
  /** For the TLS handshake. */
  handshake: number
  /** For a request body to arrive, or for a client to read its response, while the transfer is slower than the minimum rate. */
  body: number
  reader: number
  /** For the client to close its side after a final response. */
  parting: number
  /** The interval between checks of all connections. */
  interval: number
}

export const PATIENCE: Patience = {
  headers: 20_000,
  handshake: 10_000,
  body: 30_000,
  reader: 60_000,
  parting: 1000,
  interval: 1000
}

export interface ConnectionLimits {
  /** The maximum number of connections. */
  limit: number
  /** The maximum number of connections from one network, unless it is a proxy. */
  perAddress: number
  /** The minimum rate for sending bodies and reading responses, in bytes per second. */
  minRate: number
  /** Returns whether an address belongs to a proxy, which represents many clients. */
  isProxy(address: string): boolean
  patience: Patience
}

/** A connection, and the progress of its requests. */
export class Connection {
  readonly raw: Socket
  /** The socket for HTTP: `raw` itself, or the TLS socket once the handshake is complete. */
  socket: Socket | undefined
  readonly openedAt = performance.now()
  /** Whether the client has been told that its request took too long. */
  isTold = false
  /** Whether the next response closes the connection, so that the client opens another one, which another process may accept. */
  isLeaving = false
  /** The request being answered and its response. */
  #request: IncomingMessage | undefined
  #response: ServerResponse | undefined
  /** Functions that start the requests received in the meantime, in order. */
  readonly #waiting: (() => void)[] = []
  readonly #body: Credit
  readonly #reader: Credit
  /** How long the body has kept arriving since the response was sent, in milliseconds. */
  #lingering = 0
  readonly #patience: Patience

  constructor(raw: Socket, socket: Socket | undefined, { minRate, patience }: ConnectionLimits) {
    this.raw = raw
    this.socket = socket
    this.#patience = patience
    this.#body = new Credit(patience.body, minRate)
    this.#reader = new Credit(patience.reader, minRate)
  }

  /** Whether no request is in progress. */
  get isIdle() {
    return !this.#response || (this.#response.writableFinished && (this.#request?.complete ?? true))
  }

  /** Whether the next bytes on the socket would be the response to the request whose body is arriving. */
  get canBeTold() {
    return this.#response?.headersSent === false && this.#request?.complete === false
  }

  /**
   * Passes the request to the listener once the previous one has been answered. Returns false if too many requests are waiting.
   */
  begin(request: IncomingMessage, response: ServerResponse, listener: RequestListener) {
    const before = this.#response
    // Node.js detaches the socket from a response that has been sent, and then closes the connection if that response was
    // final.
    if (!before || (before.socket === null && this.#waiting.length === 0)) {
      if (this.socket?.writable) this.#start(request, response, listener)
      return true
    }
    if (this.raw.destroyed) return true
    if (this.#waiting.push(() => this.#start(request, response, listener)) === 1) this.#whenAnswered(before)
    return this.#waiting.length < PIPELINED
  }

  #start(request: IncomingMessage, response: ServerResponse, listener: RequestListener) {
    this.#request = request
    this.#response = response
    this.#lingering = 0
    this.#body.reset(this.raw.bytesRead)
    if (this.isLeaving) response.setHeader('connection', 'close')
    listener(request, response)
  }

  /** Makes Node.js discard the requests it has already read: the parser stops at the next one, as it does at an upgrade. */
  stopParsing() {
    const { parser } = (this.socket ?? this.raw) as Socket & { parser?: { onIncoming?: () => number } | null }
    if (parser) parser.onIncoming = () => 2
  }

  /** Starts the next request in a later iteration of the event loop than the one in which the response was sent. */
  #whenAnswered(response: ServerResponse) {
    response.once('finish', () => setImmediate(() => this.#beginNext()))
  }

  #beginNext() {
    // After a final response, later requests are not answered, and must not be processed (RFC 9112, section 9.6).
    if (!this.socket?.writable) this.#waiting.length = 0
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0 && this.#response) this.#whenAnswered(this.#response)
  }

  /** Returns whether the body is arriving fast enough. */
  isBodyFast(elapsed: number) {
    if (!this.#request) return true
    if (this.#request.complete) {
      // The request and response are no longer needed.
      if (this.isIdle) this.#request = this.#response = undefined
      return true
    }
    if (this.#response?.writableFinished) {
      this.#lingering += elapsed
      return this.#lingering < this.#patience.body
    }
    // The server itself has stopped reading the body.
    if (this.#request.readableLength >= this.#request.readableHighWaterMark) return true
    return this.#body.spend(elapsed, this.raw.bytesRead)
  }

  /** Returns whether the client reads its response fast enough. */
  isReaderFast(elapsed: number) {
    // The bytes that libuv buffers because the system accepts no more. Node.js has no public property for them.
    const { writeQueueSize = 0, bytesWritten = 0 } = (this.raw as Socket & { _handle?: Partial<Handle> })._handle ?? {}
    if (writeQueueSize > 0) return this.#reader.spend(elapsed, bytesWritten - writeQueueSize)
    this.#reader.reset(bytesWritten)
    return true
  }
}

interface Handle {
  writeQueueSize: number
  bytesWritten: number
}

/**
 * A time allowance that is replenished by the bytes transferred. At or above the minimum rate, it never runs out. Without any
 * bytes, it lasts `most` milliseconds.
 */
class Credit {
  readonly #most: number
  readonly #rate: number
  #left: number
  #bytes = 0

  constructor(most: number, rate: number) {
    this.#most = most
    this.#rate = rate
    this.#left = most
  }

  reset(bytes: number) {
    this.#left = this.#most
    this.#bytes = bytes
  }

  /**
   * Subtracts the elapsed time, and adds the time for the bytes received or sent since the last call. Returns whether any time
   * is left.
   */
  spend(elapsed: number, bytes: number) {
    const earned = ((bytes - this.#bytes) * 1000) / this.#rate
    this.#bytes = bytes
    this.#left = Math.min(this.#most, this.#left - elapsed + earned)
    return this.#left > 0
  }
}
