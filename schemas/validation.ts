import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { Fault } from './problem.ts'

/** Options for JSON. Nothing is coerced or removed: wrong types and unknown fields are faults, and Ajv reports all of them. */
export const strict: Options = {
  allErrors: true,
  coerceTypes: false,
  useDefaults: true,
  removeAdditional: false,
  allowUnionTypes: true,
  strict: true,
  // Compiling the meta-schema takes longer than compiling our schemas. Tests check that our schemas are valid.
  validateSchema: false,
  keywords: [digitsKeyword(), 'shown'],
  formats: { int64: true }
}

/** Options for parameters, which are text: `true` becomes a boolean, and a repeatable parameter becomes an array. */
export const coercing: Options = { ...strict, coerceTypes: 'array' }

let shared: Ajv | undefined

/** Compiles a schema for use outside routes. */
export function validatorOf(schema: object): ValidateFunction {
  shared ??= addFormats.default(new Ajv(strict))
  return shared.compile(schema)
}

let quick: Ajv | undefined

/** Like `validatorOf`, but stops at the first fault and does not report it. */
export function quickValidatorOf(schema: object): (value: unknown) => boolean {
  quick ??= addFormats.default(new Ajv({ ...strict, allErrors: false, messages: false }))
  return quick.compile(schema)
}

/** Like `validatorOf`, but compiles on first use. */
export function lazyValidatorOf(schema: object): (value: unknown) => boolean {
  let validate: ValidateFunction | undefined
  return (value) => {
    validate ??= validatorOf(schema)
    return validate(value)
  }
}

/** Defines the keyword `digits`; see schemas/types.ts. */
function digitsKeyword() {
  return {
    keyword: 'digits',
    type: 'string',
    validate: function validate({ minimum, maximum }: Range, text: string) {
      if (/^(?:0|[1-9]\d{0,18})$/.test(text)) {
        // Short digit strings fit in a number, which is faster and can be compared with both types of bounds.
        const value = text.length < 16 ? Number(text) : BigInt(text)
        if (value >= minimum && value <= maximum) return true
      }
      ;(validate as { errors?: object[] }).errors = [{ keyword: 'digits', params: { minimum, maximum } }]
      return false
    }
  } as const
}

interface Range {
  minimum: number | bigint
  maximum: number | bigint
}

/** Converts an Ajv error to a fault. `segments` is the path to the value, or to the missing or unknown member. */
export function faultOf(error: ErrorObject): Omit<Fault, 'pointer' | 'parameter'> & { segments: string[] } {
  const segments = error.instancePath === '' ? [] : error.instancePath.split('/').slice(1).map(unescapeSegment)
  const { params } = error
  switch (error.keyword) {
    case 'required':
      return { segments: [...segments, params.missingProperty], code: 'required', detail: 'is required' }
    case 'additionalProperties':
      return {
        segments: [...segments, params.additionalProperty],
        code: 'unknown-field',
        detail: 'is not a known field'
      }
    case 'type':
      return { segments, code: 'wrong-type', detail: `must be ${[params.type].flat().map(withArticle).join(' or ')}` }
    case 'enum':
      return { segments, code: 'not-allowed', detail: `must be one of ${params.allowedValues.join(', ')}` }
    case 'digits':
      return { segments, code: 'malformed', detail: `must be an integer from ${params.minimum} to ${params.maximum}` }
    case 'minLength':
      return { segments, code: 'too-short', detail: `must have at least ${params.limit} characters` }
    case 'maxLength':
      return { segments, code: 'too-long', detail: `must have at most ${params.limit} characters` }
    case 'minimum':
      return { segments, code: 'too-small', detail: `must be at least ${params.limit}` }
    case 'maximum':
      return { segments, code: 'too-large', detail: `must be at most ${params.limit}` }
    case 'pattern':
      return { segments, code: 'malformed', detail: 'is malformed' }
    case 'format':
      return { segments, code: 'malformed', detail: `is not a valid ${params.format}` }
    case 'not':
      return { segments, code: 'not-allowed', detail: 'is reserved' }
    default:
      return { segments, code: 'malformed', detail: error.message ?? 'is not valid' }
  }
}

/** Returns a JSON Schema type with its article, such as `an object`. */
function withArticle(type: string) {
  if (type === 'null') return type
  return `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`
}

function unescapeSegment(segment: string) {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}
