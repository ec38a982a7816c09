import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { type GraphView, MAX_VIEWS, type SavedView } from '../../schemas/saved-view.ts'
import type { Actor } from '../actors.ts'
import { recordEvent } from '../audit/events.ts'
import { prepared } from '../engine/prepared.ts'
import type { Db, Trx } from '../store.ts'
import type { GraphRow } from '../tables.ts'
import { requireGraph, requireRight } from './access.ts'
import { findGraph, targetOf } from './graphs.ts'

// The saved views of graphs. Users who can read a graph can see its views, and users who can change it can save and remove them.

const selectViews = prepared((db, { graphId }: { graphId: number }) =>
  db
    .selectFrom('savedView')
    .select(['name', 'query', 'style', 'savedAt', 'savedBy'])
    .where('graphId', '=', graphId)
    .orderBy('name')
)

/** Returns the graph's views, ordered by name. Throws `graph-not-found`. */
export async function listViews(db: Db, actor: Actor, id: number): Promise<SavedView[]> {
  requireGraph(await findGraph(db, actor, id))
  const views = await selectViews(db, { graphId: id })
  return views.map(({ style, ...view }) => (style === null ? view : { ...view, style: JSON.parse(style) }))
}

const selectView = prepared((db, { graphId, name }: { graphId: number; name: string }) =>
  db.selectFrom('savedView').select(['query', 'style']).where('graphId', '=', graphId).where('name', '=', name)
)

/** Returns one of the graph's views, or undefined. */
export async function findView(db: Db, graphId: number, name: string): Promise<GraphView | undefined> {
  const [view] = await selectView(db, { graphId, name })
  return view && { query: view.query, ...(view.style !== null && { style: JSON.parse(view.style) }) }
}

/** Returns the graph's default view, or undefined if there is none. */
export async function findDefaultView(
  db: Db,
  { id, defaultView }: Pick<GraphRow, 'id' | 'defaultView'>
): Promise<GraphView | undefined> {
  return defaultView === null ? undefined : findView(db, id, defaultView)
}

/** Returns one of the graph's views. Throws `view-not-found`. */
export async function requireView(db: Db, graphId: number, name: string): Promise<GraphView> {
  const view = await findView(db, graphId, name)
  if (!view) throw new ProblemError('view-not-found')
  return view
}

type NewView = Pick<SavedView, 'name' | 'query'> & { style: SavedView['style'] | undefined }

/**
 * Saves a view, replacing any view with the same name. Does nothing if the view is unchanged. Throws `graph-not-found`,
 * `forbidden` or `too-many-views`.
 */
export async function saveView(trx: Trx, actor: Actor, id: number, view: NewView) {
  const { name, query } = view
  const style = view.style ? JSON.stringify(view.style) : null
  const graph = requireRight(actor, 'WRITE', requireGraph(await findGraph(trx, actor, id)))
  const views = await selectViews(trx, { graphId: id })
  const before = views.find((view) => view.name === name)
  if (before?.query === query && before.style === style) return
  if (!before && views.length >= MAX_VIEWS) {
    throw new ProblemError('too-many-views', {
      detail: `A graph can have at most ${MAX_VIEWS} saved views. Delete one first.`
    })
  }
  const made = { query, style, savedAt: new Date().toISOString(), savedBy: actor.principal }
  await trx
    .insertInto('savedView')
    .values({ graphId: id, name, ...made })
    .onConflict((conflict) => conflict.columns(['graphId', 'name']).doUpdateSet(made))
    .execute()
  await recordEvent(trx, actor, { type: 'GRAPH_VIEW_SAVED', target: targetOf(graph), data: { view: name } })
}

/** Removes the view with this name, if it exists. The default view is handled in db/changes/graphs.ts. */
export async function removeView(trx: Trx, actor: Actor, graph: Pick<GraphRow, 'id' | 'name'>, name: string) {
  const removed = await trx
    .deleteFrom('savedView')
    .where('graphId', '=', graph.id)
    .where('name', '=', name)
    .returning('name')
    .executeTakeFirst()
  if (!removed) return
  await recordEvent(trx, actor, { type: 'GRAPH_VIEW_REMOVED', target: targetOf(graph), data: { view: name } })
}

/** Removes the views of a permanently deleted graph. */
export async function removeViewsOfGraph(trx: Trx, graphId: number) {
  await trx.deleteFrom('savedView').where('graphId', '=', graphId).execute()
}
