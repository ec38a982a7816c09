import type { StoredContent } from '../../schemas/graph-content.ts'
import type { Author } from '../actors.ts'
import { describeChanges, recordEvent } from '../audit/events.ts'
import { pick, prepared } from '../engine/prepared.ts'
import { hashOf, keepContent } from '../graphs/contents.ts'
import { describeGraph, GRAPH_COLUMNS, type GraphWithContent, targetOf } from '../graphs/graphs.ts'
import { showInLists } from '../graphs/listed-grants.ts'
import { sortNameOf } from '../graphs/name-order.ts'
import { searchable } from '../graphs/searchable-text.ts'
import { NO_TAGS } from '../graphs/tags.ts'
import { keepVersion } from '../graphs/versions.ts'
import { addToIndex, changeInIndex, wordsOf } from '../search/word-index.ts'
import { expectId, expectOne, type Trx } from '../store.ts'
import type { GraphRow } from '../tables.ts'

// Writes graphs. Each change keeps the previous version and records an event. Rights are checked in db/changes/graphs.ts.

/** The fields of a graph that clients can set. */
export interface GraphValues {
  name: string
  type: string | null
  description: string | null
  shared: boolean
  /** Absent means null. */
  key?: string | null
  /** The name of a saved view of the graph. Absent means null. */
  defaultView?: string | null
  /** The tags in stored form (see db/graphs/tags.ts). Defaults to no tags. */
  tags?: string
}

const insertGraph = prepared((trx: Trx, values: Omit<GraphRow, 'id'>) =>
  trx
    .insertInto('graph')
    .values(pick(values, GRAPH_COLUMNS) as never)
    .returning('id')
)

/** The fields and content of a new graph. */
export interface GraphCreation {
  values: GraphValues
  content?: StoredContent | null | undefined
  /** The author's comment. An empty string means no comment. */
  message?: string | null | undefined
}

/** A change to a graph. Omitted fields and omitted content stay unchanged. Null removes the content. */
export interface GraphChange extends Omit<GraphCreation, 'values'> {
  /** `owner` is the login of an existing user. */
  values?: Partial<GraphValues & Pick<GraphRow, 'owner'>>
}

/** The words of stored content (see graph/query/stored-words.ts). */
export interface ContentWords {
  contentId: number
  text: string
}

/** Creates a graph for the owner. */
export async function createGraph(
  trx: Trx,
  author: Author,
  owner: string,
  { values, content, message }: GraphCreation
): Promise<GraphRow> {
  const kept = await keepContent(trx, content)
  const { size = 0, words = '', hash } = content ?? {}
  return insertNew(trx, author, { ...values, ...kept, owner, message: commentOf(message) }, { size, words, hash })
}

/** Creates a graph for the owner with the content of another one. Both share the stored content. */
export async function copyGraph(
  trx: Trx,
  author: Author,
  owner: string,
  { id, version, type, description, tags, nodeCount, edgeCount, content }: GraphWithContent,
  name: string,
  words?: ContentWords
): Promise<GraphRow> {
  const kept = { contentId: content?.id ?? null, nodeCount, edgeCount }
  const text = words?.contentId === kept.contentId ? words.text : await wordsOf(trx, kept)
  const described = { size: content?.size ?? 0, words: text, hash: await hashOf(trx, kept) }
  const values = { name, type, description, tags, shared: false, ...kept, owner, message: null }
  return insertNew(trx, author, values, described, { copiedFrom: String(id), copiedVersion: String(version) })
}

/** Creates a graph with stored content. `source` are the fields of the event that say where a copy comes from. */
async function insertNew(
  trx: Trx,
  author: Author,
  values: GraphValues & Pick<GraphRow, 'contentId' | 'nodeCount' | 'edgeCount' | 'owner' | 'message'>,
  content: { size: number; words: string; hash: string | undefined },
  source: Record<string, string> = {}
): Promise<GraphRow> {
  const { message } = values
  const now = new Date().toISOString()
  const row = {
    tags: NO_TAGS,
    key: null,
    defaultView: null,
    ...values,
    bytes: content.size,
    version: 1,
    sortName: sortNameOf(values.name),
    searchText: searchable(values),
    createdAt: now,
    updatedAt: now,
    principal: author.principal,
    // The event is recorded later, because it needs the graph's id. db/lists/versions.ts finds the event without this
    // reference.
    auditEventId: null,
    restoredFrom: null
  }
  const [inserted] = await insertGraph(trx, row)
  const graph = { ...row, id: expectId(inserted) }
  await addToIndex(trx, graph, content.words, content.size)
  const described = { ...describeGraph(graph, content.hash), key: graph.key }
  const data = { ...describeChanges({}, described), ...(message !== null && { message }), ...source }
  await recordEvent(trx, author, { type: 'GRAPH_CREATED', target: versionOf(graph), data })
  return graph
}

