import * as formats from '../../../../picture/model/formatting.ts'
import { formatNumber } from '../../text/index.ts'
import type { Attribute, Value } from './attributes.ts'

/** Returns a value as text, in the format of its attribute. */
export const textOf = (value: Value, { format }: Pick<Attribute, 'format'>) =>
  formats.textOf(value, format, formatNumber)
