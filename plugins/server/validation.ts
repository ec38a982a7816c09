import AjvCompiler from '@fastify/ajv-compiler'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifySchemaCompiler, FastifyServerOptions } from 'fastify'
import fp from 'fastify-plugin'
import { parseJson } from '../../graph/content/json.ts'
import type { PreparedContent } from '../../schemas/graph-content.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { coercing, strict } from '../../schemas/validation.ts'
import { createJsonParser, jsonTypes } from '../http/bodies/json-body.ts'
import type { Plugin } from '../http/plugin.ts'
import { queryOf } from '../http/urls.ts'

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
const keywords = [...(strict.keywords ?? []), graphContent]

/** The maximum length of an array in a body, except in the content of a graph. */
const LONG = 1000

/** The validators and serializers of this process, by components and by schema. All apps in the process share them. */
const compiled = new Map<string, Map<string, unknown>>()

/**
 * Returns the schema compilers for Fastify: strict for bodies, and coercing for parameters and headers, which are text. The
 * body parser checks GraphContent, and the validator reports its faults. To speed up startup, validators and serializers are
 * compiled on first use, and equal schemas share them. The casts are needed because the compilers' types differ from Fastify's.
 */
export function createSchemaController(): NonNullable<FastifyServerOptions['schemaController']> {
  return {
    bucket: sharedBucket as never,
    compilersFactory: {
      buildValidator: ((schemas: Record<string, object>, options: object) => {
        const shared = once(() => sharedBy(schemas))
        const externalSchemas = { ...schemas, GraphContent: { $id: 'GraphContent', graphContent: true } }
        const compilerOf = (name: string, customOptions: object) => () =>
          shared()(name, () =>
            AjvCompiler()(externalSchemas, { ...options, customOptions: { ...customOptions, keywords } } as never)
          ) as unknown as (route: object) => Validator
        const compilers = {
          body: once(compilerOf('body', strict)),
          longBody: once(compilerOf('longBody', { ...strict, allErrors: false })),
          text: once(compilerOf('text', coercing))
        }
        return ((route) => {
          const validatorBy = (name: keyof typeof compilers) =>
            once(() => shared()(`${name} ${textOf(route.schema)}`, () => compilers[name]()(route)))
          const usual = validatorBy(route.httpPart === 'body' ? 'body' : 'text')
          const quick = validatorBy('longBody')
          return function validate(data: unknown) {
            const validator = route.httpPart === 'body' && hasLongArray(data) ? quick : usual
            const isValid = validator()(data)
            ;(validate as Partial<Validator>).errors = validator().errors ?? null
            return isValid
          }
        }) as FastifySchemaCompiler<unknown>
      }) as never,
      buildSerializer: ((schemas: object, options: unknown) => {
        const shared = once(() => sharedBy(schemas))
        const compile = once(
          () => SerializerSelector()(schemas as never, options as never) as (route: object) => Serializer
        )
        return (route: { schema: object }) => {
          const serializer = once(() => {
            const { description: _, headers: __, 'x-response-description': ___, ...schema } = route.schema as Labelled
            return shared()(textOf(schema), () => compile()({ ...route, schema }))
          })
          return (payload: unknown) => serializer()(payload)
        }
      }) as never
    }
  }
}

/**
 * Returns a bucket of named schemas. By default, each of the hundred contexts copies those of its parent, but here they share
 * the root's, to which `openapi` adds all of them.
 */
function sharedBucket(known: Record<string, object> = {}) {
  return {
    add(schema: { $id: string }) {
      if (schema.$id in known) throw new Error(`two schemas are named ${schema.$id}`)
      known[schema.$id] = schema
    },
    getSchema: (id: string) => known[id],
    getSchemas: () => known
  }
}

/**
 * Returns whether the body contains an array so long that listing all its errors would block the event loop. If so, Ajv stops
 * at the first error.
 */
function hasLongArray(body: unknown) {
  if (Buffer.isBuffer(body)) return false
  return Object.values(Object(body)).some((member) => Array.isArray(member) && member.length > LONG)
}

/** Returns a function that calls `make` once per key for all apps that have these components. */
function sharedBy(components: object) {
  const name = textOf(components)
  const known = compiled.get(name) ?? new Map<string, unknown>()
  compiled.set(name, known)
  return <T>(key: string, make: () => T): T => {
    const value = known.get(key) ?? make()
    known.set(key, value)
    return value as T
  }
}

/** Returns the schema as text. The bounds of ids may be BigInts. */
function textOf(schema: unknown) {
  return JSON.stringify(schema, (_key, value) => (typeof value === 'bigint' ? `${value}n` : value))
}

type Serializer = (payload: unknown) => string

interface Validator {
  (data: unknown): boolean
  errors?: unknown
}

/** Returns a function that calls `make` on its first call, and then always returns the same result. */
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** A response schema, including members used only for documentation. */
interface Labelled {
  description?: string
  headers?: object
  'x-response-description'?: string
}

/** Restricts bodies to JSON in UTF-8, and rejects malformed queries. */
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
      throw new ProblemError('malformed-url', { detail: 'The query must be percent-encoded UTF-8.' })
    }
    // Older clients add a unique value to each request to bypass caches.
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
