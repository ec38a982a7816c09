import { isNumber } from '../shared/cell-types.ts'
import type { Row } from './csv-rows.ts'
import { type Ends, isMeasured, pairsIn } from './ends.ts'

// Two columns of numbers may share values by chance, so these rules look for evidence that chance does not explain.

/**
 * At most one row in this many may join a value to itself. The limit is stricter for numbers, since equal values are common in
 * measurements.
 */
const RARE = { names: 20, numbers: 100, lists: 5 }

/** If the column names are vague, at least one in this many names must occur on both sides. */
const SHARED = 10

/** A whole number of at least six digits that is neither a round number nor a date such as 20261126. */
const LONG_ID = /^(?!(?:19|20)\d\d(?:0[1-9]|1[0-2])[0-3]\d$)(?!\d+000$)[1-9]\d{5,}$/

/** The minimum number of rows for a pattern to count as more than chance. */
const FEW = 3

/** The minimum number of rows for which it is enough that a third of the values are shared. */
const MANY = 20

/** The counts that distinguish node ids from measurements and categories. */
export interface Counts {
  /** The number of rows, and how many of them join a value to itself. */
  rows: number
  loops: number
  /** The number of distinct values in each column, and in both. */
  sources: number
  targets: number
  shared: number
}

interface Evidence extends Counts {
  /** Whether both columns consist mostly of numbers. */
  areNumbers: boolean
  /** The distinct values of both columns. */
  values: string[]
  /** The number of distinct rows. */
  pairs: number
}

function evidenceIn(rows: readonly Row[], ends: Ends): Evidence {
  const pairs = pairsIn(rows, ends)
  const [sources, targets] = [new Set(pairs.map(([from]) => from)), new Set(pairs.map(([, to]) => to))]
  const values = [...new Set([...sources, ...targets])]
  const areMostly = (side: 0 | 1) => pairs.filter((pair) => isMeasured(pair[side])).length * 2 > pairs.length
  return {
    rows: pairs.length,
    loops: pairs.filter(([from, to]) => from === to).length,
    sources: sources.size,
    targets: targets.size,
    shared: sources.size + targets.size - values.length,
    areNumbers: areMostly(0) && areMostly(1),
    values,
    pairs: new Set(pairs.map((pair) => JSON.stringify(pair))).size
  }
}

/** Returns whether few rows join a value to itself, and the rows are not all combinations of two lists. */
function areSparse(counts: Counts, rare: number) {
  return counts.loops * rare <= counts.rows && !isGrid(counts)
}

function isGrid({ rows, loops, sources, targets }: Counts) {
  return loops > 0 && rows >= sources * targets
}

/**
 * Returns whether columns with names such as `parent` and `child`, which measurements may also have, are edge endpoints. Text
 * is accepted, but if the names are vague, the columns must have values in common. Whole numbers must be ids: a third (in few
 * rows, half) of those on one side also occur on the other side, and either they start near 0, which heights do not, or each
 * occurs once on one side, as in a tree. A column of row numbers contains no node ids, unless the targets are also distinct, as
 * in a cycle.
 */
export function confirmEnds(rows: readonly Row[], ends: Ends, areVague = false): boolean {
  const evidence = evidenceIn(rows, ends)
  const { areNumbers, values, sources, targets, shared } = evidence
  if (values.length === 0) return true
  const isSparse = areSparse(evidence, areNumbers ? RARE.numbers : RARE.names)
  if (!areNumbers) return !areVague || (shared * SHARED >= values.length && isSparse)
  if (!isSparse || shared * (evidence.rows < MANY ? 2 : 3) < Math.min(sources, targets) || !values.every(isWhole))
    return false
  if (targets < evidence.rows && isNumbered(rows, ends.source)) return false
  const numbers = values.map(Number)
  const min = numbers.reduce((a, b) => Math.min(a, b))
  const hasKey = evidence.rows > FEW && (sources === evidence.rows || targets === evidence.rows)
  return hasKey || numbers.some((number) => number >= 2 * min)
}

