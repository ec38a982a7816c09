import { hash } from 'node:crypto'
import { expressionBuilder, sql } from 'kysely'
import type { Body, StoredContent } from '../../schemas/graph-content.ts'
import { prepared } from '../engine/prepared.ts'
import { type Db, expectId, StoreBusy, StoreUnavailable, type Trx } from '../store.ts'
import type { ContentRow, GraphRow, Tables } from '../tables.ts'

/**
 * Content, as returned with its record. Small content includes its JSON. `bodyOf` loads large content unless its bytes are
 * already in memory.
 */
export interface KeptContent {
  /** Never changes, and is never reused. */
  id: number
  /** The size of the JSON, in bytes. */
  size: number
  json?: string
  /** The bytes of large content that was just stored, or loaded in a transaction. */
  packed?: Buffer
}

/** Thrown if large content has been removed since its record was read, because a transaction changed or deleted the graph. */
export class ContentGone extends Error {
  override name = 'ContentGone'
  readonly id: number

  constructor(id: number) {
    super(`content ${id} is missing`)
    this.id = id
  }
}

const packedById = prepared((db, { id }: { id: number }) =>
  db.selectFrom('content').select('packed').where('id', '=', id)
)

/** Returns the packed bytes of large content. Throws ContentGone. */
export async function loadPacked(db: Db, id: number): Promise<Buffer> {
  const [content] = await packedById(db, { id })
  if (!content?.packed) throw new ContentGone(id)
  return content.packed
}

/** Returns the content in stored form: JSON, or packed if it is large. Throws ContentGone. */
export async function bodyOf(db: Db, { id, json, packed }: KeptContent): Promise<Body> {
  return json ?? packed ?? loadPacked(db, id)
}

/** The maximum number of attempts to load the content of a graph that keeps changing. */
const ATTEMPTS = 5

/**
 * Calls `load` to load the large content of the given records, and returns its result. If `load` throws ContentGone, reads the
 * records again, so that no record is returned with the content of another version. Throws StoreUnavailable if content is
 * missing from the store, or StoreBusy after too many attempts.
 */
export async function loadConsistently<Found, T>(
  found: Found,
  findAgain: () => Promise<Found>,
  load: (found: Found) => Promise<T>
): Promise<T> {
  let records = found
  let missing: number | undefined
  for (let attempt = 1; ; attempt++) {
    try {
      return await load(records)
    } catch (error) {
      if (!(error instanceof ContentGone)) throw error
      if (error.id === missing) throw damaged(missing, 'it is missing')
      if (attempt === ATTEMPTS) throw new StoreBusy('the graph is changing faster than its content can be loaded')
      missing = error.id
      records = await findAgain()
    }
  }
}

/** The columns of a record that refer to its content or count its elements. */
type ContentColumns = Pick<GraphRow, 'contentId' | 'nodeCount' | 'edgeCount'>

/** The columns that `withContent` reads. */
interface RowWithContent extends ContentColumns {
  hashAndJson: string | null
  size: number | null
}

/** The hash and JSON of small content, concatenated because reading one column is faster than reading two. */
const hashAndJson = sql<string | null>`"hash" || "json"`.as('hashAndJson')

/** Returns the content columns for `withContent`, as subqueries of the record's query. */
export function contentColumns(table: 'graph' | 'graphVersion') {
  const content = expressionBuilder<Tables, typeof table>()
    .selectFrom('content')
    .whereRef('content.id', '=', `${table}.contentId`)
  return [content.select(hashAndJson).as('hashAndJson'), content.select('size').as('size')] as const
}

/** Returns the record with its content. Throws StoreUnavailable if the content is missing or damaged. */
export function withContent<Row extends RowWithContent>({ hashAndJson, size, ...row }: Row) {
  return { ...row, content: keptContent(row, hashAndJson, size) }
}

function keptContent({ contentId: id, nodeCount }: ContentColumns, hashAndJson: string | null, size: number | null) {
  if (id === null && nodeCount === 0) return null
  if (id === null || size === null) throw damaged(id, 'it is missing')
  const content: KeptContent = { id, size }
  if (hashAndJson !== null) content.json = verifiedJson(hashAndJson, id)
  return content
}

const byId = prepared((db, { id }: { id: number }) =>
  db.selectFrom('content').select([hashAndJson, 'size']).where('id', '=', id)
)

