import {
  type IntegerOptions,
  type Static,
  type StringOptions,
  type TProperties,
  type TSchema,
  Type
} from '@sinclair/typebox'

/** Refers to a component by its $id, so that OpenAPI shows one component and not copies of it. */
export function ref<T extends TSchema>(schema: T) {
  return Type.Unsafe<Static<T>>({ $ref: `${schema.$id}#` })
}

/** An object that OpenAPI shows as a component with this name. */
export function component<T extends TProperties>(name: string, description: string, properties: T) {
  return Type.Object(properties, { $id: name, title: name, description })
}

/** The same, without other fields. */
export function closedComponent<T extends TProperties>(name: string, description: string, properties: T) {
  return Type.Object(properties, { $id: name, title: name, additionalProperties: false, description })
}

/** An object without other fields, such as a query. */
export function closed<T extends TProperties>(properties: T) {
  return Type.Object(properties, { additionalProperties: false })
}

export function optionalText(options: StringOptions) {
  return Type.Optional(Type.String(options))
}

export function optionalInteger(options: IntegerOptions) {
  return Type.Optional(Type.Integer(options))
}

/** One of a few words, as `enum`: TypeBox's own union becomes `anyOf` of one-value enums. */
export function oneOf<const T extends readonly string[]>(values: T, options: object = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: values, ...options })
}

/** The schema's type, or null. Only for schemas with a plain `type`. */
export function nullable<T extends TSchema>(schema: T) {
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] })
}

/** A field that only the server sets. Requests may have it with any value, which is ignored; OpenAPI shows its type in answers. */
export function ignored(schema: TSchema) {
  const description = 'Set by the server; accepted and ignored in a request.'
  return Type.Optional(Type.Unknown({ shown: { ...schema, readOnly: true, description } }))
}

/**
 * The same, and OpenAPI does not show it in requests: clients that are generated for Go have a method `HasX` for each optional field `x`,
 * beside which there can be no field `hasX`.
 */
export function ignoredUnshown() {
  return Type.Optional(Type.Unknown({ shown: false }))
}

/** The largest integer that every JSON parser reads without rounding, 2^53-1. */
export const MAX_INTEGER = Number.MAX_SAFE_INTEGER

/** Options of integers that may exceed 32 bits. */
export const LARGE = { format: 'int64', maximum: MAX_INTEGER }

export const Id = Type.Integer({
  ...LARGE,
  minimum: 1,
  description: 'Assigned from 1 and never reused.',
  examples: [7]
})

/** RFC 3339, UTC, milliseconds. */
export const Time = Type.String({
  format: 'date-time',
  description: 'RFC 3339, in UTC, with milliseconds.',
  examples: ['2026-11-21T09:30:00.000Z']
})

/** Text that every engine can store: any character but U+0000, in the notation that all dialects of patterns share. */
export const TEXT = '^[^\\x00]*$'
/** The same, and not blank. Each text matches in one way only: two ways would take quadratic time. */
export const TEXT_NOT_BLANK = '^\\s*[^\\s\\x00][^\\x00]*$'

declare module '@sinclair/typebox' {
  interface SchemaOptions {
    /**
     * An integer in a path or query. Its digits are validated, since coercion would accept
     * `0x10` and `1e3`, and round 9007199254740993 to the id of another row. OpenAPI shows it as an integer.
     */
    digits?: { minimum: number | bigint; maximum: number | bigint }
    /** The schema that OpenAPI shows instead of this one, for generated clients; false for none. */
    shown?: object | false
  }
}

/** An integer in a path or a query; see `digits`. */
export function digits(minimum: number | bigint, maximum: number | bigint, options: object = {}) {
  return Type.String({ ...options, digits: { minimum, maximum } })
}

/** An id or a version in a path or a query: from 1 to the largest int64. */
export function idDigits(options: object = {}) {
  return digits(1n, 9223372036854775807n, options)
}
