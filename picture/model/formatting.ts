import { decimalFormats, type Formats, type WrittenFormat } from './number-formats.ts'
import { entriesOf } from './value-colours.ts'

/** Formats a number in one language. Without a format, it is grouped. */
export type FormatNumber = (value: number, format?: WrittenFormat) => string

/** Numbers that are closer to 0, or at least as far from it, have exponents. */
const [TINY, HUGE] = [1e-4, 1e15]

/** Returns whether numbers like this one have exponents, unless a format with a fixed number of decimals is chosen. */
export function hasExponent(value: number): boolean {
  const size = Math.abs(value)
  return value !== 0 && (size < TINY || size >= HUGE)
}

/** Returns a function that formats numbers in a language. */
export function formatNumbersIn(language: string): FormatNumber {
  const known = new Map<string, Intl.NumberFormat>()
  return (value, format = 'grouped') => {
    if (format === 'plain') return String(value)
    const isScientific = (format === 'exact' || format === 'grouped') && hasExponent(value)
    const key = isScientific ? `${format} e` : format
    const numbers = known.get(key) ?? new Intl.NumberFormat(language, optionsOf(format, isScientific))
    known.set(key, numbers)
    // From text, because some browsers write the digits of 0.1 that follow in binary.
    const text = numbers.format(format === 'exact' ? (String(value) as `${number}`) : value)
    return isScientific ? text.replace('E', 'e') : text
  }
}

/** Returns the options for a format. The usual one has up to three decimals, or more if needed for three significant digits. */
function optionsOf(format: Exclude<WrittenFormat, 'plain'>, isScientific: boolean): Intl.NumberFormatOptions {
  const notation = isScientific ? 'scientific' : 'standard'
  // A number has at most 17 significant digits.
  if (format === 'exact') return { maximumSignificantDigits: 17, notation }
  if (format === 'grouped' && isScientific) return { maximumSignificantDigits: 3, notation }
  if (format === 'grouped')
    return { maximumFractionDigits: 3, maximumSignificantDigits: 3, roundingPriority: 'morePrecision' }
  if (format === 'percent') return { style: 'percent', maximumFractionDigits: 2 }
  const digits = decimalFormats.indexOf(format)
  return { minimumFractionDigits: digits, maximumFractionDigits: digits }
}

interface Formatted {
  key: string
  isNumber: boolean
  format?: WrittenFormat
}

/** Returns the attributes with the formats that a style gives to those that contain numbers, by key. */
export function withFormats<T extends Formatted>(attributes: T[], formats: Formats | undefined): T[] {
  const given = entriesOf(formats)
  if (given.size === 0) return attributes
  return attributes.map((attribute) => {
    const format = attribute.isNumber ? given.get(attribute.key) : undefined
    return format ? { ...attribute, format } : attribute
  })
}

type Value = string | number | undefined

/** Returns a value of an attribute as text, in the format of the attribute if all its values are numbers. */
export function textOf(value: Value, format: WrittenFormat | undefined, formatNumber: FormatNumber): string {
  return format && value !== undefined ? formatNumber(Number(value), format) : String(value ?? '')
}