function isWhole(cell: string) {
  return /^\d{1,15}(?:\.0)?$/.test(cell)
}

/** Returns whether the column contains the row numbers, starting at 0 or 1. */
function isNumbered(rows: readonly Row[], index: number) {
  const first = Number(rows[0]?.cells[index])
  return rows.length >= FEW && first <= 1 && rows.every(({ cells }, row) => Number(cells[index]) === first + row)
}

/**
 * Returns whether the only two columns are edge endpoints: they contain text, and either have values in common or pair one
 * value on the left with several on the right. Otherwise the right column describes the left one, like a country and its
 * capital. A pair of rows without a header is accepted.
 */
export function areLinked(rows: readonly Row[], ends: Ends, hasHeader: boolean): boolean {
  const { rows: count, areNumbers, sources, targets, shared, pairs } = evidenceIn(rows, ends)
  if (areNumbers && hasHeader) return false
  return (!hasHeader && count > 1 && count < FEW) || shared > 0 || pairs > sources || (!hasHeader && pairs > targets)
}

/**
 * Returns whether columns with unknown names are endpoints because they have text in common, or long ids. Smaller numbers are
 * not evidence, since measurements share them by chance.
 */
export function shareNames(counts: Counts, areNumbers: boolean, areLongIds: boolean): boolean {
  const { rows, sources, targets, shared } = counts
  if (!areNumbers) return areSparse(counts, RARE.names)
  const isOften = shared * 2 >= Math.min(sources, targets) && rows > Math.min(sources, targets)
  return areLongIds && isOften && areSparse(counts, RARE.numbers)
}

/**
 * Returns whether the only two columns, whatever their names, contain numbered nodes: consecutive numbers from 0 or 1, in twice
 * as many rows, none of which repeats another or joins a number to itself. Among that many measurements, some rows would.
 */
export function areNumberedNodes(rows: readonly Row[], { source, target }: Ends): boolean {
  const values = new Set<number>()
  const pairs = new Set<string>()
  let max = 0
  for (const { cells } of rows) {
    const [from = '', to = ''] = [cells[source], cells[target]]
    const pair = `${from} ${to}`
    if (from === to || pairs.has(pair) || !isWhole(from) || !isWhole(to)) return false
    pairs.add(pair)
    values.add(Number(from)).add(Number(to))
    max = Math.max(max, Number(from), Number(to))
  }
  return (values.has(0) || values.has(1)) && rows.length >= values.size * 2 && max <= values.size * 2
}

/** Returns whether a cell may be a long id. */
export function isLongId(cell: string): boolean {
  return LONG_ID.test(cell)
}

/**
 * Returns whether the first columns of a list without a header may be ids. They are not if the list assigns each numbered node
 * to a module. In lists of more than two columns, they are not if many rows join a value to itself, or if the rows are all
 * combinations of two lists, as in a grid of plots.
 */
export function mayBeIds(rows: readonly Row[], ends: Ends, width: number): boolean {
  const counts = evidenceIn(rows, ends)
  const { rows: count, loops, targets } = counts
  if (loops > 0 && (loops === count || (targets * 2 <= count && isNumbered(rows, ends.source)))) return false
  return width === 2 || areSparse(counts, RARE.lists)
}

/**
 * Returns the two columns that contain only these ids, or the first two columns if there are more. Small numbers are no evidence.
 */
export function endsWithin(
  rows: readonly Row[],
  width: number,
  ids: Pick<ReadonlySet<string>, 'has'>
): Ends | undefined {
  const isId = (cell = '') => ids.has(cell) && (!isNumber(cell) || isLongId(cell))
  const within = Array.from({ length: width }, (_, index) => index).filter((index) =>
    rows.every(({ cells }) => isId(cells[index]))
  )
  const [source, target] = within
  const areClear = within.length === 2 || (source === 0 && target === 1)
  return rows.length > 0 && source !== undefined && target !== undefined && areClear ? { source, target } : undefined
}
