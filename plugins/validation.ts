import AjvCompiler from '@fastify/ajv-compiler'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifySchemaCompiler, FastifyServerOptions } from 'fastify'
import fp from 'fastify-plugin'
import { parseJson } from '../graph/json.ts'
import { ProblemError } from '../schemas/errors.ts'
import type { PreparedContent } from '../schemas/graph-content.ts'
import { coercing, strict } from '../schemas/validation.ts'
import { createJsonParser, jsonTypes } from './http/json-body.ts'
import type { Plugin } from './http/plugin.ts'
import { queryOf } from './http/urls.ts'

/**
 * Returns the compilers of schemas for Fastify: strict for bodies, and coercing for parameters and headers, which are text. The
 * parser of the body has checked GraphContent, and the validator reports its faults. To start fast, validators are compiled on
 * first use, and serializers once for each schema instead of each response. (The compilers do not share types with Fastify,
 * hence the casts.)
 */
export function createSchemaController(): NonNullable<FastifyServerOptions['schemaController']> {
  const graphContent = {
    keyword: 'graphContent',
    errors: 'full',
    validate: function validate(_schema: unknown, content: PreparedContent | null) {
      const faults = content?.faults ?? []
      ;(validate as { errors?: object[] }).errors = faults.map((fault) => ({
        keyword: 'graphContent',
        params: { fault }
      }))
      return faults.length === 0
    }
  } as const
  const compiler = AjvCompiler()
  const keywords = [...(strict.keywords ?? []), graphContent]
  return {
    compilersFactory: {
      buildValidator: ((schemas: Record<string, object>, options: object) => {
        const externalSchemas = {
          ...schemas,
          GraphContent: { $id: 'GraphContent', graphContent: true }
        }
        const compilerOf = (customOptions: object): FastifySchemaCompiler<unknown> =>
          compiler(externalSchemas, { ...options, customOptions } as never) as never
        const body = once(() => compilerOf({ ...strict, keywords }))
        const text = once(() => compilerOf({ ...coercing, keywords }))
        return ((route) => {
          const validator = once(() => (route.httpPart === 'body' ? body() : text())(route) as Validator)
          return function validate(data: unknown) {
            const isValid = validator()(data)
            ;(validate as Partial<Validator>).errors = validator().errors ?? null
            return isValid
          }
        }) as FastifySchemaCompiler<unknown>
      }) as never,
      buildSerializer: ((schemas: unknown, options: unknown) => {
        const compile = SerializerSelector()(schemas as never, options as never) as (route: object) => Serializer
        const known = new Map<string, () => Serializer>()
        return (route: { schema: object }) => {
          const { description: _, headers: __, 'x-response-description': ___, ...schema } = route.schema as Labelled
          const key = JSON.stringify(schema)
          const serializer = known.get(key) ?? once(() => compile({ ...route, schema }))
          known.set(key, serializer)
          return (payload: unknown) => serializer()(payload)
        }
      }) as never
    }
  }
}

type Serializer = (payload: unknown) => string

interface Validator {
  (data: unknown): boolean
  errors?: unknown
}

/** Returns a function that calls `make` once, on its first call, and returns the result each time. */
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** A response schema with the members that only its documentation needs. */
interface Labelled {
  description?: string
  headers?: object
  'x-response-description'?: string
}

/** Accepts bodies in JSON and UTF-8 only, and well-formed queries only. */
const validation: Plugin = async (app) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    jsonTypes,
    { parseAs: 'buffer' },
    createJsonParser((bytes) => parseJson(bytes))
  )

  app.addHook('onRequest', (request, _reply, done) => {
    const query = queryOf(request.raw.url ?? '')
    if (query?.includes('%') && !isEncoded(query)) {
      throw new ProblemError('malformed-url', { detail: 'The query is not percent-encoded UTF-8.' })
    }
    // Older clients add a new value to each request, so that no cache answers it.
    if (query?.includes('cacheBuster')) delete (request.query as { cacheBuster?: unknown }).cacheBuster
    done()
  })
}

function isEncoded(text: string) {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

export default fp(validation, { name: 'validation' })
