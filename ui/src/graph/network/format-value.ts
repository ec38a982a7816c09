import { formatNumber } from '../../text/index.ts'
import type { Attribute, Value } from './attributes.ts'

/** Formats a value for a table. Stored numbers keep their full precision, and years have no thousands separators. */
export function formatValue(value: Value, { isComputed, isYear }: Pick<Attribute, 'isComputed' | 'isYear'>) {
  if (typeof value !== 'number' || isYear) return value
  return isComputed || Number.isInteger(value) ? formatNumber(value) : value
}
