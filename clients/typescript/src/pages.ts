/** Settings of one list. */
export interface ListOptions {
  /** Ends the list early. */
  signal?: AbortSignal
}

/** The number of rows that each request for a list asks for, unless its query sets another. */
export const PAGE_SIZE = 200

/** Yields the rows of all pages of a list. The function fetches the page after a cursor; the first page has the cursor ''. */
export async function* walk<Row>(
  fetchPage: (cursor: string) => Promise<{ data?: Row[] | undefined; response: Response }>
): AsyncGenerator<Row, void, undefined> {
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { data = [], response } = await fetchPage(cursor)
    yield* data
    cursor = response.headers.get('x-next-cursor')
  }
}
