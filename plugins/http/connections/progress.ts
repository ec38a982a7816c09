import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The most requests that wait on a connection while an earlier one is answered (pipelining). */
const PIPELINED = 100

/** The times that the server waits for a client, in milliseconds. */
export interface Patience {
  /** For the headers of a request, and for the first of them after a connection is open. */
  headers: number
  /** For the TLS handshake. */
  handshake: number
  /** For a body that arrives below the rate, and for a reader that takes an answer below the rate. */
  body: number
  reader: number
  /** For the client to close its half after the answer that ends the connection. */
  parting: number
  /** Between two checks of all connections. */
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
  /** The most connections at once. */
  limit: number
  /** The most of them from one network that is no proxy. */
  perAddress: number
  /** The least rate at which bodies arrive and answers are taken, in bytes a second. */
  minRate: number
  /** Tells whether an address belongs to a proxy, which stands for many clients. */
  isProxy(address: string): boolean
  patience: Patience
}

/** One connection, and the progress of its requests. */
export class Connection {
  readonly raw: Socket
  /** The socket that carries HTTP: the same, or the TLS socket after the handshake. */
  socket: Socket | undefined
  readonly openedAt = performance.now()
  /** Whether the client has had the answer that it took too long. */
  isTold = false
  /** The request that is being answered, and its answer. */
  #request: IncomingMessage | undefined
  #response: ServerResponse | undefined
  /** Starts the requests that came meanwhile, in order. */
  readonly #waiting: (() => void)[] = []
  readonly #body: Credit
  readonly #reader: Credit
  /** The time for which a body has gone on after its answer, in milliseconds. */
  #lingering = 0
  readonly #patience: Patience

  constructor(raw: Socket, socket: Socket | undefined, { minRate, patience }: ConnectionLimits) {
    this.raw = raw
    this.socket = socket
    this.#patience = patience
    this.#body = new Credit(patience.body, minRate)
    this.#reader = new Credit(patience.reader, minRate)
  }

  /** Whether no request is under way. */
  get isIdle() {
    return !this.#response || (this.#response.writableFinished && (this.#request?.complete ?? true))
  }

  /** Whether the next bytes on the socket are the answer to the request whose body is arriving. */
  get canBeTold() {
    return this.#response?.headersSent === false && this.#request?.complete === false
  }

  /** Hands the request to the listener when the one before is answered. Returns false if too many wait. */
  begin(request: IncomingMessage, response: ServerResponse, listener: RequestListener) {
    const before = this.#response
    // Node.js detaches the socket from an answer that has been sent, and then ends the connection if it was the last one.
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
    listener(request, response)
  }

  /**
   * Makes Node.js skip the requests that it has received: the parser stops at the next one as if it were an upgrade. Each would still
   * take it 9 µs.
   */
  stopParsing() {
    const { parser } = (this.socket ?? this.raw) as Socket & { parser?: { onIncoming?: () => number } | null }
    if (parser) parser.onIncoming = () => 2
  }

  /** Begins the next request in a turn of the event loop after the one in which the answer was sent. */
  #whenAnswered(response: ServerResponse) {
    response.once('finish', () => setImmediate(() => this.#beginNext()))
  }

  #beginNext() {
    // After an answer that ends the connection, later requests are not answered, and therefore not processed (RFC 9112, section 9.6).
    if (!this.socket?.writable) this.#waiting.length = 0
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0 && this.#response) this.#whenAnswered(this.#response)
  }

  /** Tells whether a body arrives fast enough. */
  isBodyFast(elapsed: number) {
    if (!this.#request) return true
    if (this.#request.complete) {
      // They are not needed any more.
      if (this.isIdle) this.#request = this.#response = undefined
      return true
    }
    if (this.#response?.writableFinished) {
      this.#lingering += elapsed
      return this.#lingering < this.#patience.body
    }
    // The server itself does not take more.
    if (this.#request.readableLength >= this.#request.readableHighWaterMark) return true
    return this.#body.spend(elapsed, this.raw.bytesRead)
  }

  /** Tells whether the client takes its answer fast enough. */
  isReaderFast(elapsed: number) {
    // The bytes that libuv holds because the system takes no more. Node.js has no other access to it.
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

/** Time that bytes earn. At the rate or above it never runs out; without bytes it lasts `most` milliseconds. */
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

  /** Spends the elapsed time, and adds the time earned by the bytes until now. Returns whether any time is left. */
  spend(elapsed: number, bytes: number) {
    const earned = ((bytes - this.#bytes) * 1000) / this.#rate
    this.#bytes = bytes
    this.#left = Math.min(this.#most, this.#left - elapsed + earned)
    return this.#left > 0
  }
}
