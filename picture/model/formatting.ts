import { decimalFormats, type Formats, type NumberFormat } from './number-formats.ts'
import { entriesOf } from './value-colours.ts'

/** Formats a number in one language. Without a format, it decides how many decimals to show. */
export type FormatNumber = (value: number, format?: NumberFormat) => string

/** Returns a function that formats numbers in a language. `automatic` formats those without a format. */
export function formatNumbersIn(language: string, automatic: (value: number) => string): FormatNumber {
  const known = new Map<NumberFormat, Intl.NumberFormat>()
  return (value, format = 'grouped') => {
    if (format === 'plain') return String(value)
    if (format === 'grouped') return automatic(value)
    const numbers = known.get(format) ?? new Intl.NumberFormat(language, optionsOf(format))
    known.set(format, numbers)
    return numbers.format(value)
  }
}

function optionsOf(format: 'percent' | (typeof decimalFormats)[number]): Intl.NumberFormatOptions {
  if (format === 'percent') return { style: 'percent', maximumFractionDigits: 1 }
  const digits = decimalFormats.indexOf(format)
  return { minimumFractionDigits: digits, maximumFractionDigits: digits }
}

interface Formatted {
  key: string
  isNumber: boolean
  format?: NumberFormat
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

/** Returns a value of an attribute as text. Without a format, numbers keep all their digits. */
export function textOf(value: Value, format: NumberFormat | undefined, formatNumber: FormatNumber): string {
  return format && value !== undefined ? formatNumber(Number(value), format) : String(value ?? '')
}

/** Returns a value as a table shows it. Without a format, stored numbers keep all their decimals. */
export function formatValue(
  value: Value,
  { isComputed, format }: { isComputed?: boolean; format?: NumberFormat },
  formatNumber: FormatNumber
): Value {
  if (typeof value !== 'number') return value
  return format || isComputed || Number.isInteger(value) ? formatNumber(value, format) : value
}
