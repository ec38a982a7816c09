import type { Access, GraphRecord } from '../../schemas/graph.ts'
import type { StoredContent } from '../../schemas/graph-content.ts'
import type { Slice } from '../../schemas/parameters.ts'
import { faultAs, ProblemError } from '../../schemas/problem-catalogue.ts'
import type { TrashedGraph } from '../../schemas/trash.ts'
import { type Actor, accountOf, system } from '../actors.ts'
import { accessTo, hasRight, type OwnedGraph, requireGraph, requireRight, requireVersion } from '../graphs/access.ts'
import { findContent, storedContent } from '../graphs/contents.ts'
import { type FoundGraph, findGranted, findGraph, findGraphAt, type GraphWithContent } from '../graphs/graphs.ts'
import { findByKey, lockKeys, takeKey } from '../graphs/keys.ts'
import { removeGrantToOwner } from '../graphs/listed-grants.ts'
import { type Limits, requireRoom } from '../graphs/usage.ts'
import { findLongHistories, removeVersions, trimHistory } from '../graphs/versions.ts'
import { type Db, StoreConflict, type Trx } from '../store.ts'
import type { GraphRow, UserRow } from '../tables.ts'
import { findUser } from '../users/users.ts'
import {
  type ContentWords,
  createGraph,
  type GraphChange,
  type GraphCreation,
  type GraphValues,
  restoreGraph,
  updateGraph
} from './rows.ts'
import {
  deleteGraph,
  findExpired,
  findTrashed,
  isExpired,
  listTrash,
  purgeGraph,
  type TrashQuery,
  trashGraph,
  untrashGraph
} from './trash.ts'

/** The time that graphs are kept, and the space that those of one owner may take. */
export interface GraphPolicy extends Limits {
  /** The number of versions of a graph that are kept, with the current one; Infinity for all. */
  keepVersions: number
  /** The days that a deleted graph stays in the trash; 0 for no trash. */
  trashDays: number
}

/** All fields of a graph, of which `shared` may be absent. */
export interface GraphReplacement extends Omit<GraphCreation, 'values'> {
  values: Omit<GraphValues, 'shared'> & { shared: boolean | undefined }
}

/** Checks the state of a graph before a change, or that there is none. Throws if the change is meant for another state. */
export type Expectation = (graph: Pick<GraphRecord, 'id' | 'version' | 'updatedAt'> | undefined) => void

/** A graph whose content was pushed by its key. */
export interface Pushed {
  graph: GraphWithContent
  isNew: boolean
}

/** The policy of the command line: it keeps everything. */
export const keepEverything: GraphPolicy = {
  keepVersions: Number.POSITIVE_INFINITY,
  trashDays: Number.POSITIVE_INFINITY,
  maxBytes: 0,
  maxGraphs: 0
}

/**
 * The one way that graphs change. Each method takes the transaction and the actor. It finds the graph, checks right and state, changes
 * it, keeps the version before, applies the policy and records the event. Those that change a graph return it as the actor
 * then sees it, also the bytes of its content: an answer needs nothing more of the store after the commit.
 */
export class GraphChanges {
  readonly policy: GraphPolicy

  constructor(policy: GraphPolicy) {
    this.policy = policy
  }

  /** Creates a graph of the actor's account. Throws `quota-exceeded`, `key-taken`, and `forbidden` without an account. */
  async create(trx: Trx, actor: Actor, creation: GraphCreation): Promise<GraphWithContent> {
    return this.createFor(trx, actor, accountOf(actor), creation)
  }

  /** Creates a graph of the owner. Throws `quota-exceeded`, and `key-taken`. */
  async createFor(trx: Trx, actor: Actor, owner: string, creation: GraphCreation): Promise<GraphWithContent> {
    const { key } = creation.values
    if (key) await takeKey(trx, owner, key)
    const graph = await this.#applyPolicy(trx, await createGraph(trx, actor, owner, creation))
    return show(trx, actor, { ...graph, granted: null }, creation.content)
  }

  /**
   * Changes a graph. Throws `graph-not-found`, `forbidden`, `user-not-found` for a new owner, `key-taken`, `quota-exceeded`, and the
   * errors of the expectation.
   */
  async change(
    trx: Trx,
    actor: Actor,
    id: number,
    expect: Expectation,
    change: GraphChange
  ): Promise<GraphWithContent> {
    return this.#change(trx, actor, await this.requireChangeable(trx, actor, id, expect), change)
  }

