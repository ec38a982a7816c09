/** Settings for a call. */
export interface ListOptions {
  /** Aborts the call. */
  signal?: AbortSignal
}

/** The number of rows per page, unless the query sets `size`. */
export const PAGE_SIZE = 200

/**
 * Yields the rows of all pages of a list. `fetchPage` fetches the page after a cursor; for the first page, the cursor is empty.
 */
export async function* walk<Row>(
  fetchPage: (cursor: string) => Promise<{ data?: Row[] | undefined; response: Response }>
): AsyncGenerator<Row, void, undefined> {
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { data = [], response } = await fetchPage(cursor)
    yield* data
    cursor = response.headers.get('x-next-cursor')
  }
}
