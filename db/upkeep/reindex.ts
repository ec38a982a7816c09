import { wordsOfStored } from '../../graph/query/stored-words.ts'
import { system } from '../actors.ts'
import { findTrashed } from '../changes/trash.ts'
import { locked } from '../engine/row-locks.ts'
import { ContentGone, loadPacked } from '../graphs/contents.ts'
import { findGraph } from '../graphs/graphs.ts'
import { LARGE_CONTENT, putInIndex, removeStrangers, sizeOf, wordsOf } from '../search/word-index.ts'
import type { Db, Store, Trx } from '../store.ts'

// Rebuilds the word index at an administrator's request, while searches and changes continue. The progress is stored, so that
// another process can continue if this one stops.

/** Returns the words of large content (see graph/query/stored-words.ts). */
export type ReadWords = (body: Buffer, size: number) => Promise<string>

/** The maximum number of graphs, and of bytes of content, per transaction. */
const AT_ONCE = { graphs: 50, bytes: 256 * 1024 }

/** An upper bound on indexed graph ids. Row ids are 1024 times as large and must fit in an int64. */
const LAST_ID = 2 ** 52

interface Candidate {
  id: number
  contentId: number | null
  size: number | null
}

/** Starts rebuilding the index. Does nothing if a rebuild is already in progress. */
export async function startIndexing(trx: Trx) {
  await trx
    .updateTable('indexing')
    .set({ after: 0, isDone: false })
    .where((eb) => eb('isDone', '=', eb.lit(true)))
    .execute()
}

/** Returns the id of the last graph that was added, or undefined if the index is complete. */
export async function indexedUpTo(db: Db): Promise<number | undefined> {
  const { after, isDone } = await locked(
    db,
    db.selectFrom('indexing').selectAll(),
    'forNoKeyUpdate'
  ).executeTakeFirstOrThrow()
  return isDone ? undefined : after
}

/** Adds the next graphs. Returns whether more remain. Other processes may do the same concurrently. */
export async function indexNext(store: Pick<Store, 'read' | 'write'>, readWords: ReadWords): Promise<boolean> {
  const { read } = store
  const after = await indexedUpTo(read)
  if (after === undefined) return false
  const candidates = fitting(await selectNext(read, after))
  const [first] = candidates
  if (!first) return store.write((trx) => finish(trx, after))
  const words = isLarge(first) ? await wordsOfLarge(read, first, readWords) : undefined
  return store.write(async (trx) => {
    if ((await indexedUpTo(trx)) !== after) return true
    for (const candidate of candidates) await add(trx, candidate, words)
    const last = candidates.at(-1)?.id ?? first.id
    await removeStrangers(trx, { after, upTo: last })
    await trx.updateTable('indexing').set({ after: last }).execute()
    return true
  })
}

async function finish(trx: Trx, after: number) {
  if ((await indexedUpTo(trx)) !== after) return true
  await removeStrangers(trx, { after, upTo: LAST_ID })
  await trx.updateTable('indexing').set({ isDone: true }).execute()
  return false
}

/** Selects the next graphs after this id, including those in the trash, ordered by id. */
async function selectNext(db: Db, after: number): Promise<Candidate[]> {
  const trashed = db
    .selectFrom('trash')
    .innerJoin('graphVersion', (join) =>
      join.onRef('graphVersion.graphId', '=', 'trash.id').onRef('graphVersion.version', '=', 'trash.version')
    )
    .select(['trash.id as id', 'graphVersion.contentId as contentId'])
    .where('trash.id', '>', after)
    .orderBy('trash.id')
    .limit(AT_ONCE.graphs)
  const living = db
    .selectFrom('graph')
    .select(['id', 'contentId'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(AT_ONCE.graphs)
  const [some, others] = [
    db.selectFrom(living.as('living')).selectAll(),
    db.selectFrom(trashed.as('trashed')).selectAll()
  ]
  return db
    .selectFrom(some.unionAll(others).as('next'))
    .leftJoin('content', 'content.id', 'next.contentId')
    .select(['next.id as id', 'next.contentId as contentId', 'content.size as size'])
    .orderBy('next.id')
    .limit(AT_ONCE.graphs)
    .execute()
}

function isLarge({ size }: Candidate) {
  return (size ?? 0) >= LARGE_CONTENT
}

/** Returns as many of the first graphs as fit into one transaction. A large graph gets its own transaction. */
function fitting(candidates: Candidate[]): Candidate[] {
  let bytes = 0
  const end = candidates.findIndex((candidate, index) => {
    bytes += candidate.size ?? 0
    return index > 0 && (isLarge(candidate) || bytes > AT_ONCE.bytes)
  })
  if (candidates[0] && isLarge(candidates[0])) return candidates.slice(0, 1)
  return end < 0 ? candidates : candidates.slice(0, end)
}

/**
 * Returns the words of large content, or undefined if the content has been replaced. The change that replaced it has already
 * indexed the graph.
 */
async function wordsOfLarge(read: Db, { contentId, size }: Candidate, readWords: ReadWords) {
  try {
    return contentId === null ? '' : await readWords(await loadPacked(read, contentId), size ?? 0)
  } catch (error) {
    if (error instanceof ContentGone) return undefined
    throw error
  }
}

async function add(trx: Trx, candidate: Candidate, words: string | undefined) {
  const { id } = candidate
  const graph = (await findGraph(trx, system, id)) ?? (await findTrashed(trx, system, id))
  if (!graph) return
  if (!isLarge(candidate)) return putInIndex(trx, graph, await wordsOf(trx, graph), await sizeOf(trx, graph))
  // Another change has indexed the graph in the meantime.
  if (words === undefined || graph.contentId !== candidate.contentId) return
  await putInIndex(trx, graph, words, candidate.size ?? 0)
}

/** Adds all graphs in one transaction. Blocks the event loop while it reads large content. */
export async function indexAll(trx: Trx) {
  await startIndexing(trx)
  const store: Pick<Store, 'read' | 'write'> = { read: trx, write: (transaction) => transaction(trx) }
  while (await indexNext(store, async (body) => wordsOfStored(body)));
}
