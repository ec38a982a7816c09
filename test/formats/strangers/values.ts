import type { Stranger } from './stranger.ts'

/** Numbers, words and encodings of other countries, and the error values of spreadsheets. */
export const values: Stranger[] = [['csv-ja-sjis.csv', { faults: [['malformed-encoding', 1]] }]]
