import { sql } from 'kysely'
import { addWords, type Term } from '../../graph/content/words.ts'
import { wordsOfStored } from '../../graph/query/stored-words.ts'
import { prepared } from '../engine/prepared.ts'
import { type WordTableName, wordDialectOf } from '../engine/word-dialects.ts'
import { findContent } from '../graphs/contents.ts'
import { tagsOf } from '../graphs/tags.ts'
import type { Db, Trx } from '../store.ts'
import type { GraphRow } from '../tables.ts'

// The word index. It contains the current state of every graph, including those in the trash. Most graphs have a single row in
// `graphWords`, where the engine finds all words of a query at once. Large graphs have several rows in `graphWordPart`; the first
// contains the words of the fields, so that they can change independently of the content.

/** The minimum size of content whose words get their own rows, in bytes of JSON. */
export const LARGE_CONTENT = 16 * 1024

/** The maximum number of bytes of words per row. PostgreSQL drops words beyond 1 MiB. */
const ROW_BYTES = 512 * 1024

/** The maximum number of words per row. SQLite blocks the event loop for about 4 ms to insert them. */
const ROW_WORDS = 4000

/** The maximum number of rows per graph in `graphWordPart`. */
export const PARTS = 1024

/** The number of rows that SQLite can remove in about 5 ms. */
const REMOVED_AT_ONCE = 8

// Rows also contain marks for access rights, so that a search does not scan other users' graphs. Marks use private-use
// characters, which do not occur in words.
const OWNED_BY = '\ue000'
const SHARED = '\ue005'
const SIGNS: Record<string, string> = { '.': '\ue001', _: '\ue002', '@': '\ue003', '-': '\ue004' }

/** Returns the term that marks all graphs of the owner. */
export function ownerTerm(owner: string): Term {
  return { word: OWNED_BY + owner.replace(/[._@-]/g, (sign) => SIGNS[sign] ?? sign), isBeginning: false }
}

/** The term that marks all shared graphs. */
export const sharedTerm: Term = { word: SHARED, isBeginning: false }

/** The fields of a graph that are indexed. */
type Fields = Pick<GraphRow, 'name' | 'description' | 'tags' | 'owner' | 'shared'>

function wordsOfFields({ name, description, tags, owner, shared }: Fields): string {
  const words = new Set([ownerTerm(owner).word])
  if (shared) words.add(SHARED)
  for (const text of [name, description ?? '', ...tagsOf(tags)]) addWords(words, text)
  return [...words].join(' ')
}

const insertInto = (table: WordTableName) =>
  prepared((trx: Trx, { id, part, words }: { id: number; part: number; words: string }) =>
    trx.insertInto(table).values({
      rowid: table === 'graphWords' ? int64(id) : sql<number>`${int64(id)} * ${sql.lit(PARTS)} + ${part}`,
      words: wordDialectOf(trx).stored(words)
    })
  )

/** Casts a parameter for arithmetic, because SQLite treats large parameters as floating-point numbers. */
const int64 = (id: number) => sql<number>`CAST(${id} AS BIGINT)`

const insertWhole = insertInto('graphWords')
const insertPart = insertInto('graphWordPart')

const removeWhole = prepared((trx: Trx, { id }: { id: number }) =>
  trx.deleteFrom('graphWords').where('rowid', '=', int64(id))
)

const ONE = 1

const selectLastPart = prepared((trx: Trx, { id }: { id: number }) =>
  trx
    .selectFrom('graphWordPart')
    .select(sql<number>`"rowid" - ${int64(id)} * ${sql.lit(PARTS)}`.as('part'))
    .where('rowid', '>=', sql<number>`${int64(id)} * ${sql.lit(PARTS)}`)
    .where('rowid', '<', sql<number>`(${int64(id)} + 1) * ${sql.lit(PARTS)}`)
    .orderBy('rowid', 'desc')
    .limit(sql.lit(ONE))
)

const removePartsFrom = prepared((trx: Trx, { id, part }: { id: number; part: number }) =>
  trx
    .deleteFrom('graphWordPart')
    .where('rowid', '>=', sql<number>`${int64(id)} * ${sql.lit(PARTS)} + ${part}`)
    .where('rowid', '<', sql<number>`(${int64(id)} + 1) * ${sql.lit(PARTS)}`)
)

