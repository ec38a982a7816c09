import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type TProperties, Type } from '@sinclair/typebox'
import type { Loss } from '../../schemas/graph-file.ts'
import type { Problem } from '../../schemas/problem.ts'
import { DURATION, millisecondsOf } from '../../schemas/quantities.ts'
import { BadSetting, type Environment, readSecret, readSettings } from '../settings/config.ts'
import { printable } from '../system/printable.ts'
import { version } from '../system/version.ts'
import { AnswerTooLong, isProblem, parseJson, readJson, readStart } from './answers.ts'
import { faultLine } from './import-report.ts'

// A remote server, for commands that act as clients. The token is sent only to this server, because redirects are not followed.

/** The settings of all client commands. */
export const remoteSettings = {
  plainHttp: Type.Boolean({
    default: false,
    description: 'send the token unencrypted to a server on another machine'
  }),
  timeout: Type.String({
    pattern: DURATION,
    default: '2m',
    examples: ['30s', '2m'],
    description:
      'how long an attempt may go without sending or receiving a byte; also the time limit for a response that is not written to a file'
  }),
  json: Type.Boolean({ default: false, description: 'print JSON, one object per line' })
} satisfies TProperties

/** The part of the help text about environment variables and exit codes. */
export const remoteHelp = `GRAPHSTEAD_URL is the address of the server, such as https://graphs.example.org. GRAPHSTEAD_TOKEN is an API token, or
GRAPHSTEAD_TOKEN_FILE is the path of a file that contains it.

Exit codes: 0 success; 1 the server refused, or a file cannot be read or written; 2 invalid arguments;
3 the server cannot be reached, or is too busy: try again later.`

/** Reads the settings of a client command from its flags. Only connection settings may come from the environment. */
export function readRemoteSettings<T extends TProperties>(settings: T, args: string[], env: Environment) {
  const shared = ['GRAPHSTEAD_PLAIN_HTTP', 'GRAPHSTEAD_TIMEOUT']
  return readSettings(settings, args, Object.fromEntries(shared.map((name) => [name, env[name]])))
}

/** A server, the token to use if it runs Graphstead, and the timeout in milliseconds. */
export interface RemoteServer {
  url: URL
  token?: string
  timeout: number
}

/** The connection settings. */
export interface Connection {
  plainHttp: boolean
  timeout: string
}

/** Returns the server configured in the environment. Throws BadSetting. */
export function remoteServerOf(env: Environment, connection: Connection): RemoteServer {
  if (!env.GRAPHSTEAD_URL) throw new BadSetting('GRAPHSTEAD_URL is missing')
  return remoteServerAt(env.GRAPHSTEAD_URL, 'GRAPHSTEAD_URL', env, connection)
}

/**
 * Returns the server at this address, with the token from the environment. `origin` describes the address in messages. Throws
 * BadSetting.
 */
export function remoteServerAt(
  address: string,
  origin: string,
  env: Environment,
  { plainHttp, timeout }: Connection
): RemoteServer {
  const token = readSecret('GRAPHSTEAD_TOKEN', env)
  if (!token) throw new BadSetting('GRAPHSTEAD_TOKEN is missing')
  // Keep the token out of the message, because it may belong to another product.
  if (!/^[\w.~+/=-]+$/.test(token)) throw new BadSetting('GRAPHSTEAD_TOKEN is not a valid token')
  const url = readAddress(address, origin)
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol === 'http:' && !isHere && !plainHttp) {
    throw new BadSetting('http would send the token unencrypted: use https, or allow it with --plain-http')
  }
  return { url, token, timeout: millisecondsOf(timeout) }
}

/** Parses the address of a server. Throws BadSetting. */
export function readAddress(address: string, origin: string): URL {
  const url = URL.parse(address.endsWith('/') ? address : `${address}/`)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new BadSetting(`${origin} must be a URL such as https://graphs.example.org`)
  }
  return url
}

/** The body of a request. It may be opened more than once. */
export interface Upload {
  size: number
  open(): Readable
  /** Called with the number of bytes sent so far. */
  onProgress(sent: number): void
}

