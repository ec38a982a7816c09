import { hash, timingSafeEqual } from 'node:crypto'
import { invalid, ProblemError } from '../../schemas/errors.ts'
import { DEFAULT_SIZE, type ListQuery, type Slice, type Sort, type SortKey } from '../../schemas/parameters.ts'

/** A list as the contract pages it: by number, or by cursor. */
export interface Listing<Row> {
  /** Its path, for links. */
  path: string
  query: ListQuery & Record<string, unknown>
  /** The last tie-break: the field that no two rows share, `id` by default. */
  key?: string
  /** Its direction, which is the order where none is asked for. */
  direction: 'asc' | 'desc'
  /** To whom a cursor belongs. */
  caller: string
  cursorKey: Buffer
  rows(slice: Slice): Promise<Row[]>
  count(): Promise<number>
  /** What the row is sorted by in this field. */
  sortKey(row: Row, field: string): SortKey
}

export interface Page<Row> {
  rows: Row[]
  headers: Record<string, string>
}

/** Fetches the page that the query asks for, with the headers that describe it. Throws `cursor-invalid`. */
export async function fetchPage<Row>(listing: Listing<Row>): Promise<Page<Row>> {
  const { query } = listing
  if (query.cursor !== undefined && query.page !== undefined) {
    throw invalid({ parameter: 'page', code: 'not-with-cursor', detail: 'cannot be together with cursor' })
  }
  const sorts = sortsOf(query.sort ?? [], listing)
  const size = Number(query.size ?? DEFAULT_SIZE)
  return query.cursor === undefined
    ? pageByNumber(listing, sorts, size, Number(query.page ?? 0))
    : pageByCursor(listing, sorts, size, query.cursor)
}

async function pageByNumber<Row>(listing: Listing<Row>, sorts: Sort[], size: number, page: number): Promise<Page<Row>> {
  const [total, rows] = await Promise.all([
    listing.count(),
    listing.rows({ sorts, limit: size, offset: page * size, after: undefined })
  ])
  const last = Math.max(0, Math.ceil(total / size) - 1)
  const parameters = keptOf(listing)
  const link = (number: number) => `${listing.path}?${parameters}page=${number}&size=${size}`
  const links = [`<${link(0)}>; rel="first"`]
  if (page > 0) links.push(`<${link(Math.min(page - 1, last))}>; rel="prev"`)
  if (page < last) links.push(`<${link(page + 1)}>; rel="next"`)
  links.push(`<${link(last)}>; rel="last"`)

  // Beyond the end there is no row to go on from, but the list may have one.
  const beyond = rows.length === 0 && total > 0
  const end = beyond ? await listing.rows({ sorts, limit: 1, offset: total - 1, after: undefined }) : rows
  return {
    rows,
    headers: {
      'x-total-count': String(total),
      link: links.join(', '),
      'x-next-cursor': cursorAfter(listing, sorts, end.at(-1))
    }
  }
}

async function pageByCursor<Row>(
  listing: Listing<Row>,
  sorts: Sort[],
  size: number,
  cursor: string
): Promise<Page<Row>> {
  const after = cursor === '' ? undefined : readCursor(listing, sorts, cursor)
  // One more than asked for tells whether there is a next page.
  const rows = await listing.rows({ sorts, limit: size + 1, offset: 0, after })
  const parameters = keptOf(listing)
  const link = (cursor: string) => `${listing.path}?${parameters}cursor=${cursor}&size=${size}`
  const links = [`<${link('')}>; rel="first"`]
  const headers: Record<string, string> = {}
  if (rows.length > size) {
    rows.pop()
    const next = cursorAfter(listing, sorts, rows.at(-1))
    links.push(`<${link(next)}>; rel="next"`)
    headers['x-next-cursor'] = next
  }
  return { rows, headers: { ...headers, link: links.join(', ') } }
}

/** `["name,desc"]` as sorts, with the key as the last. Throws where a field stands twice. */
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

/** Every parameter of the query that is not about paging, for links to other pages, each followed by `&`. */
function keptOf({ query }: Pick<Listing<never>, 'query'>) {
  const { page: _page, size: _size, cursor: _cursor, ...rest } = query
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(rest)) {
    for (const item of [value].flat()) parameters.append(name, String(item))
  }
  return parameters.size === 0 ? '' : `${parameters}&`
}

type Binding = Pick<Listing<never>, 'path' | 'query' | 'caller' | 'cursorKey'>

/** Opaque to clients: where the list goes on, signed together with what list it is and whose. */
function cursorAfter<Row>(listing: Listing<Row>, sorts: Sort[], row: Row | undefined) {
  const keys = row === undefined ? [] : sorts.map(({ field }) => listing.sortKey(row, field))
  const payload = Buffer.from(JSON.stringify(keys)).toString('base64url')
  return `${payload}.${signature(listing, sorts, payload)}`
}

/** The sort keys to go on after; undefined for the start of the list. */
function readCursor(listing: Binding, sorts: Sort[], cursor: string): SortKey[] | undefined {
  const [payload = '', signed = '', ...rest] = cursor.split('.')
  const given = Buffer.from(signed)
  const expected = Buffer.from(signature(listing, sorts, payload))
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new ProblemError('cursor-invalid', {
      errors: [{ parameter: 'cursor', code: 'cursor-invalid', detail: 'is not of this list' }]
    })
  }
  const keys = JSON.parse(Buffer.from(payload, 'base64url').toString()) as SortKey[]
  return keys.length > 0 ? keys : undefined
}

function signature({ path, query, caller, cursorKey }: Binding, sorts: Sort[], payload: string) {
  const { page: _page, size: _size, cursor: _cursor, sort: _sort, ...filter } = query
  const bound = JSON.stringify([path, Object.entries(filter).sort(), sorts, caller, payload])
  // A message authentication code as HMAC is, in a third of its time: SHA-512/256 keeps back half of its state, so
  // that nobody can go on from a hash that they have seen.
  return hash('sha512-256', `${cursorKey.toString('base64')}${bound}`, 'base64url')
}