/** Removes the rows of a large graph, last rows first, yielding to the event loop in between. */
async function removeParts(trx: Trx, id: number) {
  for (;;) {
    const [last] = await selectLastPart(trx, { id })
    if (!last) return
    await removePartsFrom(trx, { id, part: Math.max(0, Number(last.part) + 1 - REMOVED_AT_ONCE) })
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Adds a new graph. `words` are the words of its content (see graph/content/element-words.ts). */
export async function addToIndex(trx: Trx, graph: GraphRow, words: string, size: number) {
  const fields = wordsOfFields(graph)
  const isLarge = size >= LARGE_CONTENT || 3 * words.length > ROW_BYTES
  const row = { id: graph.id, part: 0, words: `${fields} ${words}`.trimEnd() }
  if (!isLarge) await trx.defer(() => insertWhole(trx, row))
  else await insertParts(trx, graph.id, fields, words)
}

async function insertParts(trx: Trx, id: number, fields: string, words: string) {
  const parts = [fields, ...partsOf(words)].slice(0, PARTS)
  // SQLite flushes pending rows when it inserts a row with a lower id. Descending order therefore spreads the work over the
  // inserts.
  for (const [index, words] of parts.toReversed().entries()) {
    await insertPart(trx, { id, part: parts.length - 1 - index, words })
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Splits the words into parts that each fit into a row. */
function* partsOf(words: string): Generator<string> {
  let part: string[] = []
  let bytes = 0
  for (const word of words === '' ? [] : words.split(' ')) {
    if (part.length >= ROW_WORDS || bytes + 3 * word.length > ROW_BYTES) {
      yield part.join(' ')
      part = []
      bytes = 0
    }
    part.push(word)
    bytes += 3 * word.length
  }
  if (part.length > 0) yield part.join(' ')
}

function areSame(a: Fields, b: Fields) {
  const isSame = a.name === b.name && a.description === b.description && a.tags === b.tags && a.owner === b.owner
  return isSame && Boolean(a.shared) === Boolean(b.shared)
}

/** Updates the index after a change to the graph. `words` are the words of its content, if the caller has them. */
export async function changeInIndex(trx: Trx, before: GraphRow, after: GraphRow, words?: string) {
  const isSame = before.contentId === after.contentId
  if (isSame && areSame(before, after)) return
  const size = await sizeOf(trx, after)
  if (isSame && size >= LARGE_CONTENT) return changeFields(trx, after)
  await putInIndex(trx, after, words ?? (await wordsOf(trx, after)), size)
}

async function changeFields(trx: Trx, { id, ...fields }: GraphRow) {
  const part = { id, part: 0 }
  await removePart(trx, part)
  await insertPart(trx, { ...part, words: wordsOfFields(fields) })
}

const removePart = prepared((trx: Trx, { id, part }: { id: number; part: number }) =>
  trx.deleteFrom('graphWordPart').where('rowid', '=', sql<number>`${int64(id)} * ${sql.lit(PARTS)} + ${part}`)
)

/** Replaces all index entries of the graph. */
export async function putInIndex(trx: Trx, graph: GraphRow, words: string, size: number) {
  await removeFromIndex(trx, graph.id)
  await addToIndex(trx, graph, words, size)
}

/** Removes a permanently deleted graph. */
export async function removeFromIndex(trx: Trx, id: number) {
  await trx.defer(() => removeWhole(trx, { id }))
  await removeParts(trx, id)
}

const selectSize = prepared((db: Db, { id }: { id: number }) =>
  db.selectFrom('content').select('size').where('id', '=', id)
)

/** Returns the size of the graph's content as JSON, in bytes. */
export async function sizeOf(db: Db, { contentId }: Pick<GraphRow, 'contentId'>): Promise<number> {
  const [content] = contentId === null ? [] : await selectSize(db, { id: contentId })
  return content?.size ?? 0
}

/** Returns the words of the graph's content. This is slow if the content is large. Throws the same errors as `findContent`. */
export async function wordsOf(trx: Trx, graph: Pick<GraphRow, 'contentId' | 'nodeCount' | 'edgeCount'>) {
  const content = await findContent(trx, graph)
  return wordsOfStored(content?.json ?? content?.packed)
}

interface Interval {
  after: number
  upTo: number
}

const selectIds = (db: Db) => db.selectFrom('graph').select('id').unionAll(db.selectFrom('trash').select('id'))

const removeStrangeWords = prepared((trx: Trx, { after, upTo }: Interval) =>
  trx
    .deleteFrom('graphWords')
    .where('rowid', '>', int64(after))
    .where('rowid', '<=', int64(upTo))
    .where('rowid', 'not in', selectIds(trx))
)

const removeStrangeParts = prepared((trx: Trx, { after, upTo }: Interval) =>
  trx
    .deleteFrom('graphWordPart')
    .where('rowid', '>=', sql<number>`(${int64(after)} + 1) * ${sql.lit(PARTS)}`)
    .where('rowid', '<', sql<number>`(${int64(upTo)} + 1) * ${sql.lit(PARTS)}`)
    .where(sql<number>`"graphWordPart"."rowid" / ${sql.lit(PARTS)}`, 'not in', selectIds(trx))
)

/** Removes the index entries of graphs that no longer exist, for ids in (`after`, `upTo`]. */
export async function removeStrangers(trx: Trx, interval: Interval) {
  await removeStrangeWords(trx, interval)
  await removeStrangeParts(trx, interval)
}
