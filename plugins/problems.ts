import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorObject } from 'ajv'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { OutcomeUnknown, StoreBusy, StoreUnavailable } from '../db/store.ts'
import { type Fault, MAX_FAULTS, type Problem } from '../schemas/problem.ts'
import { describe, type ErrorCode, ProblemError } from '../src/errors.ts'
import { securityHeaders } from '../src/headers.ts'
import { pointerTo } from '../src/json.ts'
import { faultOf } from '../src/validation.ts'
import type { Plugin } from './plugin.ts'

/** Every error ends here and becomes an answer in the form of RFC 9457. A denial is recorded before it is told. */
const problems: Plugin = async (app) => {
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    let problem = problemErrorOf(error, request)
    if (problem.code === 'forbidden') {
      const excess = app.rates.denial(request.actor.login)
      // Beyond the limit they are told apart by their user only.
      const target = excess ? undefined : problem.circumstances.target
      const event = { type: 'AUTHORIZATION_FAILURE', outcome: 'DENIED', ...(target && { target }) } as const
      try {
        await app.denials.record(request.actor, event, excess !== undefined)
        problem = excess ?? problem
      } catch (cause) {
        problem = problemErrorOf(cause, request)
      }
    } else if (isStrange(problem, request)) {
      try {
        app.rates.stranger(request)
      } catch (excess) {
        problem = problemErrorOf(excess, request)
      }
    }
    return answerProblem(problem, request, reply)
  })

  // Node would answer these itself, with an empty body.
  app.server.on('checkExpectation', (_request, response) => {
    const { status, body, headers } = rawProblem('expectation-failed')
    response.writeHead(status, headers).end(body)
  })
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      throw new ProblemError('malformed-request', { detail: 'The Host header is missing.' })
    }
    done()
  })
}

export default fp(problems, { name: 'problems', dependencies: ['denials', 'rates'] })

/** Whether nobody is known to have sent the request, and it asked for what needs somebody, or for what is not there. */
function isStrange({ code }: ProblemError, { actor }: FastifyRequest) {
  return (
    actor === undefined && ['token-missing', 'token-invalid', 'route-not-found', 'method-not-allowed'].includes(code)
  )
}

/** Fastify's `frameworkErrors`: what fails before there is a route. */
export function answerFrameworkError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  reply.headers({ ...securityHeaders, 'x-request-id': request.id })
  answerProblem(problemErrorOf(error, request), request, reply)
}

/** Fastify's `clientErrorHandler`: what is not HTTP, too long, or too slow. There is no request then, only a socket. */
export function answerClientError(error: Error & { code?: string }, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, body, headers } = rawProblem(clientErrors[error.code ?? ''] ?? 'malformed-request')
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}connection: close\r\n\r\n${body}`)
}

const clientErrors: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body-too-large'
}

function rawProblem(code: ErrorCode) {
  const id = randomUUID()
  const problem = toProblem(new ProblemError(code), id)
  const body = JSON.stringify(problem)
  const headers = {
    ...securityHeaders,
    'x-request-id': id,
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(body))
  }
  return { status: problem.status, body, headers }
}

function answerProblem(error: ProblemError, request: FastifyRequest, reply: FastifyReply) {
  const problem = toProblem(error, request.id)
  if (problem.status >= 500) request.log.error({ reqId: request.id, err: error.cause ?? error }, problem.title)
  if (problem.status === 401) {
    reply.header('www-authenticate', error.code === 'token-invalid' ? 'Bearer error="invalid_token"' : 'Bearer')
  }
  const retryAfter = error.circumstances.retryAfter ?? (problem.status === 503 ? 5 : undefined)
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  return reply.code(problem.status).type('application/problem+json').send(JSON.stringify(problem))
}

function toProblem({ code, circumstances }: ProblemError, requestId: string): Problem {
  const { status, title } = describe(code)
  const errors = circumstances.errors?.slice(0, MAX_FAULTS)
  return {
    type: `urn:problem-type:graphstead:${code}`,
    title,
    status,
    detail: circumstances.detail ?? (errors ? summary(errors, circumstances.errorCount) : title),
    instance: `urn:uuid:${requestId}`,
    code,
    ...(errors && { errors })
  }
}

/** The first faults in a line; the list has them all. */
function summary(errors: Fault[], count = errors.length) {
  const more = count > 3 ? `; and ${count - 3} more` : ''
  return `${errors.slice(0, 3).map(sentence).join('; ')}${more}`
}

function sentence({ line, column, pointer, parameter, element, detail }: Fault) {
  if (line !== undefined) return `line ${line}, column ${column}: ${element ? `${element}: ` : ''}${detail}`
  return `${pointer ?? parameter ?? element ?? 'the file'} ${detail}`
}

/** What Fastify says, in our words. */
const fastifyErrors: Record<string, ErrorCode> = {
  FST_ERR_BAD_URL: 'malformed-url',
  FST_ERR_MAX_PARAM_LENGTH: 'route-not-found',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body-too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'media-type-unsupported',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed-request'
}

function problemErrorOf(error: unknown, request: FastifyRequest): ProblemError {
  if (error instanceof ProblemError) return error
  if (error instanceof StoreUnavailable) return new ProblemError('store-unavailable', { cause: error })
  if (error instanceof OutcomeUnknown) return new ProblemError('outcome-unknown', { cause: error })
  if (error instanceof StoreBusy) return new ProblemError('server-busy', { cause: error, retryAfter: 1 })
  const { code, statusCode, validation, validationContext } = error as FastifyError
  if (validation) {
    const errors = new Map<string, Fault>()
    for (const item of validation as ErrorObject[]) {
      const fault = faultIn(validationContext, item, request)
      const place = fault.pointer ?? fault.parameter ?? ''
      // The first fault of a place is the one to mend: an empty name is also a blank one.
      if (isTelling(item) && !errors.has(place)) errors.set(place, fault)
    }
    return new ProblemError('validation-failed', { errors: [...errors.values()] })
  }
  const known = fastifyErrors[code]
  if (known) return new ProblemError(known, { cause: error })
  // The rest of what Fastify and Node blame on the request, such as a body that ends too early.
  if (statusCode && statusCode >= 400 && statusCode < 500)
    return new ProblemError('malformed-request', { cause: error })
  return new ProblemError('internal-error', { cause: error })
}

/** Of content that is wrong Ajv also says that it is not null, and that it is not one of the two. */
function isTelling({ keyword, schemaPath }: ErrorObject) {
  return keyword !== 'anyOf' && !schemaPath.endsWith('/anyOf/1/type')
}

/** An error of Ajv as a fault of the body, or of a parameter of path or query. */
function faultIn(part: string | undefined, error: ErrorObject, request: FastifyRequest): Fault {
  if (error.keyword === 'graphContent') return withinBody(error)
  const { segments, code, detail } = faultOf(error)
  if (part === 'body') return { pointer: pointerTo(segments), code, detail }
  const parameter = segments[0] ?? ''
  if (code === 'unknown-field') return { parameter, code: 'unknown-parameter', detail: 'is not a parameter here' }
  if (code === 'wrong-type' && Array.isArray((request.query as Record<string, unknown>)[parameter])) {
    return { parameter, code: 'repeated', detail: 'must not be repeated' }
  }
  return { parameter, code, detail }
}

/** Content is checked on its own; here it stands somewhere in a body. */
function withinBody({ instancePath, params }: ErrorObject): Fault {
  const { fault } = params as { fault: Fault }
  return { ...fault, pointer: `#${instancePath}${fault.pointer?.slice(1)}` }
}
