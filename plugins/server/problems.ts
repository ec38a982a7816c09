import type { ErrorObject } from 'ajv'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { StoreBusy } from '../../db/store.ts'
import { faultPointer } from '../../graph/content/pointers.ts'
import { type Fault, MAX_FAULTS } from '../../schemas/problem.ts'
import { type ErrorCode, ProblemError } from '../../schemas/problem-catalogue.ts'
import { faultOf } from '../../schemas/validation.ts'
import { securityHeaders, transportSecurity } from '../http/headers.ts'
import { findHostFault, isMisdirected } from '../http/host-header.ts'
import type { Plugin } from '../http/plugin.ts'
import { expectedProblemOf, toProblem } from '../http/problem-details.ts'
import { pathOf } from '../http/urls.ts'

/** Turns every error into a response according to RFC 9457. A denial is recorded before the response is sent. */
const problems: Plugin<{ publicUrl?: string | undefined }> = async (app, { publicUrl }) => {
  const publicHostname = publicUrl === undefined ? undefined : new URL(publicUrl).hostname

  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    let problem = problemErrorOf(error, request)
    if ((problem.code === 'forbidden' || problem.code === 'scope-missing') && request.actor) {
      const excess = app.rates.countDenial(request.actor.subject)
      // Beyond the rate limit, denials are distinguished only by user.
      const target = excess ? undefined : problem.circumstances.target
      const event = { type: 'AUTHORIZATION_FAILURE', outcome: 'DENIED', ...(target && { target }) } as const
      try {
        await app.denials.record(request.actor, event, excess !== undefined)
        problem = excess ?? problem
      } catch (cause) {
        problem = problemErrorOf(cause, request)
      }
    } else if (isStranger(problem, request)) {
      try {
        app.rates.countStranger(request)
      } catch (excess) {
        problem = problemErrorOf(excess, request)
      }
    }
    return answerProblem(problem, request, reply)
  })

  app.addHook('onRequest', (request, _reply, done) => {
    const fault = findHostFault(request.raw)
    if (fault !== undefined) throw new ProblemError('malformed-request', { detail: fault })
    if (publicHostname !== undefined && isMisdirected(request.hostname, pathOf(request.url), publicHostname)) {
      throw new ProblemError('misdirected-request')
    }
    done()
  })
}

export default fp(problems, { name: 'problems', dependencies: ['denials', 'rates'] })

/** Returns whether an unauthenticated sender requested a resource that requires authentication or does not exist. */
function isStranger({ code }: ProblemError, { actor }: FastifyRequest) {
  return (
    actor === undefined &&
    ['token-missing', 'token-invalid', 'session-idle', 'route-not-found', 'method-not-allowed'].includes(code)
  )
}

/** Responds to errors that occur before routing (Fastify's `frameworkErrors`). */
export function answerFrameworkError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  // Closes the connection, since no hook limits further input on it, such as the chunks of a body.
  reply.headers({ ...securityHeaders, 'x-request-id': request.id, connection: 'close' })
  if (request.protocol === 'https') reply.header('strict-transport-security', transportSecurity)
  answerProblem(problemErrorOf(error, request), request, reply)
}

/**
 * Headers that describe the response replaced by the problem. `vary` is kept, since it lists the headers that the refusal
 * depends on.
 */
const REPRESENTATION_HEADERS = ['etag', 'content-encoding', 'content-disposition']