/** A request to the server. */
export interface RemoteRequest {
  method: 'GET' | 'PUT' | 'POST'
  /** Relative to the server's address, without a leading slash. */
  path: string
  headers?: Record<string, string>
  upload?: Upload
  /** A body to send in one piece. */
  text?: string
}

/** Thrown if the server refuses the request. */
export class Refused extends Error {
  override name = 'Refused'
  readonly status: number
  readonly problem: Partial<Problem>

  constructor(status: number, problem: Partial<Problem>, hint = '') {
    const { detail, title, code } = problem
    super(
      `${printable(detail ?? title ?? `the server responded with ${status}`)}${code ? ` (${printable(code)})` : ''}${hint}`
    )
    this.status = status
    this.problem = problem
  }

  /** Whether a retry may succeed. */
  get isPassing() {
    return isBusy(this.status)
  }

  /** The faults that the server found in the file, one per line. Empty if it found none. */
  get faults(): string[] {
    return (this.problem.errors ?? []).filter(({ pointer, parameter }) => !pointer && !parameter).map(faultLine)
  }
}

/** Thrown if the server cannot be reached or the connection breaks. */
export class Unreachable extends Error {
  override name = 'Unreachable'
  readonly isPassing = true
}

const TRIES = 5
/** The base pause between attempts, and the longest acceptable pause, in milliseconds. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [500, 60_000]

const isBusy = (status: number) => status === 429 || status === 502 || status === 503 || status === 504

/**
 * Sends a request and returns the successful response. Retries while the server is busy or cannot be reached, because every
 * request here is safe to repeat. Throws Refused, Unreachable, or errors from reading the upload.
 */
export function send(server: RemoteServer, request: RemoteRequest): Promise<IncomingMessage> {
  return trySeveralTimes(server, request, async (answer) => answer)
}

/**
 * Like `send`, but also returns the body as JSON, validated by `isExpected`. Treats a truncated response like an unreachable
 * server.
 */
export function ask<T>(server: RemoteServer, request: RemoteRequest, isExpected: (body: unknown) => body is T) {
  return trySeveralTimes(server, request, async (answer) => {
    const body = await inTime(server, answer, readJson).catch((error: Error) => {
      if (!(error instanceof AnswerTooLong)) throw error
    })
    if (isExpected(body)) return { answer, body }
    throw new Refused(answer.statusCode ?? 0, { detail: 'the response is not from Graphstead: is the address right?' })
  })
}

/** A response that may be a refusal. */
export interface RemoteAnswer {
  status: number
  headers: IncomingMessage['headers']
  /** At most one byte longer than the maximum length. */
  body: Buffer
}

/**
 * Sends a request and returns the response, even if it is a refusal. Retries like `send`. Throws Refused for redirects, or
 * Unreachable.
 */
export function fetchAnswer(server: RemoteServer, request: RemoteRequest, longest: number): Promise<RemoteAnswer> {
  const take = async (answer: IncomingMessage) => {
    const body = await inTime(server, answer, (answer) => readStart(answer, longest))
    return { status: answer.statusCode ?? 0, headers: answer.headers, body }
  }
  return trySeveralTimes(server, request, take, (status) => status >= 400 && !isBusy(status))
}

/**
 * Reads a response, which must be complete within the server's timeout, because a server that sends one byte at a time could
 * block the command. Throws Unreachable if the response is truncated or too slow, or AnswerTooLong.
 */
async function inTime<T>(
  { url, timeout }: RemoteServer,
  answer: IncomingMessage,
  read: (answer: IncomingMessage) => Promise<T>
): Promise<T> {
  const timer = setTimeout(() => answer.destroy(new Error('took too long')), timeout)
  try {
    return await read(answer)
  } catch (error) {
    if (error instanceof AnswerTooLong) throw error
    throw new Unreachable(`${url.host}: the response was cut off`)
  } finally {
    clearTimeout(timer)
  }
}

/** Converts a response to a refusal. */
export function refusalIn({ status, body }: RemoteAnswer): Refused {
  const problem = parseJson(body)
  return new Refused(status, isProblem(problem) ? problem : {})
}

