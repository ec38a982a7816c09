import { type Access, type GraphRecord, MAX_NAME } from '../../schemas/graph.ts'
import type { StoredContent } from '../../schemas/graph-content.ts'
import type { Slice } from '../../schemas/parameters.ts'
import { faultAs, invalid, ProblemError } from '../../schemas/problem-catalogue.ts'
import type { TrashedGraph } from '../../schemas/trash.ts'
import { type Actor, accountOf, system } from '../actors.ts'
import { accessTo, hasRight, type OwnedGraph, requireGraph, requireRight, requireVersion } from '../graphs/access.ts'
import { findContent, storedContent } from '../graphs/contents.ts'
import {
  type FoundGraph,
  findGranted,
  findGraph,
  findGraphAt,
  type GraphWithContent,
  toRecord
} from '../graphs/graphs.ts'
import { findByKey, lockKeys, takeKey } from '../graphs/keys.ts'
import { removeGrantToOwner } from '../graphs/listed-grants.ts'
import { findView, removeView } from '../graphs/saved-views.ts'
import { type Limits, requireRoom } from '../graphs/usage.ts'
import { findLongHistories, removeVersions, trimHistory } from '../graphs/versions.ts'
import { type Db, StoreConflict, type Trx } from '../store.ts'
import type { GraphRow, UserRow } from '../tables.ts'
import { findUser } from '../users/users.ts'
import {
  type ContentWords,
  copyGraph,
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
  toTrashed,
  trashGraph,
  untrashGraph
} from './trash.ts'

/** How long to keep graphs and versions, and how much space each owner may use. */
export interface GraphPolicy extends Limits {
  /** The number of versions to keep per graph, including the current one. Infinity keeps all versions. */
  keepVersions: number
  /** How many days a deleted graph stays in the trash. 0 disables the trash. */
  trashDays: number
}

/** All fields of a graph. Only `shared` may be omitted. */
export interface GraphReplacement extends Omit<GraphCreation, 'values'> {
  values: Omit<GraphValues, 'shared'> & { shared: boolean | undefined }
}

/**
 * Checks the state of a graph before a change. The graph is undefined if it does not exist. Throws if the graph is not in the
 * state that the client expects.
 */
export type Expectation = (graph: Pick<GraphRecord, 'id' | 'version' | 'updatedAt'> | undefined) => void

/** The result of pushing a graph's content by key. */
export interface Pushed {
  graph: GraphWithContent
  isNew: boolean
}

/** The policy for the command line, which removes nothing. */
export const keepEverything: GraphPolicy = {
  keepVersions: Number.POSITIVE_INFINITY,
  trashDays: Number.POSITIVE_INFINITY,
  maxBytes: 0,
  maxGraphs: 0
}

/**
 * The only way to change graphs. Each method takes the transaction and the actor, finds the graph, checks rights and state, makes
 * the change, keeps the previous version, applies the policy and records the event. Methods that change a graph return it as the
 * actor sees it afterwards, including the bytes of its content, so that the response needs no more queries after the commit.
 */
export class GraphChanges {
  readonly policy: GraphPolicy

  constructor(policy: GraphPolicy) {
    this.policy = policy
  }

  /** Creates a graph in the actor's account. Throws `quota-exceeded`, `key-taken`, or `forbidden` if the actor has no account. */
  async create(trx: Trx, actor: Actor, creation: GraphCreation): Promise<GraphWithContent> {
    return this.createFor(trx, actor, accountOf(actor), creation)
  }

  /** Creates a graph for the owner. Throws `quota-exceeded` or `key-taken`. */
  async createFor(trx: Trx, actor: Actor, owner: string, creation: GraphCreation): Promise<GraphWithContent> {
    const { key } = creation.values
    if (key) await takeKey(trx, owner, key)
    const graph = await this.#applyPolicy(trx, await createGraph(trx, actor, owner, creation))
    return show(trx, actor, { ...graph, granted: null }, creation.content)
  }

