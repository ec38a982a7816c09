import { connect, type Socket } from 'node:net'

/** A request in wire format, and its expected response. */
export interface Exchange {
  request: Buffer
  /** The expected body, if known. The response is compared with it on arrival, and is not kept. */
  body?: Buffer
  /** Returns an explanation if the response is unexpected. */
  check(answer: Answer): string | undefined
}

export interface Answer {
  status: number
  /** The status line and headers. */
  head: Buffer
  /** Empty if the exchange has an expected body. */
  body: Buffer
}

interface LoadOptions {
  port: number
  connections: number
  /** How long to send new requests, in milliseconds, before waiting for those in flight. */
  duration: number
  /** Returns the next request for a connection, or undefined to stop using the connection. */
  next(connection: number): Exchange | undefined
}

export interface Load {
  /** The number of responses. */
  count: number
  /** Responses per second. */
  rate: number
  /** Latencies in milliseconds. */
  p50: number
  p99: number
  max: number
}

/** An unexpected response, which invalidates the figures. */
export class WrongAnswer extends Error {
  override name = 'WrongAnswer'
}

/**
 * Keeps one request in flight on each connection, checks every response, and measures latencies. Uses raw sockets, because
 * client libraries for Node.js take longer to process a response than a fast server takes to send it. Throws WrongAnswer.
 */
export async function load({ port, connections, duration, next }: LoadOptions): Promise<Load> {
  const latencies: number[] = []
  const clients = await Promise.all(Array.from({ length: connections }, () => Connection.open(port)))
  const start = performance.now()
  const end = start + duration
  try {
    await Promise.all(
      clients.map(async (client, index) => {
        await client.drive(() => (performance.now() < end ? next(index) : undefined), latencies)
      })
    )
  } finally {
    for (const client of clients) client.close()
  }
  const seconds = (performance.now() - start) / 1000
  const sorted = Float64Array.from(latencies).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { count: sorted.length, rate: sorted.length / seconds, p50: at(0.5), p99: at(0.99), max: at(1) }
}

/** Sends one request on a new connection. Throws WrongAnswer. */
export async function ask(port: number, exchange: Exchange): Promise<Answer> {
  const client = await Connection.open(port)
  let answer: Answer | undefined
  let rest: Exchange | undefined = {
    ...exchange,
    check(given) {
      answer = given
      return exchange.check(given)
    }
  }
  await client.drive(() => {
    const current = rest
    rest = undefined
    return current
  }, [])
  client.close()
  return answer as Answer
}

/** Returns a request in wire format. */
export function requestOf(
  method: string,
  path: string,
  { token, body, headers = {} }: { token?: string; body?: string | Buffer; headers?: Record<string, string> } = {}
): Buffer {
  const payload = body === undefined ? undefined : Buffer.from(body as string)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...Object.entries({ ...(payload && { 'Content-Type': 'application/json' }), ...headers }).map(
      ([name, value]) => `${name}: ${value}`
    ),
    ...(payload ? [`Content-Length: ${payload.length}`] : [])
  ]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)
  return payload ? Buffer.concat([head, payload]) : head
}

const HEAD_END = Buffer.from('\r\n\r\n')
/** Node.js and Go capitalise it differently. */
const LENGTHS = ['\r\ncontent-length: ', '\r\nContent-Length: '].map((text) => Buffer.from(text))
const CHUNKED = Buffer.from('\r\nTransfer-Encoding: chunked')
/** The end of a chunked body. JSON contains no such bytes. */
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n')
const CR = 13

function digit(bytes: Buffer, place: number) {
  return (bytes[place] ?? 0) - 48
}

function isBefore(end: number, place: number) {
  return place >= 0 && place <= end
}

/** Returns the position of Content-Length in a head, or -1. */
function lengthAt(bytes: Buffer, end: number) {
  for (const name of LENGTHS) {
    const at = bytes.indexOf(name)
    if (isBefore(end, at)) return at + name.length
  }
  return -1
}

/** Returns the content of a chunked body (RFC 9112, section 7.1). */
function unchunked(body: Buffer): Buffer {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const start = body.indexOf(CR, at) + 2
    const size = Number.parseInt(body.toString('latin1', at, start), 16)
    if (!(size > 0)) return Buffer.concat(chunks)
    chunks.push(body.subarray(start, start + size))
    at = start + size + 2
  }
}

