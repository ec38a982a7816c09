import { useSearchParams } from 'wouter'

export interface ListState {
  /** From 0. */
  page: number
  size: number
  sort: { field: string; direction: 'asc' | 'desc' }
  /** For the API. */
  query: { page: number; size: number; sort: string[] }
  /** A filter of this name; undefined where it is not set. */
  get(name: string): string | undefined
  /** Sets parameters of the address, or removes them; back to the first page unless it says which. */
  set(changes: Record<string, string | undefined>): void
}

/** What part of a list is shown, as the address says: it can be sent to somebody, and Back goes back. */
export function useListState(defaultSort: string): ListState {
  const [params, setParams] = useSearchParams()
  const sort = params.get('sort') ?? defaultSort
  const [field = 'id', direction] = sort.split(',')
  const page = numberOf(params.get('page'), 0, 0, 2 ** 31 - 1)
  const size = numberOf(params.get('size'), 20, 1, 1000)
  return {
    page,
    size,
    sort: { field, direction: direction === 'desc' ? 'desc' : 'asc' },
    query: { page, size, sort: [sort] },
    get: (name) => params.get(name) ?? undefined,
    set: (changes) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before)
          for (const [name, value] of Object.entries({ page: undefined, ...changes })) {
            if (value === undefined || value === '') after.delete(name)
            else after.set(name, value)
          }
          return after
        },
        { replace: true }
      )
  }
}

function numberOf(value: string | null, fallback: number, least: number, most: number) {
  const number = Number(value ?? fallback)
  return Number.isInteger(number) && number >= least && number <= most ? number : fallback
}
