import type { Value } from '../model/attributes.ts'
import { collator } from '../model/collator.ts'

/** The values by which nodes are ordered, ascending by default. */
export interface Order {
  values: readonly Value[]
  isDescending?: boolean
}

/**
 * Sorts nodes by value: numbers first, then strings, or the other way round, then nodes without a value. The sort is stable.
 */
export function orderOf({ values, isDescending = false }: Order): number[] {
  const compareValues = isDescending ? (one: Value, other: Value) => compare(other, one) : compare
  const isMissing = (node: number) => Number(rankOf(values[node]) === MISSING)
  return [...values.keys()].sort(
    (one, other) => isMissing(one) - isMissing(other) || compareValues(values[one], values[other])
  )
}

function compare(one: Value, other: Value): number {
  const byRank = rankOf(one) - rankOf(other)
  if (byRank !== 0 || one === undefined || other === undefined) return byRank
  return typeof one === 'number' && typeof other === 'number'
    ? one - other
    : collator.compare(String(one), String(other))
}

const MISSING = 2

function rankOf(value: Value): number {
  return value === undefined || Number.isNaN(value) ? MISSING : typeof value === 'string' ? 1 : 0
}
