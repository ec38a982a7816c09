import { readFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { createProxyTest, networkOf, readTrustProxy } from './networks.ts'
import { answerClientError } from './raw-answers.ts'

/** The open files that are reserved for the database, its threads and the log. */
const RESERVED = 64

/** The most requests that wait on a connection while an earlier one is answered (pipelining). */
const PIPELINED = 100

/** The least time between log lines about connections that were cut, in milliseconds. */
const LOG_INTERVAL = 10_000

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

/** The reasons for which connections are cut. */
export const reasons = ['full', 'address', 'handshake', 'timeout', 'body', 'reader', 'pipelined'] as const
export type Reason = (typeof reasons)[number]

/**
 * The connections of all servers of this process. Their number is bounded, and none is held open for nothing. When all are in
 * use, a new connection replaces the oldest idle one.
 */
export class Connections {
  /** The number of connections that were cut, by reason. */
  readonly cuts = Object.fromEntries(reasons.map((reason) => [reason, 0])) as Record<Reason, number>
  log: FastifyBaseLogger | undefined
  readonly #limits: ConnectionLimits
  /** The oldest first. */
  readonly #all = new Set<Connection>()
  readonly #bySocket = new WeakMap<Socket, Connection>()
  readonly #handshaking = new Map<string, Connection>()
  readonly #byNetwork = new Map<string, number>()
  readonly #servers = new Set<Server>()
  #timer: NodeJS.Timeout | undefined
  #loggedAt = Number.NEGATIVE_INFINITY

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  get patience() {
    return this.#limits.patience
  }

  /** The number of open connections. */
  get open() {
    return this.#all.size
  }

  /**
   * Makes a listener answer the requests of each connection one after another, each when the answer before has been sent. Many
   * requests on one connection then take no more of a turn of the event loop than one.
   */
  inOrder(listener: RequestListener): RequestListener {
    return (request, response) => {
      const connection = this.#bySocket.get(request.socket)
      if (!connection) listener(request, response)
      else if (!connection.begin(request, response, listener)) this.#cut(connection, 'pipelined')
    }
  }

  /** Guards the connections of a server from when it listens until it is closed. */
  guard(server: Server) {
    const { limit, patience } = this.#limits
    // A last bound, for when closing idle connections does not help.
    server.maxConnections = limit + RESERVED / 4
    const isTls = 'setSecureContext' in server
    server.on('connection', (socket) => this.#accept(socket, isTls))
    server.on('secureConnection', (socket: Socket) => this.#completeHandshake(socket))
    server.on('drop', () => this.#count('full'))
    server.on('clientError', (error: { code?: string }, socket: Socket) => {
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') this.#count('timeout')
      const connection = this.#bySocket.get(socket)
      // The client would take this answer for part of the one under way.
      if (connection && !connection.isIdle && !connection.canBeTold) socket.destroy()
      else answerClientError(error, socket, patience.parting)
    })
    // An error while it listens, such as of taking a connection, concerns that connection only.
    server.on('error', (error) => this.log?.error({ err: error }, 'a connection could not be taken'))
    server.on('listening', () => {
      this.#servers.add(server)
      this.#timer ??= this.#startChecks()
    })
    server.on('close', () => {
      this.#servers.delete(server)
      if (this.#servers.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    })
  }

  #startChecks() {
    const { interval } = this.#limits.patience
    let checkedAt = performance.now()
    return setInterval(() => {
      const now = performance.now()
      // Clients are not to blame for time in which the server itself stood still.
      const elapsed = Math.min(now - checkedAt, 2 * interval)
      checkedAt = now
      for (const connection of this.#all) this.#check(connection, now, elapsed)
    }, interval).unref()
  }

  #accept(raw: Socket, isTls: boolean) {
    const { limit, perAddress, isProxy } = this.#limits
    const address = raw.remoteAddress
    // A Unix socket has no address.
    const network = address === undefined || isProxy(address) ? undefined : networkOf(address)
    const connection = new Connection(raw, isTls ? undefined : raw, this.#limits)
    this.#all.add(connection)
    this.#bySocket.set(raw, connection)
    const key = keyOf(raw)
    if (isTls) this.#handshaking.set(key, connection)
    const count = network === undefined ? 0 : this.#changeCount(network, 1)
    raw.once('close', () => {
      this.#all.delete(connection)
      if (this.#handshaking.get(key) === connection) this.#handshaking.delete(key)
      if (network !== undefined) this.#changeCount(network, -1)
    })
    if (count > perAddress) this.#cut(connection, 'address')
    else if (this.#all.size > limit) this.#cut(this.#oldestIdle() ?? connection, 'full')
  }

  /** Changes the number of connections from the network, and returns it. */
  #changeCount(network: string, change: number) {
    const count = (this.#byNetwork.get(network) ?? 0) + change
    if (count > 0) this.#byNetwork.set(network, count)
    else this.#byNetwork.delete(network)
    return count
  }

  #oldestIdle() {
    for (const connection of this.#all) if (connection.isIdle) return connection
    return undefined
  }

  #completeHandshake(socket: Socket) {
    const key = keyOf(socket)
    const connection = this.#handshaking.get(key)
    if (!connection) return
    this.#handshaking.delete(key)
    connection.socket = socket
    this.#bySocket.set(socket, connection)
  }

  #check(connection: Connection, now: number, elapsed: number) {
    const { handshake, parting } = this.#limits.patience
    if (!connection.socket) {
      if (now - connection.openedAt > handshake) this.#cut(connection, 'handshake')
    } else if (!connection.isReaderFast(elapsed)) this.#cut(connection, 'reader')
    else if (!connection.isBodyFast(elapsed)) {
      if (!connection.canBeTold) return this.#cut(connection, 'body')
      if (connection.isTold) return
      connection.isTold = true
      this.#count('body')
      answerClientError({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, connection.socket, parting)
    }
  }

  #cut(connection: Connection, reason: Reason) {
    if (!this.#all.delete(connection)) return
    ;(connection.socket ?? connection.raw).destroy()
    this.#count(reason)
  }

  #count(reason: Reason) {
    this.cuts[reason]++
    if (reason !== 'full' && reason !== 'address') return
    if (performance.now() - this.#loggedAt < LOG_INTERVAL) return
    this.#loggedAt = performance.now()
    const { limit, perAddress } = this.#limits
    const { full, address } = this.cuts
    this.log?.error(
      { full, address, limit, perAddress },
      'connections are cut: too many are open, or too many from one address; counts are since the start'
    )
  }
}

/** One connection, and the progress of its requests. */
class Connection {
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

function keyOf({ remoteAddress, remotePort }: Socket) {
  return `${remoteAddress} ${remotePort}`
}

/** The settings for connections. */
export interface ConnectionSettings {
  maxConnections: number
  /** Half of them by default. */
  connectionsPerAddress?: number
  minRate: number
  /** In the syntax of readTrustProxy. */
  trustProxy: string
}

/** Returns the connections of a process with these settings. */
export function connectionsFor(
  { maxConnections, connectionsPerAddress, minRate, trustProxy }: ConnectionSettings,
  patience = PATIENCE
) {
  const files = readFileLimit()
  const limit = files === undefined ? maxConnections : Math.max(1, Math.min(maxConnections, files - RESERVED))
  // One address alone cannot keep out all others.
  const perAddress = connectionsPerAddress ?? Math.ceil(limit / 2)
  return new Connections({ limit, perAddress, minRate, isProxy: createProxyTest(readTrustProxy(trustProxy)), patience })
}

/** Returns the limit of open files of this process; undefined if the system does not tell it. */
function readFileLimit() {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return limit === undefined ? undefined : Number(limit)
  } catch {
    return undefined
  }
}
