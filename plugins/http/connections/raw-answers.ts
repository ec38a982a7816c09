import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { type ErrorCode, ProblemError } from '../../../schemas/problem-catalogue.ts'
import { securityHeaders, transportSecurity } from '../headers.ts'
import { toProblem } from '../problem-details.ts'

// See plugins/http/connections/server.ts.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

// Responses outside Fastify: on a bare socket, or to requests that Node.js would answer with an empty body.

const clientErrors: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body-too-large'
}

/**
 * Responds to input that is not HTTP, or is too long or too slow, and closes the connection. After `parting` milliseconds,
 * closes it even if the client keeps its side open.
 */
export function answerClientError(error: { code?: string }, socket: Socket, parting: number) {
  const { code = '' } = error
  // A client that has disconnected, or has not completed the TLS handshake, cannot receive a response.
  if (!/^(HPE|ERR_HTTP)_/.test(code) || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, body, headers } = createAnswer(clientErrors[code] ?? 'malformed-request', socket)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}connection: close\r\n\r\n${body}`)
  setTimeout(() => socket.destroy(), parting).unref()
}

/** Responds to a request whose `Expect` header is not `100-continue`. */
export function answerExpectation(request: IncomingMessage, response: ServerResponse) {
  const { status, body, headers } = createAnswer('expectation-failed', request.socket)
  response.writeHead(status, { ...headers, connection: 'close' }).end(body)
}

function createAnswer(code: ErrorCode, socket: Socket) {
  const id = randomUUID()
  const problem = toProblem(new ProblemError(code), id)
  const body = JSON.stringify(problem)
  const headers = {
    ...securityHeaders,
    ...(socket instanceof TLSSocket && { 'strict-transport-security': transportSecurity }),
    'x-request-id': id,
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(body))
  }
  return { status: problem.status, body, headers }
}
