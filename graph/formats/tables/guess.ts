import { isMissing, isNumber } from '../shared/cell-types.ts'
import type { Row } from './csv-rows.ts'
import { type Ends, isDate, isMeasured, ROWS } from './ends.ts'
import { areNumberedNodes, isLongId, mayBeIds, shareNames } from './evidence.ts'

/** The maximum number of columns to compare. */
const COLUMNS = 24

/** The factor by which a pair of columns must outscore every other pair to be considered the edge endpoints. */
const CLEARLY = 2

/** The minimum proportion of values that the endpoint columns must have in common: for text and for numbers. */
const LEAST = { texts: 0.1, numbers: 0.5 }

/** The maximum number of columns in a list without a header. Anything wider is not an edge list. */
const WIDEST_LIST = 8

/** The maximum number of columns of a narrow table, in which any column may contain endpoints. */
const NARROW = 4

/** Below this many distinct values, any row that repeats or reverses a pair indicates categories. */
const FEW = 5

/** Statistics on the values of one column. */
interface Column {
  index: number
  distinct: number
  /** Whether at least one value is a non-integer number, or all are dates. */
  isMeasure: boolean
  isNumeric: boolean
  hasGaps: boolean
  /** Whether all values are long ids. */
  areLongIds: boolean
}

/**
 * Returns the pair of columns that share values, as edge endpoints do, or undefined if no pair is clearly the best. In lists
 * without a header, the first two columns are preferred. Returns 'unclear' if those contain integers and another pair shares more
 * values. Ignores the columns in `except`.
 */
export function endsByContent(
  rows: readonly Row[],
  width: number,
  hasHeader: boolean,
  except: readonly number[] = []
): Ends | 'unclear' | undefined {
  const isRagged = rows.some(({ cells }) => cells.length !== width)
  if (!hasHeader && (isRagged || width > WIDEST_LIST)) return undefined
  const { columns, shared } = compare(rows, width)
  const count = Math.min(rows.length, ROWS)
  const likely = columns.filter(({ index, isMeasure, hasGaps }) => !isMeasure && !hasGaps && !except.includes(index))
  const pairs: { ends: Ends; score: number }[] = []
  for (const a of likely) {
    for (const b of likely) {
      if (a.index >= b.index || a.isNumeric !== b.isNumeric) continue
      const common = shared[a.index * COLUMNS + b.index] as number
      const score = common / (a.distinct + b.distinct - common)
      const union = a.distinct + b.distinct - common
      // If there are more rows than possible pairs of values, the values are categories rather than nodes.
      const most = union < FEW ? (union * (union - 1)) / 2 : union * union
      if (hasHeader && width > 2 && most < count) continue
      const isUsual = a.index === 0 && b.index === 1
      // After a column of weights, numbers are more likely to be endpoints.
      const isBehind = !hasHeader && columns[0]?.isMeasure === true
      const areNumbers = a.isNumeric && !isBehind && !hasHeader
      const least = (!hasHeader && isUsual) || width === 2 ? 0 : areNumbers ? LEAST.numbers : LEAST.texts
      const ends = { source: a.index, target: b.index }
      if (common === 0 || score < least) continue
      const loops = loopsIn(rows, ends)
      // A column that is mostly equal to another is a copy.
      if (loops > count / 2 && count > 2) continue
      const counts = { rows: count, loops, sources: a.distinct, targets: b.distinct, shared: common }
      // More than four columns of numbers without names are more likely to be measurements.
      const areEnds = hasHeader
        ? shareNames(counts, a.isNumeric, a.areLongIds && b.areLongIds) || (width === 2 && areNumberedNodes(rows, ends))
        : !a.isNumeric || (width <= NARROW && mayBeIds(rows, ends, width))
      if (areEnds) pairs.push({ ends, score })
    }
  }
  pairs.sort((a, b) => b.score - a.score)
  const [best, next] = pairs
  if (!best) return undefined
  const usual = pairs.find(({ ends: { source, target } }) => source === 0 && target === 1)
  if (!hasHeader && usual && usual.score * CLEARLY >= best.score) return usual.ends
  if (!hasHeader && !usual && width > 2) {
    const isWhole = (index: number) => likely.some((column) => column.index === index && column.isNumeric)
    // The endpoints or the weight of a weighted list may have numbers in common with another column by chance.
    if (isWhole(0) && isWhole(1) && isWhole(best.ends.target)) return 'unclear'
  }
  return best.score >= CLEARLY * (next?.score ?? 0) ? best.ends : undefined
}

/** Counts the rows that have the same cell in both columns. */
function loopsIn(rows: readonly Row[], { source, target }: Ends) {
  return rows.slice(0, ROWS).filter(({ cells }) => cells[source] === cells[target]).length
}

