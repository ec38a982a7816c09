import { isMissing, isNumber } from '../shared/cell-types.ts'
import type { Row } from './csv-rows.ts'

/** The indexes of the columns with the edge endpoints. */
export interface Ends {
  source: number
  target: number
}

/** The maximum number of rows to compare. */
export const ROWS = 20_000

const DATE =
  /^(?:\d{4}-\d{1,2}(?:-\d{1,2}(?:[T ].*)?)?|\d{1,2}([./-])\d{1,2}\1\d{2,4}(?: .*)?|\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)$/
/** A date that contains the name of a month. */
const WRITTEN = /^(?:\d{1,2} )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? (?:\d{1,2},? )?\d{4}$/i
const YEAR = /^(?:1[5-9]|20)\d\d$/

/** Returns the values of both columns for each row that has both. */
export function pairsIn(rows: readonly Row[], { source, target }: Ends): [string, string][] {
  const some = rows.slice(0, ROWS).map(({ cells }): [string, string] => [cells[source] ?? '', cells[target] ?? ''])
  return some.filter(([from, to]) => !isMissing(from) && !isMissing(to))
}

/** Returns whether all cells of both columns are numbers or dates. */
export function areNumbersOrDates(rows: readonly Row[], ends: Ends): boolean {
  const pairs = pairsIn(rows, ends)
  return pairs.length > 0 && pairs.every((pair) => pair.every((cell) => isNumber(cell) || isDate(cell)))
}

/** A number, possibly with a sign, a unit, or separators. Four numbers separated by dots are an IP address. */
const MEASURED = /^(?![\d.]*(?:\.\d+){3})[-+<>=~$€£]*\.?\d[\d.,' ]*(?:[eE][-+]?\d+)?[%kKmM]?$/

/** Returns whether a cell contains a number in any notation, such as 1,250 or 5%, or a date. */
export function isMeasured(cell: string): boolean {
  return MEASURED.test(cell) || isDate(cell)
}

/** Returns whether a cell is a date or a time of day. */
export function isDate(cell: string): boolean {
  return DATE.test(cell) || WRITTEN.test(cell)
}

/** Returns whether all cells of both columns are dates or times of day. */
export function areDates(rows: readonly Row[], ends: Ends): boolean {
  const pairs = pairsIn(rows, ends)
  return pairs.length > 0 && pairs.every((pair) => pair.every(isDate))
}

/** Returns whether all cells in at least one of the columns are dates or times of day. */
export function hasDates(rows: readonly Row[], ends: Ends): boolean {
  const pairs = pairsIn(rows, ends)
  return pairs.length > 0 && (pairs.every(([from]) => isDate(from)) || pairs.every(([, to]) => isDate(to)))
}

/** Returns whether both columns contain numbers that are not all integers. */
export function areMeasures(rows: readonly Row[], ends: Ends): boolean {
  const isDecimal = (cell: string) => /^-?\d+,\d+$/.test(cell) || (isNumber(cell) && /[.e]/i.test(cell))
  const pairs = pairsIn(rows, ends)
  return (
    pairs.some((pair) => pair.some(isDecimal)) &&
    pairs.every((pair) => pair.every((cell) => isDecimal(cell) || isNumber(cell)))
  )
}

/**
 * Returns whether the value in the first column never exceeds that in the second. With `years`, all cells must also look like
 * years or dates.
 */
export function areIntervals(rows: readonly Row[], ends: Ends, years: boolean): boolean {
  const pairs = pairsIn(rows, ends)
  if (pairs.every((pair) => pair.every((cell) => !isNumber(cell)))) return true
  if (years && !pairs.every((pair) => pair.every((cell) => YEAR.test(cell) || isDate(cell)))) return false
  return pairs.every(([from, to]) => !(Number(from) > Number(to)))
}

/** Returns whether each row is a range of numbers that begins above the previous one, such as 0 to 59 and 60 to 69. */
export function areBands(rows: readonly Row[], ends: Ends): boolean {
  const pairs = pairsIn(rows, ends).map(([from, to]) => [Number(from), Number(to)] as const)
  return (
    pairs.length > 1 &&
    pairs.every(([from, to], index) => from <= to && !(from <= (pairs[index - 1]?.[1] ?? -Infinity)))
  )
}

/**
 * Returns whether each row is a range of numbers that begins where another ends, such as 0 to 18 and 18 to 65. In a path of
 * nodes, by contrast, the numbers are consecutive.
 */
export function areAdjoining(rows: readonly Row[], ends: Ends): boolean {
  const pairs = pairsIn(rows, ends)
    .map(([from, to]) => [Number(from), Number(to)] as const)
    .sort(([a], [b]) => a - b)
  return (
    pairs.length > 1 &&
    pairs.every(([from, to], index) => to - from > 1 && (index === 0 || from === pairs[index - 1]?.[1]))
  )
}

/** Returns whether the columns have any values in common. */
export function shareValues(rows: readonly Row[], ends: Ends): boolean {
  const pairs = pairsIn(rows, ends)
  const sources = new Set(pairs.map(([from]) => from))
  return pairs.some(([, to]) => sources.has(to))
}

/** Returns whether any row has values in both columns. */
export function hasValues(rows: readonly Row[], ends: Ends): boolean {
  return pairsIn(rows, ends).length > 0
}

/** Returns whether the two columns together have at most two distinct values, such as true and false. */
export function isOfFewValues(rows: readonly Row[], ends: Ends): boolean {
  return new Set(pairsIn(rows, ends).flat()).size <= 2
}
