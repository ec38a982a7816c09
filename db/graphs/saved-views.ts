import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { MAX_VIEWS, type SavedView } from '../../schemas/saved-view.ts'
import type { Actor } from '../actors.ts'
import { recordEvent } from '../audit/events.ts'
import { prepared } from '../engine/prepared.ts'
import type { Db, Trx } from '../store.ts'
import { requireGraph, requireRight } from './access.ts'
import { findGraph, targetOf } from './graphs.ts'

// The saved views of graphs. Whoever may read a graph has its views, and whoever may change it saves and removes them.

const selectViews = prepared((db, { graphId }: { graphId: number }) =>
  db
    .selectFrom('savedView')
    .select(['name', 'query', 'savedAt', 'savedBy'])
    .where('graphId', '=', graphId)
    .orderBy('name')
)

/** Returns the views of the graph, by name. Throws `graph-not-found`. */
export async function listViews(db: Db, actor: Actor, id: number): Promise<SavedView[]> {
  requireGraph(await findGraph(db, actor, id))
  return [...(await selectViews(db, { graphId: id }))]
}

/**
 * Saves what a view shows, in place of the view with this name if there is one. Does nothing if it shows that. Throws
 * `graph-not-found`, `forbidden` and `too-many-views`.
 */
export async function saveView(trx: Trx, actor: Actor, id: number, { name, query }: Pick<SavedView, 'name' | 'query'>) {
  const graph = await findChangeable(trx, actor, id)
  const views = await selectViews(trx, { graphId: id })
  const before = views.find((view) => view.name === name)
  if (before?.query === query) return
  if (!before && views.length >= MAX_VIEWS) {
    throw new ProblemError('too-many-views', { detail: `A graph has at most ${MAX_VIEWS} saved views: remove one.` })
  }
  const made = { query, savedAt: new Date().toISOString(), savedBy: actor.principal }
  await trx
    .insertInto('savedView')
    .values({ graphId: id, name, ...made })
    .onConflict((conflict) => conflict.columns(['graphId', 'name']).doUpdateSet(made))
    .execute()
  await recordEvent(trx, actor, { type: 'GRAPH_VIEW_SAVED', target: targetOf(graph), data: { view: name } })
}

/** Removes the view with this name. Does nothing if there is none. Throws `graph-not-found` and `forbidden`. */
export async function removeView(trx: Trx, actor: Actor, id: number, name: string) {
  const graph = await findChangeable(trx, actor, id)
  const removed = await trx
    .deleteFrom('savedView')
    .where('graphId', '=', id)
    .where('name', '=', name)
    .returning('name')
    .executeTakeFirst()
  if (!removed) return
  await recordEvent(trx, actor, { type: 'GRAPH_VIEW_REMOVED', target: targetOf(graph), data: { view: name } })
}

/** Returns the graph if the actor may change it. A transaction locks it. Throws `graph-not-found` and `forbidden`. */
async function findChangeable(trx: Trx, actor: Actor, id: number) {
  return requireRight(actor, 'WRITE', requireGraph(await findGraph(trx, actor, id)))
}

/** Removes the views of a graph that is permanently deleted. */
export async function removeViewsOfGraph(trx: Trx, graphId: number) {
  await trx.deleteFrom('savedView').where('graphId', '=', graphId).execute()
}