  /**
   * Creates a private copy of a graph in the actor's account, by default of the current version, and returns it without its
   * content. Throws `graph-not-found`, `version-not-found`, `quota-exceeded`, or `forbidden` if the actor has no account.
   */
  async copy(
    trx: Trx,
    actor: Actor,
    id: number,
    { name, version, words }: { name?: string; version?: number; words?: ContentWords | undefined }
  ): Promise<GraphRecord> {
    const owner = accountOf(actor)
    const current = requireGraph(await findGraph(trx, actor, id))
    const source = requireVersion(await findGraphAt(trx, actor, id, version ?? current.version))
    const copy = await copyGraph(trx, actor, owner, source, name ?? nameOfCopy(source.name), words)
    return toRecord(await this.#applyPolicy(trx, copy), 'OWNER')
  }

  /**
   * Changes a graph. Throws `graph-not-found`, `forbidden`, `user-not-found` for an unknown new owner, `validation-failed` for an
   * unknown default view, `key-taken`, `quota-exceeded`, or an error from `expect`.
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
    const { owner = before.owner, key = before.key, defaultView = before.defaultView } = change.values ?? {}
    const isTaken = key !== before.key || owner !== before.owner
    if (key !== null && isTaken) await takeKey(trx, owner, key)
    if (defaultView !== null && defaultView !== before.defaultView) await requireDefault(trx, before.id, defaultView)
    const receiver = owner === before.owner ? undefined : await requireReceiver(trx, owner)
    const after = await updateGraph(trx, actor, before, change)
    if (receiver) await removeGrantToOwner(trx, after, receiver.id)
    const graph = await this.#applyPolicy(trx, after, before)
    const granted = receiver ? await findGranted(trx, actor, before.id) : before.granted
    return show(trx, actor, { ...graph, granted }, change.content)
  }

  /**
   * Replaces all fields of a graph. `shared` stays unchanged if it is omitted and the actor may not change it. Throws like
   * `change`.
   */
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
   * Replaces the content of the actor's graph that has this key, or creates the graph and sets `isNew`. Throws
   * `graph-in-trash`, or the errors of `change` and `create`.
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
    if (before?.owner !== owner || before.key !== key)
      throw new StoreConflict('the graph has been deleted in the meantime')
    expect(before)
    const { content, message } = creation
    return { graph: await this.#change(trx, actor, before, { content, message }), isNew: false }
  }

  /**
   * Restores an earlier version of a graph. Restores `shared` only if the actor may change it. Throws `version-not-found`, or
   * an error from `change`.
   */
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

  /**
   * Deletes a graph, or moves it to the trash if the trash is enabled. Does nothing if the actor cannot see the graph. Throws
   * `forbidden`.
   */
  async delete(trx: Trx, actor: Actor, id: number, expect: Expectation): Promise<void> {
    const graph = await findGraph(trx, actor, id)
    if (graph) requireRight(actor, 'OWNER', graph)
    expect(graph)
    if (graph) await (this.policy.trashDays === 0 ? deleteGraph : trashGraph)(trx, actor, graph)
  }

  /** Restores a graph from the trash. Throws `graph-not-found`. */
  async untrash(trx: Trx, actor: Actor, id: number): Promise<GraphWithContent> {
    const graph = await untrashGraph(trx, actor, requireGraph(await findTrashed(trx, actor, id)))
    return show(trx, actor, { ...graph, granted: null })
  }

  /** Permanently deletes a graph from the trash. Throws `graph-not-found`. */
  async purge(trx: Trx, actor: Actor, id: number): Promise<void> {
    await purgeGraph(trx, actor, requireGraph(await findTrashed(trx, actor, id)))
  }

  /** Purges a graph on behalf of the system if it has expired in the trash. Returns whether it was purged. */
  async purgeExpired(trx: Trx, id: number): Promise<boolean> {
    const trashed = await findTrashed(trx, system, id)
    // Another transaction may have restored the graph, and may even have deleted it again.
    if (!trashed || !isExpired(trashed, this.policy.trashDays)) return false
    await purgeGraph(trx, system, trashed)
    return true
  }

  /** Returns the ids of at most `limit` expired graphs in the trash. */
  findExpired(db: Db, limit: number): Promise<number[]> {
    return findExpired(db, this.policy.trashDays, limit)
  }

  /** Returns a page of the actor's graphs in the trash, with their expiry times. */
  listTrash(db: Db, query: TrashQuery, slice: Slice): Promise<TrashedGraph[]> {
    return listTrash(db, query, slice, this.policy.trashDays)
  }

  /** Returns a graph in the trash, with its expiry time, if the actor owns it. Throws `graph-not-found`. */
  async requireTrashed(db: Db, actor: Actor, id: number): Promise<TrashedGraph> {
    return toTrashed(requireGraph(await findTrashed(db, actor, id)), actor, this.policy.trashDays)
  }

  /** Returns the ids of at most `limit` graphs that have more versions than the policy keeps, starting after the id `after`. */
  async findLongHistories(db: Db, after: number, limit: number): Promise<number[]> {
    const { keepVersions } = this.policy
    return keepVersions === Number.POSITIVE_INFINITY ? [] : findLongHistories(db, keepVersions, after, limit)
  }

  /** Removes some of the excess versions. Returns whether none remain. */
  async trimHistory(trx: Trx, id: number): Promise<boolean> {
    return this.policy.keepVersions === Number.POSITIVE_INFINITY || trimHistory(trx, id, this.policy.keepVersions)
  }

  /**
   * Removes a saved view, if it exists. If it is the default view, the graph has none afterwards. Throws `graph-not-found` or
   * `forbidden`.
   */
  async removeView(trx: Trx, actor: Actor, id: number, name: string): Promise<void> {
    const before = await this.requireChangeable(trx, actor, id, () => {})
    await removeView(trx, actor, before, name)
    if (before.defaultView !== name) return
    await this.#applyPolicy(trx, await updateGraph(trx, actor, before, { values: { defaultView: null } }), before)
  }

  /**
   * Returns the graph if the actor may change it and it is in the expected state. Throws `graph-not-found`, `forbidden`, or an
   * error from `expect`.
   */
  async requireChangeable(db: Db, actor: Actor, id: number, expect: Expectation): Promise<FoundGraph> {
    const graph = requireRight(actor, 'WRITE', requireGraph(await findGraph(db, actor, id)))
    expect(graph)
    return graph
  }

  /** Removes excess versions and returns the resulting graph. Throws `quota-exceeded`. */
  async #applyPolicy(trx: Trx, after: GraphRow, before?: GraphRow): Promise<GraphRow> {
    const superfluous = after.version - this.policy.keepVersions
    const isTrimmed = after !== before && superfluous > 0
    const freed = isTrimmed ? (await removeVersions(trx, after.id, superfluous)).bytes : 0
    const kept = freed === 0 ? after : { ...after, bytes: after.bytes - freed }
    await requireRoom(trx, this.policy, kept, after.owner === before?.owner ? before : undefined)
    return kept
  }
}

