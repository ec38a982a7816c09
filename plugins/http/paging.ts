import { DEFAULT_SIZE, type ListQuery, type Slice, type Sort, type SortKey } from '../../schemas/parameters.ts'
import { faultAs, invalid } from '../../schemas/problem-catalogue.ts'
import { isSignature } from './signatures.ts'

/** A list that is read page by page, by number or by cursor. */
export interface Listing<Row> {
  /** The path of its links. */
  path: string
  /** The last tie-break: a field that no two rows share, by default `id`. */
  key?: string
  /** The direction of the tie-break, which is the order unless the query sorts. */
  direction: 'asc' | 'desc'
  rows(slice: Slice): Promise<Row[]>
  /** Counts the rows; absent for a list that is read by cursor alone. */
  count?: () => Promise<number>
  /** Returns the number of the first rows that fit on a page, by default all. */
  fitting?(rows: Row[]): number
  /** Returns the rows of a page as they are sent, by default as they are. */
  show?(rows: Row[]): Promise<unknown[]>
  /** Returns the value of the field by which lists are sorted. */
  sortKey(row: Row, field: string): SortKey
}

/** A request for a page of a list. */
export interface PageRequest<Row> extends Listing<Row> {
  query: ListQuery & Record<string, unknown>
  /** The actor to whom its cursors belong. */
  caller: string
  /** Returns the signature of a cursor. */
  sign: (text: string) => string
}

export interface Page<Row> {
  rows: Row[]
  headers: Record<string, string>
}

/** Returns the page that the query asks for, with the headers that describe it. Throws `cursor-invalid`. */
export async function fetchPage<Row>(request: PageRequest<Row>): Promise<Page<Row>> {
  const { query } = request
  if (query.cursor !== undefined && query.page !== undefined) {
    throw invalid({ parameter: 'page', code: 'not-with-cursor', detail: 'cannot be together with cursor' })
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

  // A page beyond the end has no row, but its cursor goes on from the last row of the list.
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
  // One more than asked for tells whether there is a next page.
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

/** Many clients and proxies refuse answers with headers of more than 4 to 16 KiB, and each link repeats the query. */
const MAX_LINKS = 2048

/** Returns the header of these links; if they are long, of the next page alone. */
function linksOf(links: string[]) {
  const header = links.join(', ')
  return header.length > MAX_LINKS ? (links.find((link) => link.endsWith('rel="next"')) ?? '') : header
}

/** Returns sorts such as `["name,desc"]`, with the key as the last. Throws if a field is named twice. */
function sortsOf(texts: string[], { key = 'id', direction }: Pick<Listing<never>, 'key' | 'direction'>): Sort[] {
  const sorts = texts.map((text) => {
    const [field = '', given] = text.split(',')
    return { field, direction: given === 'desc' ? 'desc' : 'asc' } as Sort
  })
  const fields = sorts.map(({ field }) => field)
  if (new Set(fields).size < fields.length) {
    throw invalid({ parameter: 'sort', code: 'repeated', detail: 'names a field twice' })
  }
  return fields.includes(key) ? sorts : [...sorts, { field: key, direction }]
}

/** Returns the parameters of the query that links to other pages keep, each followed by `&`. */
function keptOf({ query }: Pick<PageRequest<never>, 'query'>) {
  const { page: _page, size: _size, cursor: _cursor, ...rest } = query
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(rest)) {
    for (const item of [value].flat()) parameters.append(name, String(item))
  }
  return parameters.size === 0 ? '' : `${parameters}&`
}

/** A cursor belongs to one list, filter and caller. */
type Binding = Pick<PageRequest<never>, 'path' | 'query' | 'caller' | 'sign'>

/** Returns the cursor of the rows after this one, which is opaque to clients: its sort keys, signed together with the binding. */
function cursorAfter<Row>(request: PageRequest<Row>, sorts: Sort[], row: Row | undefined) {
  const keys = row === undefined ? [] : sorts.map(({ field }) => request.sortKey(row, field))
  const payload = Buffer.from(JSON.stringify(keys)).toString('base64url')
  return `${payload}.${signature(request, sorts, payload)}`
}

/** Returns the sort keys of the row before the page; undefined for the start of the list. Throws `cursor-invalid`. */
function readCursor(request: Binding, sorts: Sort[], cursor: string): SortKey[] | undefined {
  const [payload = '', signed = '', ...rest] = cursor.split('.')
  if (rest.length > 0 || !isSignature(signed, signature(request, sorts, payload))) {
    throw faultAs({ parameter: 'cursor', code: 'cursor-invalid', detail: 'is not of this list' })
  }
  const keys = JSON.parse(Buffer.from(payload, 'base64url').toString()) as SortKey[]
  return keys.length > 0 ? keys : undefined
}

function signature({ path, query, caller, sign }: Binding, sorts: Sort[], payload: string) {
  const { page: _page, size: _size, cursor: _cursor, sort: _sort, ...filter } = query
  const bound = JSON.stringify([path, Object.entries(filter).sort(), sorts, caller, payload])
  return sign(bound)
}
