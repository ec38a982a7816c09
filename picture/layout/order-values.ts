import type { Value } from '../model/attributes.ts'
import { collator } from '../model/collator.ts'

/** Sorts nodes by value: numbers first, then strings, then nodes without a value. The sort is stable. */
export function orderOf(values: readonly Value[]): number[] {
  return [...values.keys()].sort((one, other) => compare(values[one], values[other]))
}

function compare(one: Value, other: Value): number {
  const byRank = rankOf(one) - rankOf(other)
  if (byRank !== 0 || one === undefined || other === undefined) return byRank
  return typeof one === 'number' && typeof other === 'number'
    ? one - other
    : collator.compare(String(one), String(other))
}

function rankOf(value: Value): number {
  return value === undefined || Number.isNaN(value) ? 2 : typeof value === 'string' ? 1 : 0
}