class Connection {
  readonly #socket: Socket
  #source: () => Exchange | undefined = () => undefined
  #latencies: number[] = []
  #exchange: Exchange | undefined
  #sent = 0
  /** The length is undefined while a chunked body arrives. */
  #head: { status: number; bytes: Buffer; length: number | undefined } | undefined
  /** The received part of the response: the head, then the body. */
  #chunks: Buffer[] = []
  #received = 0
  #isOther = false
  #settle: ((error?: Error) => void) | undefined

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      socket.once('error', reject)
      socket.once('connect', () => {
        socket.off('error', reject)
        resolve(new Connection(socket))
      })
    })
  }

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk) => this.#receive(chunk as Buffer))
    socket.on('error', (error) => this.#settle?.(error))
    socket.on('close', () => this.#settle?.(new WrongAnswer('the server closed the connection')))
  }

  close() {
    this.#settle = undefined
    this.#socket.destroy()
  }

  /** Sends the source's requests sequentially until it returns undefined. */
  drive(source: () => Exchange | undefined, latencies: number[]): Promise<void> {
    this.#source = source
    this.#latencies = latencies
    return new Promise((resolve, reject) => {
      this.#settle = (error) => {
        this.#settle = undefined
        if (error) reject(error)
        else resolve()
      }
      this.#send()
    })
  }

  #send() {
    this.#exchange = this.#source()
    if (!this.#exchange) {
      this.#settle?.()
      return
    }
    this.#sent = performance.now()
    this.#socket.write(this.#exchange.request)
  }

  #receive(chunk: Buffer) {
    if (this.#head === undefined) {
      const bytes = this.#chunks.length > 0 ? Buffer.concat([...this.#chunks, chunk]) : chunk
      const end = bytes.indexOf(HEAD_END)
      if (end < 0) {
        this.#chunks = [bytes]
        return
      }
      const status = digit(bytes, 9) * 100 + digit(bytes, 10) * 10 + digit(bytes, 11)
      const at = lengthAt(bytes, end)
      const isChunked = at < 0 && isBefore(end, bytes.indexOf(CHUNKED))
      // A 204 response has no body (RFC 9110, section 15.3.5).
      if (at < 0 && !isChunked && status !== 204) {
        this.#settle?.(new WrongAnswer(`a response without length: ${bytes.toString('latin1', 0, end)}`))
        return
      }
      let length = 0
      for (let place = at; at >= 0 && bytes[place] !== CR; place++) {
        length = length * 10 + digit(bytes, place)
      }
      this.#head = { status, bytes: bytes.subarray(0, end), length: isChunked ? undefined : length }
      this.#chunks = []
      this.#received = 0
      const rest = bytes.subarray(end + HEAD_END.length)
      if (rest.length > 0 || this.#head.length === 0) this.#receiveBody(rest)
      return
    }
    this.#receiveBody(chunk)
  }

  #receiveBody(chunk: Buffer) {
    if (this.#head?.length !== undefined) {
      this.#take(chunk)
      return
    }
    // Chunks are kept until the last one arrives, since the end of the body may arrive in pieces.
    const body = Buffer.concat([...this.#chunks, chunk])
    this.#chunks = [body]
    if (!this.#head || !body.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)) return
    const content = unchunked(body)
    this.#chunks = []
    this.#head.length = content.length
    this.#take(content)
  }

  #take(chunk: Buffer) {
    const expected = this.#exchange?.body
    if (!expected) this.#chunks.push(chunk)
    else if (!chunk.equals(expected.subarray(this.#received, this.#received + chunk.length))) this.#isOther = true
    this.#received += chunk.length
    const head = this.#head
    if (head?.length === undefined || this.#received < head.length) return
    this.#latencies.push(performance.now() - this.#sent)
    const [first = Buffer.alloc(0)] = this.#chunks
    const body = this.#chunks.length < 2 ? first : Buffer.concat(this.#chunks)
    const isOther = this.#isOther || this.#received !== (expected?.length ?? head.length)
    this.#chunks = []
    this.#head = undefined
    this.#isOther = false
    const fault =
      this.#exchange?.check({ status: head.status, head: head.bytes, body }) ??
      (isOther ? 'an unexpected body' : undefined)
    if (fault === undefined) this.#send()
    else this.#settle?.(new WrongAnswer(`${fault}: ${head.bytes}\n\n${body.toString().slice(0, 1000)}`))
  }
}