const replaceGraph = prepared((trx: Trx, values: GraphRow & { replaced: number }) =>
  trx
    .updateTable('graph')
    .set(pick(values, GRAPH_COLUMNS) as never)
    .where('id', '=', values.id)
    .where('version', '=', values.replaced)
    .returning('id')
)

/** The fields that versions do not store. */
const UNVERSIONED = ['owner', 'key', 'defaultView'] as const

/** Updates the graph. Does nothing if nothing has changed. */
export async function updateGraph(
  trx: Trx,
  author: Author,
  before: GraphRow,
  { values, content, message }: GraphChange
): Promise<GraphRow> {
  const hash = content === undefined ? undefined : await hashOf(trx, before)
  const isOther = content !== undefined && content?.hash !== hash
  const wanted = { ...before, ...values, ...(isOther && (await keepContent(trx, content))) }
  const data = {
    ...(isOther
      ? describeChanges(describeGraph(before, hash), describeGraph(wanted, content?.hash))
      : describeChanges(describeGraph(before), describeGraph(wanted))),
    ...describeChanges(pick(before, UNVERSIONED), pick(wanted, UNVERSIONED))
  }
  if (Object.keys(data).length === 0) return before
  return replace(trx, author, before, { ...wanted, restoredFrom: null }, message, content ?? undefined, data)
}

/** Restores an earlier version of the graph as a new version. */
export async function restoreGraph(
  trx: Trx,
  author: Author,
  before: GraphRow,
  { version, name, type, description, tags, shared, nodeCount, edgeCount, content }: GraphWithContent,
  message: string | null | undefined,
  words?: ContentWords
): Promise<GraphRow> {
  const contentId = content?.id ?? null
  const wanted = { ...before, name, type, description, tags, shared, nodeCount, edgeCount, contentId }
  const data = describeChanges(
    describeGraph(before, await hashOf(trx, before)),
    describeGraph(wanted, await hashOf(trx, wanted))
  )
  const kept = content
    ? { size: content.size, words: words?.contentId === contentId ? words.text : undefined }
    : undefined
  return replace(trx, author, before, { ...wanted, restoredFrom: version }, message, kept, data)
}

/** Creates the next version of the graph with this content, and keeps the previous version. */
async function replace(
  trx: Trx,
  author: Author,
  before: GraphRow,
  wanted: GraphRow,
  message: string | null | undefined,
  content: { size: number; words: string | undefined } | undefined,
  data: Record<string, string>
): Promise<GraphRow> {
  const after = {
    ...wanted,
    version: before.version + 1,
    sortName: sortNameOf(wanted.name),
    searchText: searchable(wanted),
    updatedAt: new Date().toISOString(),
    principal: author.principal,
    message: commentOf(message),
    bytes: before.bytes + (wanted.contentId === before.contentId ? 0 : (content?.size ?? 0))
  }
  await keepVersion(trx, before)
  after.auditEventId = await recordChanges(trx, author, before, after, data)
  expectOne(await replaceGraph(trx, { ...after, replaced: before.version }))
  await changeInIndex(trx, before, after, content?.words)
  if (Boolean(before.shared) !== Boolean(after.shared)) await showInLists(trx, after.id, !after.shared)
  return after
}

/**
 * Records a change. Sharing and transfers each get their own event, because auditors search for them. All other changes share
 * one event. Returns the id of the first event.
 */
async function recordChanges(
  trx: Trx,
  author: Author,
  before: GraphRow,
  after: GraphRow,
  data: Record<string, string>
): Promise<number> {
  const { 'shared.old': wasShared, 'shared.new': isShared, 'owner.old': from, 'owner.new': to, ...rest } = data
  const target = versionOf(after)
  const { message, restoredFrom } = after
  const version = {
    ...describeChanges({ version: before.version }, { version: after.version }),
    ...(message !== null && { message })
  }
  const ids: number[] = []
  if (restoredFrom !== null) {
    const data = { ...rest, ...version, restoredFrom: String(restoredFrom) }
    ids.push(await recordEvent(trx, author, { type: 'GRAPH_RESTORED', target, data }))
  } else if (Object.keys(rest).length > 0) {
    ids.push(await recordEvent(trx, author, { type: 'GRAPH_UPDATED', target, data: { ...rest, ...version } }))
  }
  if (wasShared !== isShared) {
    const type = isShared === 'true' ? 'GRAPH_SHARED' : 'GRAPH_UNSHARED'
    const data = { 'shared.old': wasShared, 'shared.new': isShared, ...version }
    ids.push(await recordEvent(trx, author, { type, target, data }))
  }
  if (from !== to) {
    const data = { ...describeChanges({ owner: from }, { owner: to }), ...version }
    ids.push(await recordEvent(trx, author, { type: 'GRAPH_TRANSFERRED', target, data }))
  }
  return ids[0] as number
}

/** Returns the author's comment, or null if it is empty. */
function commentOf(message: string | null | undefined) {
  return message || null
}

/** Returns the event target for the graph's current version. */
function versionOf(graph: GraphRow) {
  return { ...targetOf(graph), version: graph.version }
}
