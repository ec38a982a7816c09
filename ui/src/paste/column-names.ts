import { ENGLISH_ENDS } from '../../../graph/formats/shared/column-names.ts'
import { columnTypeOf } from './cell-types.ts'

// The names by which columns are recognized, and whether a table has any.

/** The column names for edge endpoints, as in imports. Earlier pairs take precedence. */
export const PAIRS = [['source', 'target'], ['sourceid', 'targetid'], ...ENGLISH_ENDS, ['node1', 'node2']] as const

export const IDS = ['id', 'nodeid', 'vertexid']
export const RELATIONS = [
  'relation',
  'relationship',
  'relationshiptype',
  'relationtype',
  'predicate',
  'interaction',
  'edgetype'
]

/** Reduces a name to lowercase letters and digits, so that `Source Id` matches `source_id`. */
export function plainNameOf(name: string) {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

/** Names that are typical of titles, although most have no role. */
const KNOWN = new Set<string>([
  ...['source', 'sourceid', 'src', 'target', 'targetid', 'dst', 'destination', 'subject', 'object', 'from', 'to'],
  ...IDS,
  ...RELATIONS,
  'label',
  'name',
  'title',
  'node',
  'weight',
  'type'
])

/**
 * Guesses whether the first row of a table contains titles: if it has a known name or the names of both endpoints, or a text above
 * a column of numbers or booleans.
 */
export function areTitles(first: readonly string[], others: readonly string[][], delimiter: string): boolean {
  const names = first.map(plainNameOf)
  if (PAIRS.some((pair) => pair.every((name) => names.includes(name)))) return true
  return first.some((cell, index) => {
    if (KNOWN.has(plainNameOf(cell)) || cell.startsWith('metadata.')) return true
    const cells = others.map((cells) => cells[index] ?? '')
    const isText = cell !== '' && columnTypeOf([cell], delimiter) === 'text'
    return isText && columnTypeOf(cells, delimiter) !== 'text'
  })
}
