import {
  type IntegerOptions,
  type Static,
  type StringOptions,
  type TProperties,
  type TSchema,
  Type
} from '@sinclair/typebox'

/** References a component by its $id, so that OpenAPI shows it once instead of copying it. */
export function ref<T extends TSchema>(schema: T) {
  return Type.Unsafe<Static<T>>({ $ref: `${schema.$id}#` })
}

/** Returns an object schema that OpenAPI shows as a component with this name. */
export function component<T extends TProperties>(name: string, description: string, properties: T) {
  return Type.Object(properties, { $id: name, title: name, description })
}

/** Like `component`, but refuses unknown fields. */
export function closedComponent<T extends TProperties>(name: string, description: string, properties: T) {
  return Type.Object(properties, { $id: name, title: name, additionalProperties: false, description })
}

/** Returns an object schema that refuses unknown fields, for example for a query. */
export function closed<T extends TProperties>(properties: T) {
  return Type.Object(properties, { additionalProperties: false })
}

export function optionalText(options: StringOptions) {
  return Type.Optional(Type.String(options))
}

export function optionalInteger(options: IntegerOptions) {
  return Type.Optional(Type.Integer(options))
}

/**
 * Returns a schema for one of several words, as an `enum`. TypeBox's own union would become an `anyOf` of single-value enums.
 */
export function oneOf<const T extends readonly string[]>(values: T, options: object = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: values, ...options })
}

/** Returns a schema that also allows null. The given schema must have a single `type`. */
export function nullable<T extends TSchema>(schema: T) {
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] })
}

/**
 * Returns the schema of a field that only the server sets. Requests may include it with any value, which is ignored. OpenAPI
 * shows its type only in responses.
 */
export function ignored(schema: TSchema) {
  const description = 'Set by the server and ignored in requests.'
  return Type.Optional(Type.Unknown({ shown: { ...schema, readOnly: true, description } }))
}

/**
 * Like `ignored`, but OpenAPI does not show the field in requests. Generated Go clients have a method `HasX` for each optional
 * field `x`, which would conflict with a field `hasX`.
 */
export function ignoredUnshown() {
  return Type.Optional(Type.Unknown({ shown: false }))
}

/** The largest integer that every JSON parser reads exactly, 2^53-1. */
export const MAX_INTEGER = Number.MAX_SAFE_INTEGER

/** Options for integers that may exceed 32 bits. */
export const LARGE = { format: 'int64', maximum: MAX_INTEGER }

export const Id = Type.Integer({
  ...LARGE,
  minimum: 1,
  description: 'Ids start at 1 and are never reused.',
  examples: [7]
})

/** A time in RFC 3339 format, in UTC with milliseconds. */
export const Time = Type.String({
  format: 'date-time',
  description: 'RFC 3339, in UTC, with milliseconds.',
  examples: ['2026-11-21T09:30:00.000Z']
})

/**
 * Text that every database can store: any characters except U+0000. The pattern uses only syntax that all regular expression
 * dialects share.
 */
export const TEXT = '^[^\\x00]*$'
/** Text without control characters. */
export const TEXT_WITHOUT_CONTROLS = '^[^\\x00-\\x1F\\x7F]*$'
/** Like `TEXT`, but not blank. Each string matches in only one way, which avoids quadratic backtracking. */
export const TEXT_NOT_BLANK = '^\\s*[^\\s\\x00][^\\x00]*$'

declare module '@sinclair/typebox' {
  interface SchemaOptions {
    /**
     * The bounds of an integer in a path or query. Its digits are validated as text, since coercion would accept `0x10` and
     * `1e3`, and would round 9007199254740993 to the id of another row. OpenAPI shows an integer.
     */
    digits?: { minimum: number | bigint; maximum: number | bigint }
    /** A schema that OpenAPI shows instead of this one, for the sake of generated clients. False hides the field. */
    shown?: object | false
  }
}

/** Returns the schema of an integer in a path or query; see the option `digits`. */
export function digits(minimum: number | bigint, maximum: number | bigint, options: object = {}) {
  return Type.String({ ...options, digits: { minimum, maximum } })
}

/** Returns the schema of an id or version in a path or query, from 1 to the largest int64. */
export function idDigits(options: object = {}) {
  return digits(1n, 9223372036854775807n, options)
}
