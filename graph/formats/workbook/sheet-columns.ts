import { type Attributes, asText } from '../shared/attributes.ts'
import { type CellCounts, countCell, isMissing, noCells, typeOf } from '../shared/cell-types.ts'
import type { Losses } from '../shared/losses.ts'
import { isSwallowed, numberText } from '../tables/values.ts'
import { CELL_LENGTH, textCell } from './cell-values.ts'
import { COLUMNS } from './sheet.ts'

/** The names of the attributes that have a column, in order. */
export type SheetColumns = ReadonlySet<string>

/** The number of columns that are not attributes: source, target, type and id. */
const OTHERS = 4

/** Text that a spreadsheet would run as a formula, or convert to something else, when the cell is edited. */
const FORMULA = /^[=+\-@]/

/** Returns the value to write: text, a number or a boolean. Returns undefined if it does not fit into a cell, or is empty. */
export function cellText(value: unknown): string | number | boolean | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return value
  const text = asText(value)
  return text === '' || text.length > CELL_LENGTH ? undefined : text
}

/** Returns whether text is marked with Excel's invisible apostrophe, which keeps it unchanged. */
export function isQuoted(text: string) {
  return FORMULA.test(text) || isMissing(text) || isSwallowed(text)
}

/** Returns a cell. Text is represented by its index in the shared strings. */
export function cellIn(
  value: number | boolean | { text: string; number: number },
  column: number,
  row: number
): string {
  const reference = `r="${lettersOf(column)}${row}"`
  if (typeof value === 'number') return `<c ${reference}><v>${value}</v></c>`
  if (typeof value === 'boolean') return `<c ${reference} t="b"><v>${Number(value)}</v></c>`
  return `<c ${reference}${isQuoted(value.text) ? ' s="1"' : ''} t="s"><v>${value.number}</v></c>`
}

/** Returns the letters of a column: A to Z, then AA and so on. */
function lettersOf(column: number): string {
  const last = String.fromCharCode(65 + (column % 26))
  return column < 26 ? last : lettersOf(Math.floor(column / 26) - 1) + last
}

/** Returns the title of the column for an attribute. */
export function titleOf(name: string) {
  return /^(?:label|weight|relation)$/.test(name) ? `${name[0]?.toUpperCase()}${name.slice(1)}` : name
}

/** Returns the attributes that need a column. Counts values that are omitted, or that an import would read as another type. */
export function sheetColumns<T>(
  elements: readonly T[],
  attributesOf: (element: T, losses?: Losses) => Attributes,
  losses: Losses
): SheetColumns {
  const columns = new Map<string, CellCounts & { numeric: number; boolean: number }>()
  for (const element of elements) {
    for (const [name, value] of attributesOf(element, losses)) {
      const text = cellText(value)
      let counts = columns.get(name)
      if (value === '') losses.add('empty-text-dropped')
      if (text === undefined || name.length > CELL_LENGTH || (!counts && columns.size >= COLUMNS - OTHERS)) {
        if (value !== '') losses.add('attributes-dropped')
        continue
      }
      if (!counts) {
        counts = { ...noCells(), numeric: 0, boolean: 0 }
        columns.set(name, counts)
      }
      if (typeof value === 'object') losses.add('nested-metadata')
      if (typeof text === 'number') counts.numeric++
      else if (typeof text === 'boolean') counts.boolean++
      const cell = typeof text === 'number' ? numberText(text) : String(text)
      countCell(counts, typeof text === 'string' ? textCell(text, isQuoted(text)) : cell, '\t')
    }
  }
  for (const [name, counts] of columns) {
    const type = typeOf(name, counts)
    losses.add('type-widened', (type === 'number' ? 0 : counts.numeric) + (type === 'boolean' ? 0 : counts.boolean))
  }
  return new Set(columns.keys())
}