/** Returns whether both columns contain text, or both contain integers. */
export function areAlike(rows: readonly Row[], { source, target }: Ends): 'texts' | 'numbers' | undefined {
  const some = rows.slice(0, ROWS)
  const [from, to] = [source, target].map((index) => some.map(({ cells }) => cells[index] ?? ''))
  const areNumbers = [from, to].map((cells) => cells?.every((cell) => isNumber(cell)))
  if (areNumbers[0] !== areNumbers[1]) return undefined
  if (!areNumbers[0]) return 'texts'
  return [from, to].every((cells) => cells?.every((cell) => !/[.e]/i.test(cell))) ? 'numbers' : undefined
}

/**
 * Returns whether a cell in one of these columns is a fragment of code, a log or prose rather than a name. Such a cell contains
 * an unclosed bracket or quote, assigns a value, ends a statement or a sentence of several words, or is a list item. A final dot
 * after a capital is allowed, as in company names.
 */
export function areStatements(rows: readonly Row[], { source, target }: Ends): boolean {
  const count = (cell: string, signs: RegExp) => cell.match(signs)?.length ?? 0
  const isPart = (cell = '') =>
    count(cell, /[({[]/g) !== count(cell, /[)}\]]/g) ||
    count(cell, /"/g) % 2 === 1 ||
    /;$| = |==\w|^[-*] /.test(cell) ||
    (/\s\p{Ll}+[.!?]$/u.test(cell) && count(cell, /\s\S/g) >= 3)
  return rows.slice(0, ROWS).some(({ cells }) => isPart(cells[source]) || isPart(cells[target]))
}

/**
 * Returns the first row with a word before a number, such as `GRAPH 0`, if other rows have two integers and the word is not the
 * target of any edge. Such a row is more likely to be a heading than an edge.
 */
export function headingIn(rows: readonly Row[], { source, target }: Ends): Row | undefined {
  const isWhole = (cell = '') => /^-?\d+$/.test(cell)
  if (!rows.some(({ cells }) => isWhole(cells[source]) && isWhole(cells[target]))) return undefined
  const targets = new Set(rows.map(({ cells }) => cells[target]))
  return rows.find(({ cells }) => {
    const word = cells[source] ?? ''
    return /^\p{L}+:?$/u.test(word) && !targets.has(word) && isWhole(cells[target])
  })
}

/** Computes statistics for each column, and the number of values that each pair of columns shares. */
function compare(rows: readonly Row[], width: number) {
  const some = rows.slice(0, ROWS)
  const columns: Column[] = []
  const holders = new Map<string, number>()
  for (let index = 0; index < Math.min(width, COLUMNS); index++) {
    let [numbers, longIds, measures, dates, gaps, distinct] = [0, 0, 0, 0, 0, 0]
    for (const { cells } of some) {
      const cell = cells[index] ?? ''
      if (isMeasured(cell)) {
        numbers++
        if (isLongId(cell)) longIds++
      }
      if (cell === '') gaps++
      else if (isNumber(cell)) {
        if (/[.e]/i.test(cell)) measures++
      } else if (/^-?\d+,\d+$/.test(cell)) measures++
      else if (isDate(cell)) dates++
      const mask = holders.get(cell) ?? 0
      if ((mask & (1 << index)) === 0) {
        distinct++
        holders.set(cell, mask | (1 << index))
      }
    }
    const isMeasure = measures > 0 || dates === some.length
    const isNumeric = numbers * 2 > some.length
    columns.push({ index, distinct, isMeasure, isNumeric, hasGaps: gaps > 0, areLongIds: longIds === some.length })
  }
  const shared: number[] = new Array(COLUMNS * COLUMNS).fill(0)
  for (const [cell, mask] of holders) {
    if (isMissing(cell) || (mask & (mask - 1)) === 0) continue
    const inside = columns.filter(({ index }) => (mask & (1 << index)) !== 0).map(({ index }) => index)
    for (const a of inside) for (const b of inside) shared[a * COLUMNS + b] = (shared[a * COLUMNS + b] as number) + 1
  }
  return { columns, shared }
}

/**
 * Returns whether the first row looks like a header: it contains no numbers or dates, and either its cells do not occur below
 * or it contains text above a column of numbers.
 */
export function looksLikeHeader({ cells }: Pick<Row, 'cells'>, rows: readonly Row[]): boolean {
  // Numbers, dates and IP addresses are data.
  if (cells.some((cell) => isNumber(cell) || /^\d+(?:[./:-]\d+)+$/.test(cell))) return false
  if (isAboveNumbers({ cells }, rows)) return true
  const some = rows.slice(0, ROWS)
  // In a narrow table, a name from the first row may occur in any column below.
  const names = new Set(cells.length <= NARROW ? cells : [])
  return !some.some((row) => row.cells.some((cell, index) => cell !== '' && (cells[index] === cell || names.has(cell))))
}

/** Returns whether any cell in the row is text above a column that contains only numbers. */
export function isAboveNumbers({ cells }: Pick<Row, 'cells'>, rows: readonly Row[]): boolean {
  const some = rows.slice(0, ROWS)
  return (
    some.length > 0 &&
    cells.some(
      (cell, index) => !isMissing(cell) && !isNumber(cell) && some.every((row) => isNumber(row.cells[index] ?? ''))
    )
  )
}