/** Fields that only owners may change, even if other users may change the rest of the graph. */
type FieldsOfOwners = Pick<GraphRow, 'shared' | 'owner' | 'key'>

/** Returns the access level required for a change. */
export function rightToChange(
  before: FieldsOfOwners,
  { shared = before.shared, owner = before.owner, key = before.key }: Partial<FieldsOfOwners> = {}
): Access {
  const isSame = Boolean(shared) === Boolean(before.shared) && owner === before.owner && key === before.key
  return isSame ? 'WRITE' : 'OWNER'
}

/** Returns the default name of a copy, cut to the maximum length of a name. */
function nameOfCopy(name: string) {
  return [...`Copy of ${name}`].slice(0, MAX_NAME).join('')
}

/** Returns the user who will receive the graph. Throws `user-not-found`. */
async function requireReceiver(trx: Trx, login: string): Promise<UserRow> {
  const user = await findUser(trx, login)
  if (user) return user
  throw faultAs({ pointer: '#/owner', code: 'user-not-found', detail: 'is not the login of a user' })
}

/** Throws `validation-failed` if the graph has no saved view with this name. */
async function requireDefault(trx: Trx, graphId: number, name: string) {
  if (await findView(trx, graphId, name)) return
  throw invalid({ pointer: '#/defaultView', code: 'view-not-found', detail: 'is not a saved view of this graph' })
}

/**
 * Returns the graph as the actor sees it, inside the transaction that changed it. `stored` is its content, if the caller already
 * has it. After a transfer, the response still shows the graph, read-only.
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
