import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { securityHeaders } from '../headers.ts'
import { findHostFault } from '../host-header.ts'
import { pathOf, withoutOrigin } from '../urls.ts'
import { createHttpServer, type HttpParts } from './server.ts'

/** The media type of Prometheus's text format. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Serves only metrics, to any client that can reach the port. Rejects if the server cannot listen. */
export async function serveMetrics(
  text: () => Promise<string>,
  { host, port, ...parts }: { host: string; port: number } & HttpParts
): Promise<Server> {
  const listener: RequestListener = (request, response) => {
    request.resume()
    createAnswer(request, text)
      .then(({ status, body = '', headers }) => {
        response.writeHead(status, { ...securityHeaders, 'content-type': METRICS_TYPE, ...headers }).end(body)
      })
      .catch(() => response.destroy())
  }
  const server = createHttpServer(listener, parts)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, resolve)
  })
  return server
}

interface Answer {
  status: number
  body?: string
  headers?: Record<string, string>
}

/** Never rejects. */
async function createAnswer(request: IncomingMessage, text: () => Promise<string>): Promise<Answer> {
  const fault = findHostFault(request)
  if (fault !== undefined) return { status: 400, body: `${fault}\n` }
  if (pathOf(withoutOrigin(request.url ?? '')) !== '/metrics') return { status: 404, body: 'See /metrics.\n' }
  if (request.method !== 'GET' && request.method !== 'HEAD') return { status: 405, headers: { allow: 'GET, HEAD' } }
  try {
    return { status: 200, body: await text() }
  } catch {
    return { status: 503, body: 'The metrics are currently unavailable.\n', headers: { 'retry-after': '5' } }
  }
}
