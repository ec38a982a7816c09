import type { StoredContent } from '../schemas/graph-content.ts'
import { prepared } from './prepared.ts'
import type { Db } from './store.ts'
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

/** What a graph's record says of its content. */
type ContentColumns = Pick<GraphRow, 'contentId' | 'nodeCount' | 'edgeCount'>

const insertContent = prepared((db, { hash, json, packed, size }: Omit<ContentRow, 'id'>) =>
  db
    .insertInto('content')
    .values({ hash, json, packed, size })
    .onConflict((conflict) => conflict.column('hash').where('packed', 'is not', null).doNothing())
    .returning('id')
)

const contentByHash = prepared((db, { hash }: { hash: string }) =>
  db.selectFrom('content').select('id').where('hash', '=', hash).where('packed', 'is not', null)
)

/** Stores the content, unless it is large and there already, and returns what the record says of it. */
export async function keepContent(trx: Db, content: StoredContent | null | undefined): Promise<ContentColumns> {
  if (!content) return { contentId: null, nodeCount: 0, edgeCount: 0 }
  const { hash, body, size, nodeCount, edgeCount } = content
  const form = typeof body === 'string' ? { json: body, packed: null } : { json: null, packed: body }
  const [inserted] = await insertContent(trx, { hash, ...form, size })
  const [kept] = inserted ? [inserted] : await contentByHash(trx, { hash })
  return { contentId: (kept as { id: number }).id, nodeCount, edgeCount }
}

const contentHash = prepared((db, { id }: { id: number }) =>
  db.selectFrom('content').select('hash').where('id', '=', id)
)

/** The hash of the graph's content, or undefined where there is none. */
export async function hashOf(db: Db, { contentId }: GraphRow) {
  if (contentId === null) return undefined
  const [content] = await contentHash(db, { id: contentId })
  return content?.hash
}

const dropUnused = prepared((db, { id }: { id: number }) =>
  db
    .deleteFrom('content')
    .where('id', '=', id)
    .where((eb) => eb.not(eb.exists(eb.selectFrom('graph').select('graph.id').where('contentId', '=', id))))
)

/** Removes the content if no graph refers to it any more. */
export async function dropContent(trx: Db, id: number | null) {
  if (id !== null) await dropUnused(trx, { id })
}
