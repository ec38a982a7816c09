import type { Edge, Node } from '../api.ts'
import { oncePer } from '../shared/once-per.ts'

// An element's attributes as form rows. Each row has the value as text, and its type.

export type Kind = 'text' | 'number' | 'boolean' | 'json'

export interface AttributeRow {
  /** Unique among the rows of the form. */
  key: number
  name: string
  kind: Kind
  text: string
  /** Whether the row is new, and its type follows the typed value. */
  isGuessed?: boolean
}

export type Fault = 'empty' | 'twice' | 'number' | 'boolean' | 'json'

/** The text of a boolean field with no choice selected. */
export const UNCHOSEN = '?'

export function rowsOf(metadata: Record<string, unknown> = {}): AttributeRow[] {
  return Object.entries(metadata).map(([name, value], key) => ({ key, name, ...writtenOf(value) }))
}

/** A value as shown in a field. */
export type Written = Pick<AttributeRow, 'kind' | 'text'>

export function writtenOf(value: unknown): Written {
  return { kind: kindOf(value), text: typeof value === 'string' ? value : JSON.stringify(value) }
}

function kindOf(value: unknown): Kind {
  if (typeof value === 'string') return 'text'
  return typeof value === 'number' || typeof value === 'boolean' ? (typeof value as 'number' | 'boolean') : 'json'
}

/** Returns the attribute names of these elements, each with the type of its first value. */
export const kindsByName = oncePer((elements: readonly (Node | Edge)[]): ReadonlyMap<string, Kind> => {
  const kinds = new Map<string, Kind>()
  for (const { metadata } of elements) {
    for (const name in metadata) if (!kinds.has(name)) kinds.set(name, kindOf(metadata[name]))
  }
  return kinds
})

/**
 * Guesses the type of a typed value. Digits with leading zeros, or too many for an exact number, are text, as is everything if
 * the attribute contains text in other elements.
 */
export function guessKind(text: string, known?: Kind): Kind {
  if (known === 'text') return 'text'
  if (text === 'true' || text === 'false') return 'boolean'
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) && text.replace(/\D/g, '').length <= 15) return 'number'
  return /^[[{]/.test(text) && jsonOf(text) !== undefined ? 'json' : 'text'
}

/** Returns the rows without new ones that the user has not filled in yet. */
export function filledRows(rows: AttributeRow[]): AttributeRow[] {
  return rows.filter(({ name, text, isGuessed }) => !isGuessed || name !== '' || text !== '')
}

/** Returns the faults of invalid rows by row key. */
export function faultsOf(rows: AttributeRow[]): Map<number, Fault> {
  const names = new Set<string>()
  const faults = new Map<number, Fault>()
  for (const { key, name, kind, text } of filledRows(rows)) {
    if (name === '') faults.set(key, 'empty')
    else if (names.has(name)) faults.set(key, 'twice')
    else {
      const fault = faultOf({ kind, text })
      if (fault) faults.set(key, fault)
    }
    names.add(name)
  }
  return faults
}

/** Returns the fault in a value, or undefined if it is valid. */
export function faultOf({ kind, text }: Written): Fault | undefined {
  if (kind === 'number' && !isNumber(text)) return 'number'
  if (kind === 'boolean' && text === UNCHOSEN) return 'boolean'
  return kind === 'json' && jsonOf(text) === undefined ? 'json' : undefined
}

function isNumber(text: string) {
  return text.trim() !== '' && Number.isFinite(Number(text))
}

/** Parses JSON. Returns undefined if the text is not valid JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Returns the attributes of valid rows, or undefined if there are none. */
export function metadataOf(rows: AttributeRow[]): Record<string, unknown> | undefined {
  const filled = filledRows(rows)
  if (filled.length === 0) return undefined
  return Object.fromEntries(filled.map((row) => [row.name, readValue(row)]))
}

/** Returns the value of a valid field. */
export function readValue({ kind, text }: Written): unknown {
  if (kind === 'number') return Number(text)
  if (kind === 'boolean') return text === 'true'
  return kind === 'json' ? jsonOf(text) : text
}
