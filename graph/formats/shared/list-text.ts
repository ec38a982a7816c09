import { jsonValue } from '../../content/json.ts'
import { walkJson } from '../../content/json-text.ts'
import { scalarTypes } from './xml.ts'

/**
 * Returns the items of a JSON list. Graphstead writes all lists as JSON, and Gephi writes lists of numbers this way. `type` is
 * the type of the list, such as `liststring`. Returns undefined for lists that are not JSON or have items of other types.
 */
export function listOf(text: string, type: string): unknown[] | undefined {
  if (!text.startsWith('[') || !isFlat(text)) return undefined
  const list = jsonValue(text) as unknown[]
  const scalar = scalarTypes.get(type.slice('list'.length)) ?? 'string'
  return list.every((item) => isOf(scalar, item)) ? list : undefined
}

/**
 * Returns whether the text is JSON without nested lists or objects, which JSON.parse handles slowly if they are deeply nested.
 */
function isFlat(text: string) {
  let isNested = false
  const error = walkJson(text, (start, _end, { depth }) => {
    isNested = depth > 0 && (text[start] === '[' || text[start] === '{')
    return isNested
  })
  return error === undefined && !isNested
}

function isOf(scalar: string, item: unknown) {
  if (typeof item === 'string') return scalar === 'string' && item.isWellFormed()
  if (typeof item === 'boolean') return scalar === 'boolean'
  if (typeof item !== 'number') return false
  // Larger numbers may have been rounded.
  return scalar === 'double'
    ? Math.abs(item) <= Number.MAX_SAFE_INTEGER
    : scalar === 'integer' && Number.isSafeInteger(item)
}