function answerProblem(error: ProblemError, request: FastifyRequest, reply: FastifyReply) {
  for (const name of REPRESENTATION_HEADERS) reply.removeHeader(name)
  const problem = toProblem(error, request.id)
  // Overload is logged on one line, since a stack trace would not help.
  if (isLoad(error)) request.log.warn({ reqId: request.id, detail: problem.detail }, problem.title)
  else if (problem.status >= 500 && problem.status !== 507)
    request.log.error({ reqId: request.id, err: error.cause ?? error }, problem.title)
  if (problem.status === 401) {
    reply.header(
      'www-authenticate',
      /^(token-invalid|session-idle)$/.test(error.code) ? 'Bearer error="invalid_token"' : 'Bearer'
    )
  }
  if (error.code === 'scope-missing') {
    const { scope } = error.circumstances
    reply.header('www-authenticate', `Bearer error="insufficient_scope"${scope ? `, scope="${scope}"` : ''}`)
  }
  const retryAfter = error.circumstances.retryAfter ?? (problem.status === 503 ? 5 : undefined)
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  return reply.code(problem.status).type('application/problem+json').send(JSON.stringify(problem))
}

/** Returns whether the request was refused only because of load, not because of a failure. */
function isLoad({ code, cause }: ProblemError) {
  return code === 'server-busy' && (cause === undefined || cause instanceof StoreBusy)
}

/** Maps Fastify's error codes to entries of the catalogue. */
const fastifyErrors: Record<string, ErrorCode> = {
  FST_ERR_BAD_URL: 'malformed-url',
  FST_ERR_MAX_PARAM_LENGTH: 'route-not-found',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body-too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'media-type-unsupported',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed-request'
}

function problemErrorOf(error: unknown, request: FastifyRequest): ProblemError {
  const expected = expectedProblemOf(error)
  if (expected) return expected
  const { code, statusCode, validation, validationContext } = error as FastifyError
  if (validation) {
    const errors = new Map<string, Fault>()
    for (const item of validation as ErrorObject[]) {
      if (!isInformative(item)) continue
      // There may be thousands, but the response lists only the first ones.
      if (errors.size >= MAX_FAULTS) break
      const place = placeOf(item)
      // Only a value's first fault is useful: an empty name is also blank.
      if (!errors.has(place)) errors.set(place, toFault(validationContext, item, request))
    }
    return new ProblemError('validation-failed', { errors: [...errors.values()] })
  }
  const known = fastifyErrors[code]
  if (known) return new ProblemError(known, { cause: error })
  // Other errors that Fastify and Node.js attribute to the request, such as a body that ends too early.
  if (statusCode && statusCode >= 400 && statusCode < 500)
    return new ProblemError('malformed-request', { cause: error })
  return new ProblemError('internal-error', { cause: error })
}

/**
 * Returns whether an error is informative. For invalid content, Ajv also reports that it is not null, and that `anyOf` fails.
 */
function isInformative({ keyword, schemaPath }: ErrorObject) {
  return keyword !== 'anyOf' && !schemaPath.endsWith('/anyOf/1/type')
}

/** Returns the full path of the value that caused an error. Pointers in responses are truncated. */
function placeOf({ instancePath, params }: ErrorObject): string {
  const member: string | undefined = params.missingProperty ?? params.additionalProperty ?? params.fault?.pointer
  return member === undefined ? instancePath : `${instancePath}/${member}`
}

/** Converts an Ajv error to a fault of the body, or of a path or query parameter. */
function toFault(part: string | undefined, error: ErrorObject, request: FastifyRequest): Fault {
  if (error.keyword === 'graphContent') return toBodyFault(error)
  const { segments, code, detail } = faultOf(error)
  if (part === 'body') return { pointer: faultPointer(segments), code, detail }
  const parameter = segments[0] ?? ''
  if (code === 'unknown-field')
    return { parameter, code: 'unknown-parameter', detail: 'is not a parameter of this operation' }
  if (code === 'wrong-type' && Array.isArray((request.query as Record<string, unknown>)[parameter])) {
    return { parameter, code: 'repeated', detail: 'must not be repeated' }
  }
  return { parameter, code, detail }
}

/** Converts a fault in the content, which is checked separately, to a fault in the body. */
function toBodyFault({ instancePath, params }: ErrorObject): Fault {
  const { fault } = params as { fault: Fault }
  return { ...fault, pointer: `#${instancePath}${fault.pointer?.slice(1)}` }
}