async function trySeveralTimes<T>(
  server: RemoteServer,
  request: RemoteRequest,
  take: (answer: IncomingMessage) => Promise<T>,
  isTaken = (_status: number) => false
) {
  let isUncertain = false
  for (let attempt = 1; ; attempt++) {
    const outcome = await tryOnce(server, request)
    try {
      if (outcome instanceof Error) throw outcome
      const { statusCode: status = 0 } = outcome
      if (status < 300 || isTaken(status)) return await take(outcome)
      throw await refusalOf(server, outcome, isUncertain)
    } catch (error) {
      if (!(error instanceof Refused) && !(error instanceof Unreachable)) throw error
      const pause = pauseAfter(outcome, attempt)
      if (!error.isPassing || attempt === TRIES || pause > LONGEST_PAUSE) throw error
      // If the response to an attempt was lost, the server may still have applied the change.
      isUncertain ||= error instanceof Unreachable || error.problem.code === 'outcome-unknown'
      await sleep(pause)
    }
  }
}

/**
 * Returns the pause before the next attempt. It doubles each time, is randomized, and is at least as long as the server
 * requests.
 */
function pauseAfter(outcome: IncomingMessage | Unreachable, attempt: number) {
  const asked = outcome instanceof Error ? 0 : Number(outcome.headers['retry-after'] ?? 0) * 1000
  const own = FIRST_PAUSE * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)
  return Math.max(own, Number.isFinite(asked) ? asked : 0)
}

async function refusalOf(server: RemoteServer, answer: IncomingMessage, isUncertain: boolean): Promise<Refused> {
  const { statusCode: status = 0, headers } = answer
  if (status < 400) {
    answer.resume()
    const target = printable(headers.location ?? 'another address')
    return new Refused(status, { detail: `the server redirects to ${target}: use that address` })
  }
  const problem = await inTime(server, answer, readJson).catch(() => undefined)
  const isChanged = status === 412 && isUncertain
  const hint = isChanged ? '; an earlier attempt, whose response was lost, may have changed it' : ''
  return new Refused(status, isProblem(problem) ? problem : {}, hint)
}

function tryOnce(
  { url, token, timeout }: RemoteServer,
  { method, path, headers, upload, text }: RemoteRequest
): Promise<IncomingMessage | Unreachable> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage | Unreachable>()
  const request = (url.protocol === 'https:' ? tlsRequest : plainRequest)(new URL(path, url), {
    method,
    timeout,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      'user-agent': `graphstead/${version}`,
      accept: 'application/json, */*;q=0.1',
      ...(upload && { 'content-length': String(upload.size), 'content-type': 'application/octet-stream' }),
      ...headers
    }
  })
  const giveUp = () => request.destroy(new Error('the server did not respond in time'))
  request.once('timeout', giveUp)
  let timer: NodeJS.Timeout | undefined
  // Limits the headers as well, which may arrive one byte at a time.
  const limitHeaders = () => {
    timer = setTimeout(giveUp, timeout)
  }
  request.once('finish', limitHeaders)
  // If the connection switches to another protocol, Node.js closes it without emitting any other event.
  request.once('close', () => {
    clearTimeout(timer)
    resolve(new Unreachable(`${url.host}: the connection was closed without a response`))
  })
  request.on('error', (error) => resolve(new Unreachable(`${url.host}: ${printable(error.message || String(error))}`)))
  request.once('response', (answer) => {
    // A refusal may arrive before the whole body has been sent.
    request.off('finish', limitHeaders)
    clearTimeout(timer)
    resolve(answer)
  })
  if (!upload || upload.size === 0) request.end(text)
  else {
    const source = upload.open()
    source.once('error', reject)
    let sent = 0
    const count = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        yield chunk
        sent += chunk.length
        upload.onProgress(sent)
      }
    }
    // A response may arrive before the whole body has been sent, and the connection then breaks.
    pipeline(source, count, request).catch(() => {})
  }
  return promise
}

/** Returns the losses of a conversion, as listed in the response header. */
export function lossesOf({ headers }: IncomingMessage): Pick<Loss, 'code' | 'count'>[] {
  const listed = String(headers['graphstead-loss'] ?? '').split(', ')
  return listed.flatMap((item) => {
    const [, code = '', count] = /^([a-z-]+);n=(\d+)$/.exec(item) ?? []
    return count === undefined ? [] : [{ code, count: Number(count) }]
  })
}
