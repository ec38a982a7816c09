import type { RequestListener, Server, ServerOptions } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Connections } from './limits.ts'
import { answerExpectation } from './raw-answers.ts'

// An import would also load everything that node:http loads on first use, such as fetch and WebSocket.
const { createServer } = process.getBuiltinModule('node:http')

/** A certificate with its chain and a key, both in PEM, and TLS options. */
export interface TlsFiles {
  cert: Buffer
  key: Buffer
  minVersion?: 'TLSv1.2'
  ciphers?: string
}

/** The parts of a publicly exposed server. */
export interface HttpParts {
  connections: Connections
  tls?: TlsFiles | undefined
}

/**
 * Creates an HTTP server that limits connections and enforces timeouts, so that no client can block or crash it. The server is
 * not listening yet.
 */
export function createHttpServer(listener: RequestListener, { connections, tls }: HttpParts): Server {
  const { patience } = connections
  const options: ServerOptions = {
    maxHeaderSize: 32 * 1024,
    headersTimeout: patience.headers,
    // A body may take as long as it needs if it arrives fast enough; see plugins/http/connections/limits.ts.
    requestTimeout: 0,
    keepAliveTimeout: 72_000,
    connectionsCheckingInterval: patience.interval,
    // plugins/server/problems.ts refuses requests without this header.
    requireHostHeader: false
  }
  const inOrder = connections.inOrder(listener)
  const server = tls ? createTlsServer({ ...options, ...tls }, inOrder) : createServer(options, inOrder)
  // Node.js would answer these requests itself, with an empty body.
  server.on('checkExpectation', connections.inOrder(answerExpectation))
  connections.guard(server)
  return server
}
