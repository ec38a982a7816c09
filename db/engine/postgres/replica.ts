import { setTimeout as sleep } from 'node:timers/promises'
import { type CompiledQuery, type DatabaseConnection, type Driver, type Kysely, type QueryResult, sql } from 'kysely'
import { currentRequester } from '../../../graph/jobs/shares.ts'
import { StoreBusy, StoreUnavailable } from '../../store.ts'
import type { Tables } from '../../tables.ts'
import { notify } from '../notify.ts'

type Handle = Kysely<Tables>

/** How long to wait for the replica to catch up, and until it is tried again after it could not be used, in milliseconds. */
const PATIENCE = 500
const RETRY_AFTER = 10_000

/** The error code of a statement that took too long, as it would on the primary. */
const CANCELLED = '57014'

/**
 * Identifies a database: the cluster and its timeline, the database and the schema. A standby that has not followed the latest
 * failover is on another timeline, so its position means nothing there.
 */
const identityOn = (timeline: string) => sql`(
  SELECT concat_ws(' ', "system_identifier", ${sql.raw(timeline)}, current_database(), current_schema())
  FROM pg_control_system())`

/** The database, and the position up to which the primary's log contains all commits so far. */
interface Position {
  identity: string
  lsn: string
}

/** Returns the current position of the primary. */
export async function positionOf(primary: Handle): Promise<Position> {
  const { rows } = await sql<Position>`
    SELECT ${identityOn('left(pg_walfile_name("lsn"), 8)')} AS "identity", "lsn"::text AS "lsn"
    FROM pg_current_wal_flush_lsn() AS "lsn"`.execute(primary)
  return rows[0] as Position
}

interface ReplicaState {
  identity: string
  isStandby: boolean
  /** The number of bytes of the log up to the position that the replica has not applied yet. */
  missing: number
}

async function stateAt(replica: Handle, { lsn }: Position): Promise<ReplicaState> {
  const { rows } = await sql<ReplicaState>`
    SELECT ${identityOn("lpad(upper(to_hex((pg_control_checkpoint()).timeline_id)), 8, '0')")} AS "identity",
      pg_is_in_recovery() AS "isStandby",
      greatest(0, pg_wal_lsn_diff(CAST(${lsn} AS pg_lsn), pg_last_wal_replay_lsn()))::float8 AS "missing"`.execute(
    replica
  )
  return rows[0] as ReplicaState
}

/**
 * Waits until the replica has applied everything up to the position. Returns the number of bytes that are still missing when it
 * gives up. Throws StoreUnavailable if this is not a standby of the database.
 */
export async function catchUp(replica: Handle, position: Position): Promise<number> {
  for (let waited = 0, pause = 2; ; waited += pause, pause *= 2) {
    const { identity, isStandby, missing } = await stateAt(replica, position)
    if (!isStandby) throw new StoreUnavailable('it is not a standby')
    if (identity !== position.identity) {
      throw new StoreUnavailable('it is not a standby of this database, or has not followed its latest failover yet')
    }
    if (missing === 0 || waited >= PATIENCE) return missing
    await sleep(pause)
  }
}

interface Handles {
  replica: Handle
  /** Runs queries on the primary in place of the replica. */
  scan: Handle
  /** For the position of the primary. */
  read: Handle
}

/**
 * A driver that runs each query on a replica once the replica has applied everything that was committed before. If it does not
 * or fails, the primary runs the query. Transactions are not supported.
 */
export class ReplicaDriver implements Driver {
  readonly #handles: Handles
  readonly #onChange: (fault: Error | undefined) => void
  #fault: Error | undefined
  #retryAt = 0

  /** `onChange` receives the error when queries move to the primary, and undefined when they return to the replica. */
  constructor(handles: Handles, onChange: (fault: Error | undefined) => void) {
    this.#handles = handles
    this.#onChange = onChange
  }

  /** Whether queries currently run on the replica. */
  get isUsed() {
    return this.#fault === undefined
  }

  async init() {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return {
      executeQuery: async <R>(query: CompiledQuery) =>
        (await this.#askReplica<R>(query)) ?? (await this.#handles.scan.executeQuery<R>(query as CompiledQuery<R>)),
      // biome-ignore lint/correctness/useYield: streaming is not supported
      async *streamQuery() {
        throw new Error('streaming rows is not supported')
      }
    }
  }

  /** Runs the query on the replica. Returns undefined if the primary must run it. */
  async #askReplica<R>(query: CompiledQuery): Promise<QueryResult<R> | undefined> {
    if (performance.now() < this.#retryAt) return undefined
    // Only one query tries the replica again.
    if (!this.isUsed) this.#pause()
    try {
      const position = await positionOf(this.#handles.read)
      return await this.#handles.replica.connection().execute(async (session) => {
        const missing = await catchUp(session, position)
        if (missing > 0) throw new StoreUnavailable(`it is ${missing} bytes behind`)
        this.#setFault(undefined)
        return session.executeQuery<R>(query as CompiledQuery<R>)
      })
    } catch (error) {
      if (isFinal(error)) throw error
      // Other errors concern only this query. For example, the replica cancels one whose rows the primary has removed since.
      if (error instanceof StoreUnavailable) this.#setFault(error)
      return undefined
    }
  }

  #pause() {
    this.#retryAt = performance.now() + RETRY_AFTER
  }

  #setFault(fault: Error | undefined) {
    const wasUsed = this.isUsed
    this.#fault = fault
    if (fault === undefined) this.#retryAt = 0
    else this.#pause()
    if (wasUsed !== this.isUsed) notify(() => this.#onChange(fault))
  }

  async beginTransaction() {
    throw new Error('a replica runs one query at a time')
  }

  async commitTransaction() {}
  async rollbackTransaction() {}
  async releaseConnection() {}

  /** Closes the connections to the replica. */
  async destroy() {
    await this.#handles.replica.destroy()
  }
}

/** Returns whether the primary would not help: the statement took too long, or its requester waited too long or has left. */
function isFinal(error: unknown) {
  if (error instanceof StoreBusy || currentRequester().signal?.aborted) return true
  return error instanceof StoreUnavailable && (error.cause as { code?: string } | undefined)?.code === CANCELLED
}
