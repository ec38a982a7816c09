import type { Vocabulary } from '../shared/attributes.ts'
import { ORIGINAL_IDS } from '../shared/ids.ts'

// Converts metadata names to GML keys and back.

/** The value with which networkx marks a one-item list. */
export const LIST_START = '_networkx_list_start'

/** The key for ids that are not integers. */
export const ID = 'graphsteadId'

const vocabulary = (taken: string[]): Vocabulary => ({
  taken: new Set(taken),
  nameFor: (name, isTaken) => keyFor(name, isTaken),
  nameOf: nameOfKey
})
export const nodes = vocabulary(['id', 'graphics', ID.toLowerCase()])
export const placedNodes: Vocabulary = { ...nodes, position: false }
export const edges = vocabulary(['id', 'source', 'target', ID.toLowerCase()])
export const graph = vocabulary(['name', 'type', 'directed', 'node', 'edge', 'multigraph', ORIGINAL_IDS.toLowerCase()])

/**
 * Returns the GML key for a name. Keys consist of ASCII letters and digits. Other characters are encoded as in ISO/IEC 9075-14,
 * such as `_x0020_` for a space. A key that would not start with a letter is prefixed with x. In a reserved key, the first letter
 * is encoded.
 */
export function keyFor(name: string, isTaken: boolean) {
  const units = name.split('')
  const encoded = (index: number) => `_x${name.charCodeAt(index).toString(16).toUpperCase().padStart(4, '0')}_`
  const parts = units.map((unit, index) => {
    const isPlain = /[A-Za-z0-9]/.test(unit) || (unit === '_' && name !== EMPTY && !startsCode(name, index))
    return isPlain && !(index === 0 && (isTaken || /[0-9_]/.test(unit))) ? unit : encoded(index)
  })
  // Encodes an x that is part of the name, so that it is not mistaken for the prefix.
  if (parts[0] === 'x' && parts[1]?.startsWith('_x')) parts[0] = encoded(0)
  const text = parts.join('')
  return /^[A-Za-z]/.test(text) ? text : text === '' ? EMPTY : `x${text}`
}

/** The key for the empty name. */
const EMPTY = 'x_x_'

/**
 * Returns whether the underscore would look like the start of an encoded character once the characters after it are encoded.
 */
function startsCode(name: string, index: number) {
  return /^_x[0-9A-F]{4}[^A-Za-z0-9]/.test(name.slice(index, index + 7))
}

/** Returns the name that a key represents. */
export function nameOfKey(key: string) {
  if (!key.includes('_x')) return key
  if (key === EMPTY) return ''
  return key
    .replace(/^x(?=_x[0-9A-F]{4}_)/, '')
    .replace(/_x([0-9A-F]{4})_/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}
