import { DEFAULT_SIZE, type ListQuery, type Slice, type Sort, type SortKey } from '../../schemas/parameters.ts'
import { faultAs, invalid } from '../../schemas/problem-catalogue.ts'
import { isSignature } from './signatures.ts'

/** A list that clients read page by page, by number or by cursor. */
export interface Listing<Row> {
  /** The path to use in links to its pages. */
  path: string
  /** The final tie-breaker: a field that is unique to each row; `id` by default. */
  key?: string
  /** The direction of the tie-breaker, which is the only sort key by default. */
  direction: 'asc' | 'desc'
  /** Whether a row may be several kilobytes long. Long pages are then read and serialized in batches. */
  hasLongRows?: boolean
  rows(slice: Slice): Promise<Row[]>
  /** Counts the rows. Undefined if the list can only be read by cursor. */
  count?: () => Promise<number>
  /** Returns how many of the first rows fit on a page; by default, all of them. */
  fitting?(rows: Row[]): number
  /** Converts the rows of a page for the response; by default, leaves them unchanged. */
  show?(rows: Row[]): Promise<unknown[]>
  /** Returns the value of a field to sort by. */
  sortKey(row: Row, field: string): SortKey
}

/** A request for a page of a list. */
export interface PageRequest<Row> extends Listing<Row> {
  query: ListQuery & Record<string, unknown>
  /** The actor to whom the cursors belong. */
  caller: string
  /** Signs a cursor. */
  sign: (text: string) => string
}

export interface Page<Row> {
  rows: Row[]
  headers: Record<string, string>
}

/** Returns the requested page, with headers that describe it. Throws `cursor-invalid`. */
export async function fetchPage<Row>(request: PageRequest<Row>): Promise<Page<Row>> {
  const { query } = request
  if (query.cursor !== undefined && query.page !== undefined) {
    throw invalid({ parameter: 'page', code: 'not-with-cursor', detail: 'cannot be combined with cursor' })
  }
  const sorts = sortsOf(query.sort ?? [], request)
  const size = Number(query.size ?? DEFAULT_SIZE)
  const { count } = request
  return query.cursor === undefined && count
    ? pageByNumber({ ...request, count }, sorts, size, Number(query.page ?? 0))
    : pageByCursor(request, sorts, size, query.cursor ?? '')
}

async function pageByNumber<Row>(
  request: PageRequest<Row> & Required<Pick<Listing<Row>, 'count'>>,
  sorts: Sort[],
  size: number,
  page: number
): Promise<Page<Row>> {
  const [total, rows] = await Promise.all([
    request.count(),
    request.rows({ sorts, limit: size, offset: page * size, after: undefined })
  ])
  const last = Math.max(0, Math.ceil(total / size) - 1)
  const parameters = keptOf(request)
  const link = (number: number) => `${request.path}?${parameters}page=${number}&size=${size}`
  const links = [`<${link(0)}>; rel="first"`]
  if (page > 0) links.push(`<${link(Math.min(page - 1, last))}>; rel="prev"`)
  if (page < last) links.push(`<${link(page + 1)}>; rel="next"`)
  links.push(`<${link(last)}>; rel="last"`)

  // A page beyond the end has no rows, but its cursor continues after the list's last row.
  const beyond = rows.length === 0 && total > 0
  const end = beyond ? await request.rows({ sorts, limit: 1, offset: total - 1, after: undefined }) : rows
  return {
    rows,
    headers: {
      'x-total-count': String(total),
      link: linksOf(links),
      'x-next-cursor': cursorAfter(request, sorts, end.at(-1))
    }
  }
}

async function pageByCursor<Row>(
  request: PageRequest<Row>,
  sorts: Sort[],
  size: number,
  cursor: string
): Promise<Page<Row>> {
  const after = cursor === '' ? undefined : readCursor(request, sorts, cursor)
  // Requests one extra row to determine whether there is a next page.
  const found = await request.rows({ sorts, limit: size + 1, offset: 0, after })
  const rows = found.slice(0, Math.min(size, request.fitting?.(found) ?? size))
  const parameters = keptOf(request)
  const link = (cursor: string) => `${request.path}?${parameters}cursor=${cursor}&size=${size}`
  const links = [`<${link('')}>; rel="first"`]
  const headers: Record<string, string> = {}
  if (found.length > rows.length) {
    const next = cursorAfter(request, sorts, rows.at(-1))
    links.push(`<${link(next)}>; rel="next"`)
    headers['x-next-cursor'] = next
  }
  return { rows, headers: { ...headers, link: linksOf(links) } }
}

/**
 * The maximum length of the Link header, in characters. Many clients and proxies reject headers of more than 4 to 16 KiB, and
 * each link repeats the query.
 */
const MAX_LINKS = 2048

/** Returns the Link header for these links, or only the link to the next page if the header would be too long. */
function linksOf(links: string[]) {
  const header = links.join(', ')
  return header.length > MAX_LINKS ? (links.find((link) => link.endsWith('rel="next"')) ?? '') : header
}

/** Parses sorts such as `["name,desc"]`, and appends the key. Throws if a field occurs twice. */
function sortsOf(texts: string[], { key = 'id', direction }: Pick<Listing<never>, 'key' | 'direction'>): Sort[] {
  const sorts = texts.map((text) => {
    const [field = '', given] = text.split(',')
    return { field, direction: given === 'desc' ? 'desc' : 'asc' } as Sort
  })
  const fields = sorts.map(({ field }) => field)
  if (new Set(fields).size < fields.length) {
    throw invalid({ parameter: 'sort', code: 'repeated', detail: 'lists a field twice' })
  }
  return fields.includes(key) ? sorts : [...sorts, { field: key, direction }]
}

/** Returns the query parameters to keep in links to other pages, followed by `&`. */
function keptOf({ query }: Pick<PageRequest<never>, 'query'>) {
  const { page: _page, size: _size, cursor: _cursor, ...rest } = query
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(rest)) {
    for (const item of [value].flat()) parameters.append(name, String(item))
  }
  return parameters.size === 0 ? '' : `${parameters}&`
}

/** The list, filter and caller that a cursor is bound to. */
type Binding = Pick<PageRequest<never>, 'path' | 'query' | 'caller' | 'sign'>

/**
 * Returns the cursor for the rows after this one. It contains the sort keys, signed together with the binding, and is opaque to
 * clients.
 */
function cursorAfter<Row>(request: PageRequest<Row>, sorts: Sort[], row: Row | undefined) {
  const keys = row === undefined ? [] : sorts.map(({ field }) => request.sortKey(row, field))
  const payload = Buffer.from(JSON.stringify(keys)).toString('base64url')
  return `${payload}.${signature(request, sorts, payload)}`
}

/** Returns the sort keys of the last row before the page, or undefined at the start of the list. Throws `cursor-invalid`. */
function readCursor(request: Binding, sorts: Sort[], cursor: string): SortKey[] | undefined {
  const [payload = '', signed = '', ...rest] = cursor.split('.')
  if (rest.length > 0 || !isSignature(signed, signature(request, sorts, payload))) {
    throw faultAs({ parameter: 'cursor', code: 'cursor-invalid', detail: 'does not belong to this list' })
  }
  const keys = JSON.parse(Buffer.from(payload, 'base64url').toString()) as SortKey[]
  return keys.length > 0 ? keys : undefined
}

function signature({ path, query, caller, sign }: Binding, sorts: Sort[], payload: string) {
  const { page: _page, size: _size, cursor: _cursor, sort: _sort, ...filter } = query
  const bound = JSON.stringify([path, Object.entries(filter).sort(), sorts, caller, payload])
  return sign(bound)
}
