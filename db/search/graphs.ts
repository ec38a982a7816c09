import { expressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { WordQuery } from '../../graph/content/words.ts'
import type { GraphFilter } from '../../schemas/graph.ts'
import type { Slice } from '../../schemas/parameters.ts'
import { isLogin } from '../../schemas/user.ts'
import { prepared, preparedByShape } from '../engine/prepared.ts'
import { beginningsOf, wordDialectOf } from '../engine/word-dialects.ts'
import type { FilterShape } from '../filters.ts'
import {
  grantedTo,
  requireAccess,
  selectGrantedIds,
  type Viewer,
  type ViewerParameters,
  viewerParametersOf,
  whereVisible
} from '../graphs/access.ts'
import { contentColumns, withContent } from '../graphs/contents.ts'
import { findGrantees } from '../graphs/grantees.ts'
import { type GraphWithContent, LISTED_COLUMNS } from '../graphs/graphs.ts'
import { graphFilterRules, type RowFilter } from '../lists/graphs.ts'
import { type Db, MAX_ID, type Reader } from '../store.ts'
import type { Tables } from '../tables.ts'
import { ownerTerm, PARTS, sharedTerm } from './word-index.ts'

/** The graphs to search: all that match the filter, or a single one. */
export interface SearchFilter extends Pick<GraphFilter, 'type' | 'owner' | 'tags'> {
  /** The id of a single graph to search. */
  graph?: number | undefined
}

interface SearchShape {
  isAdministrator: boolean
  /** Whether the viewer may have grants. */
  hasGrants: boolean
  filters: FilterShape<RowFilter>
  isOneGraph: boolean
  /**
   * For each clause of the query, the indexes of its word prefixes. In graphs with several rows, each clause is looked up
   * separately.
   */
  clauses: number[][]
  /** The number of word prefixes in the query. */
  beginnings: number
}

interface SearchParameters extends Required<RowFilter>, ViewerParameters {
  /** The query text for the engine. `granted` is the text for graphs granted to the viewer. */
  match: string
  granted: string
  /** The text of each clause. */
  [clause: `clause${number}`]: string
  /** The word prefixes in the query. */
  [beginning: `beginning${number}`]: string
  graph: number
  before: number
  limit: number
}

type Ids = SelectQueryBuilder<Tables, 'graph', { id: number }>

const selectFound = preparedByShape((db, shape: SearchShape, parameters: SearchParameters) => {
  const parts = [selectWhole(db, shape, parameters), selectInParts(db, shape, parameters)]
  if (shape.hasGrants) parts.push(selectGranted(db, shape, parameters))
  const [first, ...rest] = parts.map(
    (part) => db.selectFrom(part.as('part')).select('part.id as id') as unknown as Ids
  ) as [Ids, ...Ids[]]
  const ids = rest.reduce((union, part) => union.union(part) as Ids, first)
  return db
    .selectFrom('graph')
    .select(LISTED_COLUMNS)
    .select('contentId')
    .select((eb) => (shape.hasGrants ? grantedTo(eb, parameters) : sql<null>`NULL`.as('granted')))
    .select(contentColumns('graph'))
    .where('graph.id', 'in', ids)
    .orderBy('graph.id', 'desc')
    .limit(parameters.limit)
})

/**
 * Selects graphs with a single row, newest first. The engine reads the rows that contain the words in this order, and only as far
 * as needed.
 */
function selectWhole(db: Db, shape: SearchShape, parameters: SearchParameters) {
  const found = db
    .selectFrom('graphWords')
    .crossJoin('graph')
    .whereRef('graph.id', '=', 'graphWords.rowid')
    .where(wordDialectOf(db).matches('graphWords', parameters.match, beginningsIn(shape, parameters)))
  return newest(found as never, shape, parameters, 'graphWords.rowid')
}

/**
 * Selects graphs with a single row that are granted to the viewer. The rows do not record grants. The engine looks up the words
 * once, rather than once per grant.
 */
function selectGranted(db: Db, shape: SearchShape, parameters: SearchParameters) {
  const { matches, rowid } = wordDialectOf(db)
  const found = db
    .selectFrom('graphWords')
    .crossJoin('graph')
    .whereRef('graph.id', '=', 'graphWords.rowid')
    .where(matches('graphWords', parameters.granted, beginningsIn(shape, parameters)))
    .where(rowid('graphWords'), 'in', selectGrantedIds(expressionBuilder<Tables, 'graph'>(), parameters.userId))
  return newest(found as never, shape, parameters, 'graphWords.rowid')
}

/** Selects graphs with several rows. Each word of the query may be in a different row. */
function selectInParts(db: Db, shape: SearchShape, parameters: SearchParameters) {
  const beginnings = beginningsIn(shape, parameters)
  const clauses = shape.clauses.map((own, index) =>
    db
      .selectFrom('graphWordPart')
      .select(sql<number>`"graphWordPart"."rowid" / ${sql.lit(PARTS)}`.as('id'))
      .where(
        wordDialectOf(db).matches(
          'graphWordPart',
          parameters[`clause${index}`] ?? '',
          beginnings.map((word, number) => (own.includes(number) ? word : undefined))
        )
      )
  )
  const [first, ...rest] = clauses
  if (!first) throw new Error('a query must have at least one word')
  const ids = rest.reduce((both, clause) => both.intersect(clause) as typeof first, first)
  return newest(db.selectFrom('graph').where('graph.id', 'in', ids) as never, shape, parameters, 'graph.id')
}

function beginningsIn({ beginnings }: SearchShape, parameters: SearchParameters) {
  return Array.from({ length: beginnings }, (_, index) => parameters[`beginning${index}`] ?? '')
}

/**
 * Limits a query to graphs with ids below `before` that the viewer may see and that match the filter. Orders them newest first.
 */
function newest(
  query: SelectQueryBuilder<Tables, 'graph', object>,
  { isAdministrator, filters, isOneGraph }: SearchShape,
  parameters: SearchParameters,
  id: 'graph.id' | 'graphWords.rowid'
) {
  const column = sql.ref<number>(id)
  const before = query.where(column, '<', sql<number>`CAST(${parameters.before} AS BIGINT)`)
  const one = isOneGraph ? before.where(column, '=', sql<number>`CAST(${parameters.graph} AS BIGINT)`) : before
  const visible = isAdministrator ? one : whereVisible(one, parameters)
  return graphFilterRules
    .apply(visible, filters, parameters)
    .select('graph.id as id')
    .orderBy(column, 'desc')
    .limit(parameters.limit)
}

/**
 * Returns the graphs that the viewer may read, that match the filter and that contain all words of the query, newest first.
 * Searches for prefixes, or for words that occur in many graphs, take longer.
 */
export async function searchGraphs(
  reader: Reader,
  viewer: Viewer,
  query: WordQuery,
  { graph, ...filter }: SearchFilter,
  { limit, after }: Slice
): Promise<GraphWithContent[]> {
  const { account, isAdministrator } = viewer
  if (account === undefined && !isAdministrator) return []
  // Marks contain only logins. Any other text could have a special meaning in the query.
  if (filter.owner !== undefined && !isLogin(filter.owner)) return []
  const hasGrants = !isAdministrator && (await findGrantees(reader.read, viewer)).length > 0
  const owned = filter.owner === undefined ? query : [...query, [ownerTerm(filter.owner)]]
  const rights = account === undefined ? [sharedTerm] : [ownerTerm(account), sharedTerm]
  const beginnings = beginningsOf(query)
  const textOf = (query: WordQuery) => wordDialectOf(reader.read).matchOf(query, beginnings)
  const shape = {
    isAdministrator,
    hasGrants,
    filters: graphFilterRules.shapeOf(filter),
    isOneGraph: graph !== undefined,
    clauses: owned.map((clause) => beginningsOf([clause]).map((word) => beginnings.indexOf(word))),
    beginnings: beginnings.length
  }
  const rows = await selectFound(reader.scan, shape, {
    ...graphFilterRules.parametersOf(filter),
    ...viewerParametersOf(viewer),
    ...Object.fromEntries(owned.map((clause, index) => [`clause${index}`, textOf([clause])])),
    ...Object.fromEntries(beginnings.map((word, index) => [`beginning${index}`, word])),
    match: textOf(isAdministrator ? owned : [...owned, rights]),
    granted: textOf(owned),
    graph: graph ?? 0,
    before: after === undefined ? MAX_ID : Number(after[0]),
    limit
  })
  return rows.map((row) => ({ ...withContent(row), access: requireAccess(viewer, row) }))
}

const selectIndexing = prepared((db: Db) => db.selectFrom('indexing').select('isDone'), { remembers: true })

/** Returns whether the index is complete. It is incomplete while `reindex` rebuilds it. */
export async function isIndexComplete(db: Db): Promise<boolean> {
  const [state] = await selectIndexing(db, {})
  return Boolean(state?.isDone)
}
