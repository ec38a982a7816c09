import { readFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { networkOf, proxyTest, readTrustProxy } from './networks.ts'
import { answerClientError } from './raw-answers.ts'

/** So many open files stay for the database, its threads and the log. */
const RESERVED = 64

/** So many requests may wait on a connection while an earlier one is answered (pipelining). */
const PIPELINED = 100

/** How often to tell of connections that were cut, in milliseconds. */
const TELLING = 10_000

/** How long the server waits for a client, in milliseconds. */
export interface Patience {
  /** For the headers of a request, and for the first of them after a connection is open. */
  headers: number
  /** For TLS to be agreed on. */
  handshake: number
  /** For a body, and for a reader, that does not keep to the rate. */
  body: number
  reader: number
  /** For the client to close its half after it was told that the connection ends. */
  parting: number
  /** How often connections are looked at. */
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
  /** Most connections at once. */
  limit: number
  /** Most of them from one network that is no proxy. */
  perAddress: number
  /** How fast bodies have to come and answers have to be taken, in bytes a second. */
  minRate: number
  /** Whether an address is one of a proxy: it stands for many clients. */
  isProxy(address: string): boolean
  patience: Patience
}

/** Why a connection was cut. */
export const reasons = ['full', 'address', 'handshake', 'timeout', 'body', 'reader', 'pipelined'] as const
export type Reason = (typeof reasons)[number]

/**
 * The connections of all servers of this process: so many at most, and none that is held open for nothing. Where all are
 * taken, a new one takes the place of the oldest that no request is under way on.
 */
export class Connections {
  /** How many were cut, by reason. */
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
  #told = Number.NEGATIVE_INFINITY

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  get patience() {
    return this.#limits.patience
  }

  /** How many are open. */
  get open() {
    return this.#all.size
  }

  /**
   * Makes a listener answer the requests of each connection one after another, as their answers are sent: many requests
   * on one connection then take no more of a turn of the event loop than one does.
   */
  inOrder(listener: RequestListener): RequestListener {
    return (request, response) => {
      const connection = this.#bySocket.get(request.socket)
      if (!connection) listener(request, response)
      else if (!connection.begin(request, response, listener)) this.#cut(connection, 'pipelined')
    }
  }

  /** Looks after the connections of a server, from when it listens until it is closed. */
  guard(server: Server) {
    const { limit, patience } = this.#limits
    // Where closing some does not help.
    server.maxConnections = limit + RESERVED / 4
    const isTls = 'setSecureContext' in server
    server.on('connection', (socket) => this.#accept(socket, isTls))
    server.on('secureConnection', (socket: Socket) => this.#agree(socket))
    server.on('drop', () => this.#count('full'))
    server.on('clientError', (error: { code?: string }, socket: Socket) => {
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') this.#count('timeout')
      const connection = this.#bySocket.get(socket)
      // Its words would be taken for those of the answer under way.
      if (connection && !connection.isIdle && !connection.canBeTold) socket.destroy()
      else answerClientError(error, socket, patience.parting)
    })
    // What fails while it listens, such as taking a connection, is over with that.
    server.on('error', (error) => this.log?.error({ err: error }, 'a connection could not be taken'))
    server.on('listening', () => {
      this.#servers.add(server)
      this.#timer ??= this.#lookOften()
    })
    server.on('close', () => {
      this.#servers.delete(server)
      if (this.#servers.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    })
  }

  #lookOften() {
    const { interval } = this.#limits.patience
    let looked = performance.now()
    return setInterval(() => {
      const now = performance.now()
      // Where the server itself stood still, clients are not to blame.
      const elapsed = Math.min(now - looked, 2 * interval)
      looked = now
      for (const connection of this.#all) this.#look(connection, now, elapsed)
    }, interval).unref()
  }

  #accept(raw: Socket, isTls: boolean) {
    const { limit, perAddress, isProxy } = this.#limits
    const address = raw.remoteAddress
    // A socket of the file system has none.
    const network = address === undefined || isProxy(address) ? undefined : networkOf(address)
    const connection = new Connection(raw, isTls ? undefined : raw, this.#limits)
    this.#all.add(connection)
    this.#bySocket.set(raw, connection)
    const key = keyOf(raw)
    if (isTls) this.#handshaking.set(key, connection)
    const count = network === undefined ? 0 : this.#countOf(network, 1)
    raw.once('close', () => {
      this.#all.delete(connection)
      if (this.#handshaking.get(key) === connection) this.#handshaking.delete(key)
      if (network !== undefined) this.#countOf(network, -1)
    })
    if (count > perAddress) this.#cut(connection, 'address')
    else if (this.#all.size > limit) this.#cut(this.#oldestIdle() ?? connection, 'full')
  }

  /** How many come from the network, with this change. */
  #countOf(network: string, change: number) {
    const count = (this.#byNetwork.get(network) ?? 0) + change
    if (count > 0) this.#byNetwork.set(network, count)
    else this.#byNetwork.delete(network)
    return count
  }

  #oldestIdle() {
    for (const connection of this.#all) if (connection.isIdle) return connection
    return undefined
  }

  #agree(socket: Socket) {
    const key = keyOf(socket)
    const connection = this.#handshaking.get(key)
    if (!connection) return
    this.#handshaking.delete(key)
    connection.socket = socket
    this.#bySocket.set(socket, connection)
  }

  #look(connection: Connection, now: number, elapsed: number) {
    const { handshake, parting } = this.#limits.patience
    if (!connection.socket) {
      if (now - connection.openedAt > handshake) this.#cut(connection, 'handshake')
    } else if (!connection.isRead(elapsed)) this.#cut(connection, 'reader')
    else if (!connection.isSent(elapsed)) {
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
    if (performance.now() - this.#told < TELLING) return
    this.#told = performance.now()
    const { limit, perAddress } = this.#limits
    const { full, address } = this.cuts
    this.log?.error(
      { full, address, limit, perAddress },
      'connections are cut: too many are open, or too many from one address; counts are since the start'
    )
  }
}

/** One connection, and what it is waiting for. */
class Connection {
  readonly raw: Socket
  /** What HTTP is spoken over: the same, or TLS on it as soon as that is agreed on. */
  socket: Socket | undefined
  readonly openedAt = performance.now()
  /** Whether its client has been told that it took too long. */
  isTold = false
  /** The request that is answered now, and its answer. */
  #request: IncomingMessage | undefined
  #response: ServerResponse | undefined
  /** Requests that came before it was answered, to be begun in order. */
  readonly #waiting: (() => void)[] = []
  readonly #body: Credit
  readonly #reader: Credit
  /** How long a body has gone on after it was answered, in milliseconds. */
  #lingering = 0
  readonly #patience: Patience

  constructor(raw: Socket, socket: Socket | undefined, { minRate, patience }: ConnectionLimits) {
    this.raw = raw
    this.socket = socket
    this.#patience = patience
    this.#body = new Credit(patience.body, minRate)
    this.#reader = new Credit(patience.reader, minRate)
  }

  /** Whether nobody would miss it: no request is under way. */
  get isIdle() {
    return !this.#response || (this.#response.writableFinished && (this.#request?.complete ?? true))
  }

  /** Whether what is written to the socket now is the answer to the request whose body is under way. */
  get canBeTold() {
    return this.#response?.headersSent === false && this.#request?.complete === false
  }

  /** Hands the request to the listener, as soon as the one before is answered; returns whether not too many wait. */
  begin(request: IncomingMessage, response: ServerResponse, listener: RequestListener) {
    const before = this.#response
    // Node takes the socket from an answer when it is sent, and ends the connection then where it was the last.
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
    // After an answer that ends the connection nothing else is answered, and therefore nothing done (RFC 9112, section 9.6).
    if (!this.socket?.writable) this.#waiting.length = 0
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0 && this.#response) this.#whenAnswered(this.#response)
  }

  /** Whether a body that is under way comes fast enough. */
  isSent(elapsed: number) {
    if (!this.#request) return true
    if (this.#request.complete) {
      // Nobody asks for it again.
      if (this.isIdle) this.#request = this.#response = undefined
      return true
    }
    if (this.#response?.writableFinished) {
      this.#lingering += elapsed
      return this.#lingering < this.#patience.body
    }
    // It is the server that does not take more.
    if (this.#request.readableLength >= this.#request.readableHighWaterMark) return true
    return this.#body.spend(elapsed, this.raw.bytesRead)
  }

  /** Whether what is sent is taken fast enough. */
  isRead(elapsed: number) {
    // What libuv holds because the system takes no more; Node has no other name for it.
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
 * Time that bytes earn: who moves them at the rate or faster never runs out of it, and who stops does so after `most`
 * milliseconds.
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

  /** Takes the time that went by, and adds what has been earned until `bytes`; returns whether there is some left. */
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

/** The settings that connections depend on. */
export interface ConnectionSettings {
  maxConnections: number
  /** Half of them by default. */
  connectionsPerAddress?: number
  minRate: number
  /** As readTrustProxy takes it. */
  trustProxy: string
}

/** Returns the connections of a process with these settings. */
export function connectionsFor(
  { maxConnections, connectionsPerAddress, minRate, trustProxy }: ConnectionSettings,
  patience = PATIENCE
) {
  const files = openFilesAtMost()
  const limit = files === undefined ? maxConnections : Math.max(1, Math.min(maxConnections, files - RESERVED))
  // One address alone does not keep out all others.
  const perAddress = connectionsPerAddress ?? Math.ceil(limit / 2)
  return new Connections({ limit, perAddress, minRate, isProxy: proxyTest(readTrustProxy(trustProxy)), patience })
}

/** How many files this process may have open, where the system tells. */
function openFilesAtMost() {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return limit === undefined ? undefined : Number(limit)
  } catch {
    return undefined
  }
}
