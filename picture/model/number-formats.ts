import type { ViewStyle } from '../../schemas/style.ts'

export type Formats = NonNullable<NonNullable<ViewStyle['nodes']>['formats']>
export type NumberFormat = Formats[string]

/** The format of stored numbers without a chosen one is `exact`: grouped, with all their decimals. */
export type WrittenFormat = NumberFormat | 'exact'

/** The formats with a fixed number of decimals, which is the index. */
export const decimalFormats = ['decimals-0', 'decimals-1', 'decimals-2', 'decimals-3', 'decimals-4'] as const

/** The formats from which a style may choose. */
export const numberFormats = ['plain', 'grouped', ...decimalFormats, 'percent'] as const satisfies NumberFormat[]
