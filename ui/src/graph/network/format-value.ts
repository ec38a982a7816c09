import { formatNumber } from '../../text/index.ts'
import type { Value } from './attributes.ts'

/** Formats a value for a table. Stored numbers keep their full precision. */
export function formatValue(value: Value, isComputed = false) {
  return typeof value === 'number' && (isComputed || Number.isInteger(value)) ? formatNumber(value) : value
}