  async #change(trx: Trx, actor: Actor, before: FoundGraph, change: GraphChange): Promise<GraphWithContent> {
    requireRight(actor, rightToChange(before, change.values), before)
    const { owner = before.owner, key = before.key } = change.values ?? {}
    const isTaken = key !== before.key || owner !== before.owner
    if (key !== null && isTaken) await takeKey(trx, owner, key)
    const receiver = owner === before.owner ? undefined : await requireReceiver(trx, owner)
    const after = await updateGraph(trx, actor, before, change)
    if (receiver) await removeGrantToOwner(trx, after, receiver.id)
    const graph = await this.#applyPolicy(trx, after, before)
    const granted = receiver ? await findGranted(trx, actor, before.id) : before.granted
    return show(trx, actor, { ...graph, granted }, change.content)
  }

  /** Replaces the fields of a graph: \`shared\` stays where it is absent and the actor may not decide it. Throws like \`change\`. */
  async replace(
    trx: Trx,
    actor: Actor,
    id: number,
    expect: Expectation,
    { values: { shared, ...values }, ...change }: GraphReplacement
  ): Promise<GraphWithContent> {
    const before = await this.requireChangeable(trx, actor, id, expect)
    const isShared = shared ?? (hasRight(actor, 'OWNER', before) ? false : Boolean(before.shared))
    return this.#change(trx, actor, before, { ...change, values: { ...values, shared: isShared } })
  }

  /**
   * Replaces the content of the actor's graph with this key, or creates the graph if there is none: `isNew` tells. Throws
   * `graph-in-trash` and the errors of `change` and `create`.
   */
  async push(trx: Trx, actor: Actor, key: string, expect: Expectation, creation: GraphCreation): Promise<Pushed> {
    const owner = accountOf(actor)
    let found = await findByKey(trx, owner, key)
    if (!found) {
      await lockKeys(trx, owner)
      found = await findByKey(trx, owner, key)
    }
    if (!found) {
      expect(undefined)
      const values = { ...creation.values, key }
      return { graph: await this.createFor(trx, actor, owner, { ...creation, values }), isNew: true }
    }
    if (found.isTrashed) throw new ProblemError('graph-in-trash')
    const before = await findGraph(trx, actor, found.id)
    if (before?.owner !== owner || before.key !== key) throw new StoreConflict('the graph has gone meanwhile')
    expect(before)
    const { content, message } = creation
    return { graph: await this.#change(trx, actor, before, { content, message }), isNew: false }
  }

  /** Gives a graph the state of an earlier version; \`shared\` only if the actor may decide it. Throws the errors of `change`, and `version-not-found`. */
  async restore(
    trx: Trx,
    actor: Actor,
    id: number,
    expect: Expectation,
    { version, message, words }: { version: number; message?: string | null; words?: ContentWords | undefined }
  ): Promise<GraphWithContent> {
    const before = await this.requireChangeable(trx, actor, id, expect)
    const earlier = requireVersion(await findGraphAt(trx, actor, id, version))
    const shared = hasRight(actor, 'OWNER', before) ? earlier.shared : before.shared
    const after = await restoreGraph(trx, actor, before, { ...earlier, shared }, message, words)
    return show(trx, actor, { ...(await this.#applyPolicy(trx, after, before)), granted: before.granted })
  }

  /** Deletes a graph, into the trash if there is one. Does nothing if the actor sees no such graph. Throws `forbidden`. */
  async delete(trx: Trx, actor: Actor, id: number, expect: Expectation): Promise<void> {
    const graph = await findGraph(trx, actor, id)
    if (graph) requireRight(actor, 'OWNER', graph)
    expect(graph)
    if (graph) await (this.policy.trashDays === 0 ? deleteGraph : trashGraph)(trx, actor, graph)
  }

  /** Takes a graph out of the trash. Throws `graph-not-found`. */
  async untrash(trx: Trx, actor: Actor, id: number): Promise<GraphWithContent> {
    const graph = await untrashGraph(trx, actor, requireGraph(await findTrashed(trx, actor, id)))
    return show(trx, actor, { ...graph, granted: null })
  }

  /** Permanently deletes a graph in the trash. Throws `graph-not-found`. */
  async purge(trx: Trx, actor: Actor, id: number): Promise<void> {
    await purgeGraph(trx, actor, requireGraph(await findTrashed(trx, actor, id)))
  }

  /** Purges a graph in the name of the server if its time in the trash is over. Returns whether it was. */
  async purgeExpired(trx: Trx, id: number): Promise<boolean> {
    const trashed = await findTrashed(trx, system, id)
    // Another transaction may have taken it out, and even put it in again.
    if (!trashed || !isExpired(trashed, this.policy.trashDays)) return false
    await purgeGraph(trx, system, trashed)
    return true
  }

  /** Returns the ids of graphs whose time in the trash is over, at most so many. */
  findExpired(db: Db, limit: number): Promise<number[]> {
    return findExpired(db, this.policy.trashDays, limit)
  }

  /** Returns a page of the graphs in the trash that the actor owns, and the times at which they expire. */
  listTrash(db: Db, query: TrashQuery, slice: Slice): Promise<TrashedGraph[]> {
    return listTrash(db, query, slice, this.policy.trashDays)
  }

  /** Returns the ids of graphs after this id that have more versions than are kept, at most so many. */
  async findLongHistories(db: Db, after: number, limit: number): Promise<number[]> {
    const { keepVersions } = this.policy
    return keepVersions === Number.POSITIVE_INFINITY ? [] : findLongHistories(db, keepVersions, after, limit)
  }

  /** Removes some of the versions that are not kept any more. Returns whether none is left. */
  async trimHistory(trx: Trx, id: number): Promise<boolean> {
    return this.policy.keepVersions === Number.POSITIVE_INFINITY || trimHistory(trx, id, this.policy.keepVersions)
  }

  /**
   * Returns a graph that the actor may change, and whose state is the expected one. Throws `graph-not-found`, `forbidden` and
   * the errors of the expectation.
   */
  async requireChangeable(db: Db, actor: Actor, id: number, expect: Expectation): Promise<FoundGraph> {
    const graph = requireRight(actor, 'WRITE', requireGraph(await findGraph(db, actor, id)))
    expect(graph)
    return graph
  }

  /** Removes the versions that are not kept any more, and returns the graph after that. Throws `quota-exceeded`. */
  async #applyPolicy(trx: Trx, after: GraphRow, before?: GraphRow): Promise<GraphRow> {
    const superfluous = after.version - this.policy.keepVersions
    const isTrimmed = after !== before && superfluous > 0
    const freed = isTrimmed ? (await removeVersions(trx, after.id, superfluous)).bytes : 0
    const kept = freed === 0 ? after : { ...after, bytes: after.bytes - freed }
    await requireRoom(trx, this.policy, kept, after.owner === before?.owner ? before : undefined)
    return kept
  }
}

/** The fields that only owners change, whoever else may change the graph. */
type FieldsOfOwners = Pick<GraphRow, 'shared' | 'owner' | 'key'>

/** Returns the right that a change asks for. */
export function rightToChange(
  before: FieldsOfOwners,
  { shared = before.shared, owner = before.owner, key = before.key }: Partial<FieldsOfOwners> = {}
): Access {
  const isSame = Boolean(shared) === Boolean(before.shared) && owner === before.owner && key === before.key
  return isSame ? 'WRITE' : 'OWNER'
}

/** Returns the user to whom a graph is handed over. Throws `user-not-found`. */
async function requireReceiver(trx: Trx, login: string): Promise<UserRow> {
  const user = await findUser(trx, login)
  if (user) return user
  throw faultAs({ pointer: '#/owner', code: 'user-not-found', detail: 'is the login of no user' })
}

/**
 * Returns the graph as the actor sees it, inside the transaction that has changed it. `stored` is its content if it is at hand. After a
 * transfer the response still shows the graph, read-only.
 */
async function show(
  trx: Trx,
  actor: Actor,
  graph: GraphRow & OwnedGraph,
  stored?: StoredContent | null
): Promise<GraphWithContent> {
  const content = stored ? storedContent(graph, stored) : await findContent(trx, graph)
  return { ...graph, access: accessTo(actor, graph) ?? 'READ', content }
}
