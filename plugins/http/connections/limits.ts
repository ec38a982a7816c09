import { readFileSync } from 'node:fs'
import type { RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import type { Settings } from '../../../schemas/settings.ts'
import { createProxyTest, networkOf, readTrustProxy } from '../networks.ts'
import { Connection, type ConnectionLimits, PATIENCE } from './progress.ts'
import { answerClientError } from './raw-answers.ts'

/** The number of file descriptors to reserve for the database, its threads and the log. */
export const RESERVED_FILES = 64

/** How many connections a process may have beyond its equal share, since the system spreads them unevenly. */
const UNEVEN = 32

/** The minimum time between log lines about dropped connections, in milliseconds. */
const LOG_INTERVAL = 10_000

/** The reasons for dropping connections. */
const reasons = ['full', 'address', 'handshake', 'timeout', 'body', 'reader', 'pipelined'] as const
type Reason = (typeof reasons)[number]

/**
 * All connections of this process. Limits their number, and keeps clients from holding connections open without using them.
 * When the limit is reached, a new connection may replace an old one; see #victimOf.
 */
export class Connections {
  /** The number of dropped connections, by reason. */
  readonly cuts = Object.fromEntries(reasons.map((reason) => [reason, 0])) as Record<Reason, number>
  log: FastifyBaseLogger | undefined
  readonly #limits: ConnectionLimits
  #limit: number
  #perAddress: number
  /**
   * All connections, oldest first. Each is mapped to the connections from the same network. Each connection of a proxy counts
   * as a separate network.
   */
  readonly #all = new Map<Connection, Set<Connection>>()
  readonly #bySocket = new WeakMap<Socket, Connection>()
  readonly #handshaking = new Map<string, Connection>()
  /** The connections by network, excluding proxies. */
  readonly #byNetwork = new Map<string, Set<Connection>>()
  readonly #servers = new Set<Server>()
  #timer: NodeJS.Timeout | undefined
  #loggedAt = Number.NEGATIVE_INFINITY

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
    this.#limit = limits.limit
    this.#perAddress = limits.perAddress
  }

  get patience() {
    return this.#limits.patience
  }

  /** The number of open connections. */
  get open() {
    return this.#all.size
  }

  /**
   * Wraps a listener so that each connection's requests are handled one at a time, each after the previous response has been
   * sent. A connection with many pipelined requests therefore starts only one per event loop iteration.
   */
  inOrder(listener: RequestListener): RequestListener {
    return (request, response) => {
      const connection = this.#bySocket.get(request.socket)
      if (!connection) listener(request, response)
      else if (!connection.begin(request, response, listener)) this.#cut(connection, 'pipelined')
    }
  }

  /** Limits this process to its share of the connections of this many processes. */
  divide(processes: number) {
    const share = (limit: number) => (processes === 1 ? limit : Math.min(limit, Math.ceil(limit / processes) + UNEVEN))
    this.#limit = share(this.#limits.limit)
    this.#perAddress = share(this.#limits.perAddress)
  }

  /** Makes about this share of the connections end with their next response. */
  shed(share: number) {
    for (const connection of this.#all.keys()) if (Math.random() < share) connection.isLeaving = true
  }

  /** Guards the connections of a server while it listens. */
  guard(server: Server) {
    const { limit, patience } = this.#limits
    // A last resort, in case closing idle connections is not enough.
    server.maxConnections = limit + RESERVED_FILES / 4
    const isTls = 'setSecureContext' in server
    server.on('connection', (socket) => this.#accept(socket, isTls))
    server.on('secureConnection', (socket: Socket) => this.#completeHandshake(socket))
    server.on('drop', () => this.#count('full'))
    server.on('clientError', (error: { code?: string }, socket: Socket) => {
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') this.#count('timeout')
      const connection = this.#bySocket.get(socket)
      // The client would treat this response as part of the one being sent.
      if (connection && !connection.isIdle && !connection.canBeTold) socket.destroy()
      else answerClientError(error, socket, patience.parting)
    })
    // An error while listening, such as a failure to accept a connection, affects only that connection.
    server.on('error', (error) => this.log?.error({ err: error }, 'a connection could not be accepted'))
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
      // Excludes time during which the server itself was blocked.
      const elapsed = Math.min(now - checkedAt, 2 * interval)
      checkedAt = now
      for (const connection of this.#all.keys()) this.#check(connection, now, elapsed)
    }, interval).unref()
  }

  #accept(raw: Socket, isTls: boolean) {
    const { isProxy } = this.#limits
    const address = raw.remoteAddress
    // Unix sockets have no address.
    const network = address === undefined || isProxy(address) ? undefined : networkOf(address)
    const connection = new Connection(raw, isTls ? undefined : raw, this.#limits)
    const own = network === undefined ? new Set([connection]) : this.#join(network, connection)
    this.#all.set(connection, own)
    this.#bySocket.set(raw, connection)
    const key = keyOf(raw)
    if (isTls) this.#handshaking.set(key, connection)
    raw.once('close', () => {
      this.#all.delete(connection)
      if (this.#handshaking.get(key) === connection) this.#handshaking.delete(key)
      if (network !== undefined) this.#leave(network, connection)
    })
    if (own.size > this.#perAddress) this.#cut(connection, 'address')
    else if (this.#all.size > this.#limit) this.#cut(this.#victimOf(connection, own), 'full')
  }

  /** Adds a connection to its network, and returns all connections from that network. */
  #join(network: string, connection: Connection) {
    const connections = this.#byNetwork.get(network) ?? new Set()
    this.#byNetwork.set(network, connections.add(connection))
    return connections
  }

  #leave(network: string, connection: Connection) {
    const connections = this.#byNetwork.get(network)
    if (connections?.delete(connection) && connections.size === 0) this.#byNetwork.delete(network)
  }

  /**
   * Returns the connection to close in favour of a new one when all are in use. The network with the most connections loses its
   * oldest idle connection, or else its oldest, to a network with fewer. No network loses an idle connection to a network with
   * more.
   */
  #victimOf(connection: Connection, own: Set<Connection>) {
    let most = own
    for (const connections of this.#byNetwork.values()) if (connections.size > most.size) most = connections
    for (const [other, { size }] of this.#all)
      if (other.isIdle && (most === own ? size >= own.size : size === most.size)) return other
    return most === own ? connection : (most.values().next().value as Connection)
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
    connection.stopParsing()
    ;(connection.socket ?? connection.raw).destroy()
    this.#count(reason)
  }

  #count(reason: Reason) {
    this.cuts[reason]++
    if (reason !== 'full' && reason !== 'address') return
    if (performance.now() - this.#loggedAt < LOG_INTERVAL) return
    this.#loggedAt = performance.now()
    const { full, address } = this.cuts
    this.log?.error(
      { full, address, limit: this.#limit, perAddress: this.#perAddress },
      'closing connections: too many are open, in total or from one address; the counts are totals since the server started'
    )
  }
}

function keyOf({ remoteAddress, remotePort }: Socket) {
  return `${remoteAddress} ${remotePort}`
}

type ConnectionSettings = Pick<Settings, 'maxConnections' | 'minRate' | 'trustProxy'>

/** Creates the `Connections` of a process from these settings. */
export function connectionsFor({ maxConnections, minRate, trustProxy }: ConnectionSettings, patience = PATIENCE) {
  const files = readFileLimit()
  const limit = files === undefined ? maxConnections : Math.max(1, Math.min(maxConnections, files - RESERVED_FILES))
  // Keeps a single address from locking out all others.
  const perAddress = Math.ceil(limit / 2)
  return new Connections({ limit, perAddress, minRate, isProxy: createProxyTest(readTrustProxy(trustProxy)), patience })
}

/** Returns the limit on open files for this process, or undefined if the system does not report one. */
export function readFileLimit(): number | undefined {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return limit === undefined ? undefined : Number(limit)
  } catch {
    return undefined
  }
}
