import { useSearchParams } from 'wouter'

export interface ListState {
  /** The page number, counted from 0. */
  page: number
  size: number
  sort: { field: string; direction: 'asc' | 'desc' }
  /** The query parameters for the API. */
  query: { page: number; size: number; sort: string[] }
  /** Returns the value of a filter, or undefined if it is not set. */
  get(name: string): string | undefined
  /**
   * Sets or removes parameters of the address. Goes to the first page unless the changes include a page. The Back button undoes
   * the changes.
   */
  set(changes: Record<string, string | undefined>): void
  /** Goes to another page, replacing the current entry in the browser's history. */
  correct(page: number): void
}

/** Returns the state of a list. The state is stored in the address, so that links and the Back button restore it. */
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
    set: (changes) => change({ page: undefined, ...changes }, !('page' in changes)),
    correct: (page) => change({ page: page === 0 ? undefined : String(page) }, true)
  }

  function change(changes: Record<string, string | undefined>, replace: boolean) {
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        for (const [name, value] of Object.entries(changes)) {
          if (value === undefined || value === '') after.delete(name)
          else after.set(name, value)
        }
        return after
      },
      { replace }
    )
  }
}

function numberOf(value: string | null, fallback: number, least: number, most: number) {
  const number = Number(value ?? fallback)
  return Number.isInteger(number) && number >= least && number <= most ? number : fallback
}