/**
 * Returns a record's content inside a transaction, including the bytes of large content, or null if the record has no content.
 * Throws StoreBusy, or throws like `withContent`.
 */
export async function findContent(trx: Trx, row: ContentColumns): Promise<KeptContent | null> {
  const [found] = row.contentId === null ? [] : await byId(trx, { id: row.contentId })
  const content = keptContent(row, found?.hashAndJson ?? null, found?.size ?? null)
  return content && content.json === undefined
    ? { ...content, packed: await loadInTransaction(trx, content.id) }
    : content
}

/**
 * The maximum number of bytes that transactions load per turn of the event loop. In SQLite, a group of transactions shares one
 * turn and blocks it.
 */
const LOADED_PER_TURN = 32 * 1024 * 1024
let loaded = 0

/** Returns the packed bytes of large content. Throws StoreUnavailable if they are missing, or StoreBusy. */
async function loadInTransaction(trx: Trx, id: number): Promise<Buffer> {
  if (loaded >= LOADED_PER_TURN) throw new StoreBusy('transactions are loading too much content at once')
  const [content] = await packedById(trx, { id })
  if (!content?.packed) throw damaged(id, 'it is missing')
  const { packed } = content
  loaded += packed.length
  setImmediate(() => {
    loaded -= packed.length
  })
  return packed
}

/** Returns the content of a record that was just stored along with it. */
export function storedContent({ contentId }: ContentColumns, { body, size }: StoredContent): KeptContent | null {
  if (contentId === null) return null
  return { id: contentId, size, ...(typeof body === 'string' ? { json: body } : { packed: body }) }
}

function damaged(id: number | null, reason: string) {
  return new StoreUnavailable(`content ${id} is damaged: ${reason}`)
}

/** Returns the JSON of small content. Throws StoreUnavailable if it does not match its hash. */
function verifiedJson(hashAndJson: string, id: number) {
  const json = hashAndJson.slice(SHA256_DIGITS)
  if (hashAndJson.slice(0, SHA256_DIGITS) !== hash('sha256', json)) throw damaged(id, 'it does not match its hash')
  return json
}

const SHA256_DIGITS = 64

const insertContent = prepared((trx: Trx, { hash, json, packed, size }: Omit<ContentRow, 'id'>) =>
  trx.insertInto('content').values({ hash, json, packed, size }).returning('id')
)

const contentByHash = prepared((db, { hash }: { hash: string }) =>
  db.selectFrom('content').select('id').where('hash', '=', hash).where('packed', 'is not', null)
)

/** Stores the content, unless it is large and already stored. Returns the content columns of its record. */
export async function keepContent(trx: Trx, content: StoredContent | null | undefined): Promise<ContentColumns> {
  if (!content) return { contentId: null, nodeCount: 0, edgeCount: 0 }
  const { hash, body, size, nodeCount, edgeCount } = content
  if (typeof body === 'string') {
    const [inserted] = await insertContent(trx, { hash, json: body, packed: null, size })
    return { contentId: expectId(inserted), nodeCount, edgeCount }
  }
  // In a partitioned table, the index on hashes is unique only within each partition (docs/scale.md).
  await trx.lock('content', hash)
  const [known] = await contentByHash(trx, { hash })
  const [kept] = known ? [known] : await insertContent(trx, { hash, json: null, packed: body, size })
  return { contentId: expectId(kept), nodeCount, edgeCount }
}

const contentHash = prepared((db, { id }: { id: number }) =>
  db.selectFrom('content').select('hash').where('id', '=', id)
)

/** Returns the hash of the graph's content, or undefined if the graph has no content. */
export async function hashOf(db: Db, { contentId }: Pick<GraphRow, 'contentId'>) {
  if (contentId === null) return undefined
  const [content] = await contentHash(db, { id: contentId })
  return content?.hash
}

const dropUnused = prepared((trx: Trx, { id }: { id: number }) =>
  trx
    .deleteFrom('content')
    .where('id', '=', id)
    .where((eb) => eb.not(eb.exists(eb.selectFrom('graph').select('graph.id').where('contentId', '=', id))))
    .where((eb) => eb.not(eb.exists(eb.selectFrom('graphVersion').select('version').where('contentId', '=', id))))
)

/** Removes the content if no graph or version refers to it. */
export async function dropContent(trx: Trx, id: number | null) {
  if (id !== null) await dropUnused(trx, { id })
}
