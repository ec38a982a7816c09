import { groupedNumber, isErrorValue, withoutGroups } from './number-forms.ts'

// The types of columns, inferred from the form of their cells. The web app uses the same rules for pasted tables.

export type ColumnType = 'number' | 'boolean' | 'text'
export type Decimal = '.' | ','

/** The number of cells of each form in a column. */
export interface CellCounts {
  filled: number
  numbers: number
  booleans: number
  /** Cells that represent a missing value, such as NA. */
  missing: number
  /** Numbers with one comma, and those in which the comma may be a thousands separator, such as 1,250. */
  commas: number
  unclearCommas: number
  /** Numbers with one point that may be a thousands separator, such as 1.250. */
  unclearPoints: number
  /** Numbers that are certain to have a decimal comma or a decimal point: 0,125, 1,5 or 1.234,5. */
  plainCommas: number
  plainPoints: number
  /** Numbers with thousands separators, and how many of them use a comma or a point as the separator. */
  groups: number
  commaGroups: number
  pointGroups: number
  /** Digits that are a code rather than a number, such as 007. */
  codes: number
}

/** Returns counts that are all 0. */
export function noCells(): CellCounts {
  const commas = { commas: 0, unclearCommas: 0, plainCommas: 0, commaGroups: 0 }
  const points = { unclearPoints: 0, plainPoints: 0, pointGroups: 0 }
  return { filled: 0, numbers: 0, booleans: 0, missing: 0, codes: 0, groups: 0, ...commas, ...points }
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const COMMA = /^-?(?:0|[1-9]\d*),\d+$/
const MISSING = /^(?:n\/?a|nan|null|none|nil|-|\?|\\n)$/i

/** Counts the cell. `delimiter` is the delimiter of the table. If it is a semicolon, commas are decimal commas. */
export function countCell(counts: CellCounts, cell: string, delimiter: string) {
  if (cell === '') return
  counts.filled++
  if (isNumber(cell)) {
    counts.numbers++
    if (cell.includes('.')) counts[/^-?[1-9]\d{0,2}\.\d{3}$/.test(cell) ? 'unclearPoints' : 'plainPoints']++
  } else if (isMissing(cell)) counts.missing++
  else if (COMMA.test(cell)) {
    counts.commas++
    counts[delimiter === ';' || /^-?0,|,(?!\d{3}$)/.test(cell) ? 'plainCommas' : 'unclearCommas']++
  } else if (isGrouped(counts, cell)) counts.groups++
  else if (/^(?:true|false)$/i.test(cell)) counts.booleans++
  else if (/^0\d+$/.test(cell)) counts.codes++
}

/** Returns whether the cell is a number with thousands separators, and counts its separators and decimal signs. */
function isGrouped(counts: CellCounts, cell: string) {
  const { separator, decimal } = groupedNumber(cell) ?? {}
  if (separator === '.') counts.pointGroups++
  else if (separator === ',') counts.commaGroups++
  if (decimal !== undefined) counts[decimal === ',' ? 'plainCommas' : 'plainPoints']++
  return separator !== undefined
}

/**
 * Returns the type that fits all cells of the column. `usesCommas` indicates whether other numbers in the file have decimal
 * commas.
 */
export function typeOf(name: string, counts: CellCounts, usesCommas = false): ColumnType {
  const { filled, numbers, booleans, missing, commas, groups } = counts
  if (filled === 0 || name === 'label' || name === 'relation') return 'text'
  const isWhole = numbers + missing + commas + groups === filled && missing < filled
  if (isWhole && isClear(counts, usesCommas)) return 'number'
  return booleans === filled ? 'boolean' : 'text'
}

/**
 * Returns whether all numbers use the same decimal separator. Cells such as 1,250 and 1.250 are unambiguous only next to other
 * numbers.
 */
export function isClear(counts: CellCounts, usesCommas = false) {
  const { unclearCommas, plainCommas, commaGroups, unclearPoints, plainPoints, pointGroups } = counts
  if (plainCommas > 0 && plainPoints > 0) return false
  if (unclearCommas > 0 && plainCommas === 0 && commaGroups === 0) return false
  return unclearPoints === 0 || plainPoints > 0 || pointGroups > 0 || (plainCommas === 0 && !usesCommas)
}

/** Returns the decimal separator of a numeric column. */
export function decimalOf({ plainCommas }: CellCounts): Decimal {
  return plainCommas > 0 ? ',' : '.'
}

/** Returns whether the cell can be read as a number without loss. 007 and integers that would be rounded cannot. */
export function isNumber(cell: string) {
  if (!NUMBER.test(cell)) return false
  const number = Number(cell)
  return Number.isFinite(number) && (!/^-?\d+$/.test(cell) || Number.isSafeInteger(number))
}

/** Returns whether the cell represents a missing value, such as NA. */
export function isMissing(cell: string) {
  return cell === '' || MISSING.test(cell) || isErrorValue(cell)
}

/** Returns whether the cell is a number with a comma or with thousands separators. */
export function isLocalNumber(cell: string) {
  return COMMA.test(cell) || groupedNumber(cell) !== undefined
}

/** Returns the number in a cell of a numeric column, or undefined if the value is missing. */
export function numberIn(cell: string, decimal: Decimal = cell.includes(',') ? ',' : '.'): number | undefined {
  const number = decimal === '.' ? Number(cell) : Number.NaN
  const other = Number.isNaN(number) ? Number(withoutGroups(cell, decimal)) : number
  return Number.isNaN(other) ? undefined : other
}
