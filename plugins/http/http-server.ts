import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Connections } from './connections.ts'
import { answerExpectation } from './raw-answers.ts'

/** A certificate with its chain, and its key, both in PEM; and how TLS is spoken with them. */
export interface TlsFiles {
  cert: Buffer
  key: Buffer
  minVersion?: 'TLSv1.2'
  ciphers?: string
}

/** What a server for strangers needs. */
export interface HttpParts {
  connections: Connections
  tls?: TlsFiles | undefined
}

/** An HTTP server that nobody can hold up, or end: with limits for connections and times. It does not listen yet. */
export function createHttpServer(listener: RequestListener, { connections, tls }: HttpParts): Server {
  const { patience } = connections
  const options: ServerOptions = {
    maxHeaderSize: 32 * 1024,
    headersTimeout: patience.headers,
    // A body may take long where it comes fast enough; see plugins/http/connections.ts.
    requestTimeout: 0,
    keepAliveTimeout: 72_000,
    connectionsCheckingInterval: patience.interval,
    // Missing or doubled, it is told like everything else.
    requireHostHeader: false
  }
  const inOrder = connections.inOrder(listener)
  const server = tls ? createTlsServer({ ...options, ...tls }, inOrder) : createServer(options, inOrder)
  // Node would answer these itself, with an empty body.
  server.on('checkExpectation', connections.inOrder(answerExpectation))
  connections.guard(server)
  return server
}
