import { decimalFormats, type Formats, type WrittenFormat } from './number-formats.ts'
import { entriesOf } from './value-colours.ts'

/** Formats a number in one language. Without a format, it decides how many decimals to show. */
export type FormatNumber = (value: number, format?: WrittenFormat) => string

/** Returns a function that formats numbers in a language. `automatic` formats those without a format. */
export function formatNumbersIn(language: string, automatic: (value: number) => string): FormatNumber {
  const known = new Map<WrittenFormat, Intl.NumberFormat>()
  return (value, format = 'grouped') => {
    const plain = String(value)
    // Numbers below 10^-6, and from 10^21, have exponents.
    if (format === 'plain' || (format === 'exact' && plain.includes('e'))) return plain
    if (format === 'grouped') return automatic(value)
    const numbers = known.get(format) ?? new Intl.NumberFormat(language, optionsOf(format))
    known.set(format, numbers)
    // From text, because some browsers write the digits of 0.1 that follow in binary.
    return numbers.format(format === 'exact' ? (plain as `${number}`) : value)
  }
}

function optionsOf(format: 'exact' | 'percent' | (typeof decimalFormats)[number]): Intl.NumberFormatOptions {
  // A number has at most 17 significant digits.
  if (format === 'exact') return { maximumSignificantDigits: 17 }
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
