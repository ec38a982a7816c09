import type Database from 'better-sqlite3'
import {
  ColumnNode,
  type CompiledQuery,
  type DatabaseConnection,
  type OperationNode,
  type QueryResult,
  ReferenceNode,
  type RootOperationNode,
  ValuesNode
} from 'kysely'
import { RowCache } from '../row-cache.ts'
import { translate } from './errors.ts'

/** A connection that caches its prepared statements and, until the next commit, the rows of some queries. */
export class SqliteConnection implements DatabaseConnection {
  readonly #database: Database.Database
  readonly #statements = new Map<string, Database.Statement>()
  readonly #sharesSnapshots: boolean
  #hasSnapshot = false
  readonly #remembered = new RowCache()

  constructor(database: Database.Database, sharesSnapshots: boolean) {
    this.#database = database
    this.#sharesSnapshots = sharesSnapshots
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.execute(query)
  }

  execute<R>({ sql, parameters, query }: CompiledQuery): QueryResult<R> {
    try {
      if (this.#sharesSnapshots && !this.#hasSnapshot && !this.#database.inTransaction) this.#beginSnapshot()
      const statement = this.#prepare(sql)
      const values = parameters.map(bindable)
      if (statement.reader) return { rows: statement.all(values) as R[] }
      const { changes, lastInsertRowid } = statement.run(values)
      const rows = changes > 0 && returnsRowId(query) ? [{ id: lastInsertRowid } as R] : []
      return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows }
    } catch (error) {
      throw translate(error)
    }
  }

  rowsOf<Row>(query: CompiledQuery<Row>, key?: string): readonly Row[] {
    if (key === undefined || !this.#sharesSnapshots) return this.execute<Row>(query).rows
    this.#ensureSnapshot()
    const known = this.#remembered.get(query.sql, key)
    if (known) return known as readonly Row[]
    const { rows } = this.execute<Row>(query)
    this.#remembered.set(query.sql, key, rows)
    return rows
  }

  #ensureSnapshot() {
    try {
      if (!this.#hasSnapshot) this.#beginSnapshot()
    } catch (error) {
      throw translate(error)
    }
  }

  // biome-ignore lint/correctness/useYield: the interface requires a generator, but streaming is not supported
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('streaming queries is not supported')
  }

  begin() {
    this.endSnapshot()
    this.#run('BEGIN')
  }

  end(sql: 'COMMIT' | 'ROLLBACK') {
    this.#run(sql)
  }

  #run(sql: string) {
    try {
      this.#database.exec(sql)
    } catch (error) {
      throw translate(error)
    }
  }

  /**
   * Begins a snapshot that lasts until the end of this turn of the event loop. Beginning and ending a snapshot takes longer
   * than most queries.
   */
  #beginSnapshot() {
    this.#prepare('BEGIN').run()
    try {
      // The version changes whenever another connection commits, in this or any other process.
      const [version] = this.#prepare('PRAGMA data_version').raw().get() as [number]
      this.#remembered.forgetUnless(version)
    } catch (error) {
      if (this.#database.inTransaction) this.#prepare('ROLLBACK').run()
      throw error
    }
    this.#hasSnapshot = true
    setImmediate(() => this.endSnapshot())
  }

  endSnapshot() {
    if (!this.#hasSnapshot) return
    this.#hasSnapshot = false
    try {
      this.#prepare('COMMIT').run()
    } catch {
      // COMMIT also fails after damaged pages have been read. The caller has already received that error, so nothing is lost by
      // rolling back.
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK')
    }
  }

  close() {
    this.#hasSnapshot = false
    this.#database.close()
  }

  #prepare(sql: string) {
    const known = this.#statements.get(sql)
    if (known) return known
    // All SQL comes from the code, in a limited number of shapes. This limit is only a safeguard.
    if (this.#statements.size >= 1000) this.#statements.clear()
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

/**
 * Returns whether the query inserts one row and returns only its `id`, a row id. SQLite reports that id anyway. With RETURNING, the
 * insert would take half as long again.
 */
export function returnsRowId(query: RootOperationNode): boolean {
  if (query.kind !== 'InsertQueryNode' || query.returning?.selections.length !== 1) return false
  const { values, onConflict, returning } = query
  const isOneRow = values !== undefined && ValuesNode.is(values) && values.values.length === 1
  return isOneRow && (!onConflict || onConflict.doNothing === true) && isId(returning.selections[0]?.selection)
}

function isId(node: OperationNode | undefined) {
  if (node === undefined || !ReferenceNode.is(node) || !ColumnNode.is(node.column)) return false
  return node.column.column.name === 'id'
}

/** Converts a parameter for SQLite, which has no booleans. */
export function bindable(value: unknown) {
  return typeof value === 'boolean' ? Number(value) : value
}
