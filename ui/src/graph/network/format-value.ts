import * as formats from '../../../../picture/model/formatting.ts'
import { formatNumber, language } from '../../text/index.ts'
import type { Attribute, Value } from './attributes.ts'

/** Formats a number of an attribute in the user's language. */
export const formatNumberAs = formats.formatNumbersIn(language, formatNumber)

/** Formats a value for a table. */
export const formatValue = (value: Value, attribute: Pick<Attribute, 'isComputed' | 'format'>) =>
  formats.formatValue(value, attribute, formatNumberAs)

/** Formats a value for labels and details, where numbers without a format keep all their digits. */
export const textOf = (value: Value, { format }: Pick<Attribute, 'format'>) =>
  formats.textOf(value, format, formatNumberAs)
