import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { StoredContent } from '../schemas/graph-content.ts'
import { prepared } from './engine/prepared.ts'
import { type Db, expectId, StoreConflict, StoreUnavailable, type Trx } from './store.ts'
import type { ContentRow, GraphRow } from './tables.ts'

/** Content as it lies in the store: small as JSON, large packed. A content has its id for ever, and another has another. */
export interface KeptContent {
  id: number
  json?: string
  packed?: Buffer
  /** Of the JSON, in bytes. */
  size: number
}

const packedById = prepared((db, { id }: { id: number }) =>
  db.selectFrom('content').select('packed').where('id', '=', id)
)

/** The bytes of a large content, or undefined where it is gone. */
export async function packedOf(db: Db, id: number) {
  const [content] = await packedById(db, { id })
  return content?.packed ?? undefined
}

/** The hash of a small content, and after it its JSON: one look for both. */
export const hashed = sql<string | null>`"hash" || "json"`.as('hashed')

/** What a graph's record says of its content. */
type ContentColumns = Pick<GraphRow, 'contentId' | 'nodeCount' | 'edgeCount'>

/** What a query gives of a record and its content: its hash and JSON where it is small, and its size. */
interface RowWithJson extends ContentColumns {
  hashed: string | null
  size: number | null
}

/**
 * The record that `find` finds, with its content. Of large contents the bytes are left out where they are not needed,
 * as `isHeld` tells of their ids. Throws StoreUnavailable where the content that the record speaks of is not there.
 */
export async function withContent<Row extends RowWithJson>(
  db: Db,
  find: () => Promise<Row | undefined>,
  isHeld = async (_contentId: number) => false
): Promise<(Omit<Row, 'hashed' | 'size'> & { content: KeptContent | null }) | undefined> {
  for (let missed: number | undefined; ; ) {
    const found = await find()
    if (!found) return undefined
    const { hashed, size, ...row } = found
    if (row.contentId === null && row.nodeCount === 0) return { ...row, content: null }
    if (row.contentId === null || size === null || row.contentId === missed) {
      throw new StoreUnavailable(`content ${row.contentId} is damaged: it is not there`)
    }
    const content = { id: row.contentId, size }
    if (hashed !== null) return { ...row, content: { ...content, json: intact(hashed, content.id) } }
    if (await isHeld(content.id)) return { ...row, content }
    const packed = await packedOf(db, content.id)
    if (packed) return { ...row, content: { ...content, packed } }
    // Since the record was read the content may have gone, and so has the record, or it has another by now.
    missed = content.id
  }
}

/** The JSON of a small content. What the disk has made of it is not handed out as if it were that. */
function intact(hashed: string, id: number) {
  const json = hashed.slice(SHA256_DIGITS)
  if (hashed.slice(0, SHA256_DIGITS) !== hash('sha256', json)) {
    throw new StoreUnavailable(`content ${id} is damaged: it is not what its hash says`)
  }
  return json
}

const SHA256_DIGITS = 64

const insertContent = prepared((trx: Trx, { hash, json, packed, size }: Omit<ContentRow, 'id'>) =>
  trx
    .insertInto('content')
    .values({ hash, json, packed, size })
    .onConflict((conflict) => conflict.column('hash').where('packed', 'is not', null).doNothing())
    .returning('id')
)

const contentByHash = prepared((db, { hash }: { hash: string }) =>
  db.selectFrom('content').select('id').where('hash', '=', hash).where('packed', 'is not', null)
)

/** Stores the content, unless it is large and there already, and returns what the record says of it. */
export async function keepContent(trx: Trx, content: StoredContent | null | undefined): Promise<ContentColumns> {
  if (!content) return { contentId: null, nodeCount: 0, edgeCount: 0 }
  const { hash, body, size, nodeCount, edgeCount } = content
  const form = typeof body === 'string' ? { json: body, packed: null } : { json: null, packed: body }
  const [inserted] = await insertContent(trx, { hash, ...form, size })
  const [kept] = inserted ? [inserted] : await contentByHash(trx, { hash })
  if (!kept) throw new StoreConflict('the content has been removed meanwhile')
  return { contentId: expectId(kept), nodeCount, edgeCount }
}

const contentHash = prepared((db, { id }: { id: number }) =>
  db.selectFrom('content').select('hash').where('id', '=', id)
)

/** The hash of the graph's content, or undefined where there is none. */
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

/** Removes the content if no graph and no version refers to it any more. */
export async function dropContent(trx: Trx, id: number | null) {
  if (id !== null) await dropUnused(trx, { id })
}
