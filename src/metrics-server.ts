import { createServer, type Server } from 'node:http'
import { securityHeaders } from './headers.ts'

/** The media type of the text format of Prometheus. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Serves metrics, and nothing else, to whoever reaches the port. Rejects where it cannot listen. */
export async function serveMetrics(
  text: () => Promise<string>,
  options: { host: string; port: number }
): Promise<Server> {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, async (request, response) => {
    const answer = (status: number, body: string, headers = {}) =>
      response.writeHead(status, { ...securityHeaders, 'content-type': METRICS_TYPE, ...headers }).end(body)
    request.resume()
    if (new URL(request.url ?? '', 'http://localhost').pathname !== '/metrics') return answer(404, 'See /metrics.\n')
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, '', { allow: 'GET, HEAD' })
    try {
      answer(200, await text())
    } catch {
      answer(503, 'The metrics cannot be had at the moment.\n', { 'retry-after': '5' })
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options, resolve)
  })
  return server
}
