import type { GraphRecord } from '../schemas/graph.ts'
import { requireGraph, requireRight, requireVersion } from './access.ts'
import { type Actor, accountOf, system } from './actors.ts'
import { createGraph, type GraphChange, type GraphCreation, restoreGraph, updateGraph } from './graph-writes.ts'
import { findGraph, findGraphAt } from './graphs.ts'
import type { Db, Trx } from './store.ts'
import type { GraphRow } from './tables.ts'
import { deleteGraph, findTrashed, isExpired, purgeGraph, trashGraph, untrashGraph } from './trash.ts'
import { type Limits, requireRoom } from './usage.ts'
import { removeVersions } from './versions.ts'

/** How long graphs are kept, and what those of one owner may take. */
export interface GraphPolicy extends Limits {
  /** The versions of a graph that are kept, the current one among them; Infinity for all. */
  keepVersions: number
  /** The days that a deleted graph stays in the trash; 0 for no trash. */
  trashDays: number
}

/** What a change expects of the graph as it is; undefined where there is none. Throws where it is something else. */
export type Expectation = (graph: Pick<GraphRecord, 'id' | 'version' | 'updatedAt'> | undefined) => void

/**
 * The one way that graphs change. Each method is given the unit, and whoever acts in it: it finds the graph, judges right and
 * state, changes it, keeps the version before, applies the policy and records the event.
 */
export class GraphChanges {
  readonly policy: GraphPolicy

  constructor(policy: GraphPolicy) {
    this.policy = policy
  }

  /** Creates a graph, which belongs to the account of the actor. Throws `quota-exceeded`. */
  async create(trx: Trx, actor: Actor, creation: GraphCreation): Promise<GraphRow> {
    return this.#applyPolicy(trx, await createGraph(trx, actor, accountOf(actor), creation))
  }

  /** Changes a graph, and returns it as it is then. Throws what `requireChangeable` throws, and `quota-exceeded`. */
  async change(trx: Trx, actor: Actor, id: number, expect: Expectation, change: GraphChange): Promise<GraphRow> {
    const before = await this.requireChangeable(trx, actor, id, expect)
    return this.#applyPolicy(trx, await updateGraph(trx, actor, before, change), before)
  }

  /** Gives a graph the state of an earlier version. Throws the same, and `version-not-found`. */
  async restore(
    trx: Trx,
    actor: Actor,
    id: number,
    expect: Expectation,
    { version, message }: { version: number; message: string | null }
  ): Promise<GraphRow> {
    const before = await this.requireChangeable(trx, actor, id, expect)
    const earlier = requireVersion(await findGraphAt(trx, actor, id, version))
    return this.#applyPolicy(trx, await restoreGraph(trx, actor, before, earlier, message), before)
  }

  /** Deletes a graph: into the trash, if there is one. Where the actor sees none there is nothing to do. Throws `forbidden`. */
  async delete(trx: Trx, actor: Actor, id: number, expect: Expectation): Promise<void> {
    const graph = await findGraph(trx, actor, id)
    if (graph) requireRight(actor, 'OWNER', graph)
    expect(graph)
    if (graph) await (this.policy.trashDays === 0 ? deleteGraph : trashGraph)(trx, actor, graph)
  }

  /** Takes a graph out of the trash, and returns it. Throws `graph-not-found`. */
  async untrash(trx: Trx, actor: Actor, id: number): Promise<GraphRow> {
    return untrashGraph(trx, actor, requireGraph(await findTrashed(trx, actor, id)))
  }

  /** Deletes a graph in the trash for good. Throws `graph-not-found`. */
  async purge(trx: Trx, actor: Actor, id: number): Promise<void> {
    await purgeGraph(trx, actor, requireGraph(await findTrashed(trx, actor, id)))
  }

  /** Does the same in the name of the server where the graph has been in the trash for long enough. Returns whether it has. */
  async purgeExpired(trx: Trx, id: number): Promise<boolean> {
    const trashed = await findTrashed(trx, system, id)
    // Meanwhile somebody may have taken it out, and even put it in again.
    if (!trashed || !isExpired(trashed, this.policy.trashDays)) return false
    await purgeGraph(trx, system, trashed)
    return true
  }

  /**
   * Returns the graph as it is before a change, which the actor may make and which is meant for this state. Throws
   * `graph-not-found`, `forbidden`, and what the expectation throws.
   */
  async requireChangeable(db: Db, actor: Actor, id: number, expect: Expectation): Promise<GraphRow> {
    const graph = requireRight(actor, 'WRITE', requireGraph(await findGraph(db, actor, id)))
    expect(graph)
    return graph
  }

  /** Returns the graph as it has just become, without versions beyond those that are kept. Throws `quota-exceeded`. */
  async #applyPolicy(trx: Trx, after: GraphRow, before?: GraphRow): Promise<GraphRow> {
    const superfluous = after.version - this.policy.keepVersions
    const isTrimmed = after !== before && superfluous > 0
    const freed = isTrimmed ? (await removeVersions(trx, after.id, superfluous)).bytes : 0
    const kept = freed === 0 ? after : { ...after, bytes: after.bytes - freed }
    await requireRoom(trx, this.policy, kept, before)
    return kept
  }
}
