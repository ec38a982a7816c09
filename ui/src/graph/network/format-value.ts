import { formatNumber } from '../../text/index.ts'
import type { Value } from './attributes.ts'

/** Returns a value of a table as it is shown. Stored numbers are shown as exactly as they are stored. */
export function formatValue(value: Value, isComputed = false) {
  return typeof value === 'number' && (isComputed || Number.isInteger(value)) ? formatNumber(value) : value
}
