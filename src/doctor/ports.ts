import { request as askPlainly } from 'node:http'
import { request as askSafely } from 'node:https'
import { connect, createServer } from 'node:net'
import type { Settings } from '../../schemas/settings.ts'
import { type Finding, findingsAbout } from './finding.ts'

/**
 * The timeout for connecting and for a response, in milliseconds. A small machine needs several seconds to build its first
 * OpenAPI document.
 */
const TIMEOUT = 10_000

/** The maximum length of a response, in bytes. The longest response is the OpenAPI document. */
const LONGEST = 16 * 2 ** 20

/** Examines the server's ports. Sends two requests to a running server, and briefly opens a port that is free. */
export async function examinePorts(config: Settings, version: string): Promise<Finding[]> {
  const { host, port, metricsPort } = config
  const own = await examinePort('port', host, port, () => examineServer(config, version))
  if (metricsPort === undefined) return [own]
  return [own, await examinePort('metrics', host, metricsPort, () => examineMetrics(config))]
}

async function examinePort(
  topic: string,
  host: string,
  port: number,
  examine: () => Promise<Finding>
): Promise<Finding> {
  const finding = findingsAbout(topic)
  if (port === 0) return finding('good', 'any free port')
  if (await isTaken(host, port)) return examine()
  const code = await openFor(host, port)
  const place = `port ${port} of ${host}`
  if (code === undefined) return finding('good', `${place} is free`)
  if (code === 'EACCES')
    return finding('warning', `this user may not open ${place}; a service needs CAP_NET_BIND_SERVICE`)
  if (code === 'EADDRINUSE')
    return finding('bad', `${place} is in use; choose another --port, or stop the program that uses it`)
  return finding('bad', `${place} cannot be opened (${code}); --host must be an address of this machine`)
}

/** Examines the server on the port. */
async function examineServer(config: Settings, version: string): Promise<Finding> {
  const finding = findingsAbout('port')
  const document = await ask(config, config.port, '/openapi.json')
  const place = `port ${config.port} of ${config.host}`
  if (document === undefined) {
    return finding('bad', `${place} is in use by a program that does not respond; if it is Graphstead, check its log`)
  }
  const info = asObject(asObject(document).info)
  if (info.title !== 'Graphstead') {
    return finding('bad', `${place} is in use by another program; choose another --port, or stop that program`)
  }
  const ready = asObject(await ask(config, config.port, '/readyz'))
  const says = `Graphstead ${info.version} is running on ${place}`
  if (ready.status !== 'ok')
    return finding('bad', `${says}, but is not ready: ${ready.detail ?? 'it does not respond'}; check its log`)
  if (info.version !== version) return finding('warning', `${says}, but this is ${version}; restart the server`)
  return finding('good', says)
}

async function examineMetrics({ host, metricsPort: port = 0 }: Settings): Promise<Finding> {
  const finding = findingsAbout('metrics')
  const text = await ask({ host }, port, '/metrics')
  if (text?.includes('graphstead_info'))
    return finding('good', `Graphstead serves its metrics on port ${port} of ${host}`)
  return finding('bad', `port ${port} of ${host} is in use by another program; choose another --metrics-port`)
}

/** Returns an address at which this machine can reach a server that listens on the host. */
function reachable(host: string): string {
  return host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
}

function isTaken(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: reachable(host), port, timeout: TIMEOUT })
    const end = (taken: boolean) => {
      socket.destroy()
      resolve(taken)
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })
}

/** Opens the port and closes it immediately. Returns the error code if that fails. */
function openFor(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'error'))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}

/** Sends a request to the program that listens on the port. Returns the response body, or undefined if there is no response. */
function ask(
  { host, tlsCert }: Pick<Settings, 'host' | 'tlsCert'>,
  port: number,
  path: string
): Promise<string | undefined> {
  return new Promise((resolve) => {
    // The certificate is issued for a name rather than this address. It is examined separately, and the request contains nothing
    // secret.
    const options = { host: reachable(host), port, path, rejectUnauthorized: false, agent: false }
    const request = (tlsCert === undefined ? askPlainly : askSafely)(options, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (piece: string) => {
        text += piece
        if (text.length > LONGEST) request.destroy()
      })
      answer.on('end', () => resolve(text))
      answer.on('error', () => resolve(undefined))
    })
    const timer = setTimeout(() => request.destroy(), TIMEOUT)
    request.on('error', () => resolve(undefined))
    request.on('close', () => {
      clearTimeout(timer)
      resolve(undefined)
    })
    request.end()
  })
}

/** Returns the value as an object, parsing it first if it is JSON text. Returns an empty object if it is not an object. */
function asObject(value: unknown): Record<string, unknown> {
  try {
    const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : value
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
  } catch {
    return {}
  }
}
