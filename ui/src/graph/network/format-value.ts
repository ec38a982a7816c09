import * as formats from '../../../../picture/model/formatting.ts'
import { formatNumber, language } from '../../text/index.ts'
import type { Attribute, Value } from './attributes.ts'

/** Formats a number of an attribute in the user's language. */
export const formatNumberAs = formats.formatNumbersIn(language, formatNumber)

/** Returns a value as text, in the format of its attribute. */
export const textOf = (value: Value, { format }: Pick<Attribute, 'format'>) =>
  formats.textOf(value, format, formatNumberAs)
