// An element's attributes as form rows. Each row has the value as text, and its type.

export type Kind = 'text' | 'number' | 'boolean' | 'json'

export interface AttributeRow {
  /** Unique among the rows of the form. */
  key: number
  name: string
  kind: Kind
  text: string
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
  if (typeof value === 'string') return { kind: 'text', text: value }
  if (typeof value === 'number') return { kind: 'number', text: String(value) }
  if (typeof value === 'boolean') return { kind: 'boolean', text: String(value) }
  return { kind: 'json', text: JSON.stringify(value) }
}

/** Returns the faults of invalid rows by row key. */
export function faultsOf(rows: AttributeRow[]): Map<number, Fault> {
  const names = new Set<string>()
  const faults = new Map<number, Fault>()
  for (const { key, name, kind, text } of rows) {
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
  if (rows.length === 0) return undefined
  return Object.fromEntries(rows.map((row) => [row.name, readValue(row)]))
}

/** Returns the value of a valid field. */
export function readValue({ kind, text }: Written): unknown {
  if (kind === 'number') return Number(text)
  if (kind === 'boolean') return text === 'true'
  return kind === 'json' ? jsonOf(text) : text
}
