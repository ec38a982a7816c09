import { type TProperties, Type } from '@sinclair/typebox'
import { closed, digits, idDigits, optionalText } from './types.ts'

/** An id in a path, as digits up to the largest int64. */
export const IdParameter = Type.Object({
  id: idDigits({ description: 'The id.', examples: ['7'] })
})

export const ifMatch = Type.Object({
  'if-match': optionalText({ description: 'Succeeds only if the graph is in one of these states (RFC 9110).' })
})

export const ifNoneMatch = Type.Object({
  'if-none-match': optionalText({ description: 'Succeeds only if the graph is in none of these states.' })
})

/** An empty query. All parameters are refused. */
export const NoQuery = closed({})

export const DEFAULT_SIZE = 20
const MAX_SIZE = 1000

/** Returns the query schema for a list: its filters, sorting and pagination. */
export function listQuery<T extends TProperties>(filters: T, sorts: readonly string[]) {
  return closed({
    ...filters,
    page: Type.Optional(
      digits(0, 2147483647, { description: 'The page number, starting at 0 (the default).', examples: ['0'] })
    ),
    size: Type.Optional(
      digits(1, MAX_SIZE, {
        description: `The number of rows per page, ${DEFAULT_SIZE} by default.`,
        examples: ['20']
      })
    ),
    sort: Type.Optional(
      Type.Array(Type.String({ pattern: `^(?:${sorts.join('|')})(?:,(?:asc|desc))?$` }), {
        maxItems: sorts.length,
        description:
          'A field and its sort direction; can be repeated. Rows with equal values are ordered by id, versions by number.',
        examples: [[`${sorts[1]},desc`]]
      })
    ),
    cursor: optionalText({
      description:
        'An alternative to `page`. Start with an empty value and continue with the `next` link. Every page takes the same time to fetch, and each row that exists throughout is returned exactly once.'
    })
  })
}

export interface ListQuery {
  page?: string
  size?: string
  sort?: string[]
  cursor?: string
}

/** A field and direction by which to sort a list. */
export interface Sort {
  field: string
  direction: 'asc' | 'desc'
}

/** A value to sort rows by, as contained in cursors. */
export type SortKey = string | number

/** The part of a list that a query requests. */
export interface Slice {
  /** The last sort is by a unique field, which makes the order total. */
  sorts: Sort[]
  limit: number
  offset: number
  /** The sort keys of the row before the first requested one (keyset pagination). */
  after: SortKey[] | undefined
}
