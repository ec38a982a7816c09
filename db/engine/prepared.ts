import type { Compilable, CompiledQuery, DialectAdapter } from 'kysely'
import type { Db } from '../store.ts'
import { immediateQueriesOf } from './immediate-queries.ts'

/** A placeholder for a named parameter, replaced when the query runs. */
class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** A prepared query. The caller must not modify the rows. */
type Prepared<Handle, Parameters, Row> = (db: Handle, parameters: Parameters) => Promise<readonly Row[]>

/**
 * Prepares a query. The first run builds and compiles it, which takes longer than a lookup by key. Later runs only fill in the
 * parameters. `build` may use the members of `parameters` as values but must not inspect them. With `remembers`, the engine may
 * return cached rows until something is committed.
 */
export function prepared<Handle extends Db, Parameters extends object, Row>(
  build: (db: Handle, parameters: Parameters) => Compilable<Row>,
  { remembers = false } = {}
): Prepared<Handle, Parameters, Row> {
  const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as Parameters
  // The SQL depends on the engine and on whether the handle locks rows.
  const plain = new WeakMap<DialectAdapter, CompiledQuery<Row>>()
  const locking = new WeakMap<DialectAdapter, CompiledQuery<Row>>()

  return async (db, parameters) => {
    const { adapter } = db.getExecutor()
    const compiled = db.locksRows ? locking : plain
    let query = compiled.get(adapter)
    if (!query) {
      query = build(db, placeholders).compile()
      compiled.set(adapter, query)
    }
    const values = query.parameters.map((value) =>
      value instanceof Placeholder ? parameters[value.name as keyof Parameters] : value
    )
    const filled = { ...query, parameters: values }
    const rows = immediateQueriesOf(db)?.rowsOf<Row>(filled, remembers ? JSON.stringify(values) : undefined)
    return rows ?? (await db.executeQuery<Row>(filled)).rows
  }
}

/** The maximum number of compiled shapes per query. */
const SHAPES = 500

/** Prepares a query that varies by `shape`. Each shape is built on its first run. */
export function preparedByShape<Shape, Parameters extends object, Row>(
  build: (db: Db, shape: Shape, parameters: Parameters) => Compilable<Row>
): (db: Db, shape: Shape, parameters: Parameters) => Promise<readonly Row[]> {
  const known = new Map<string, Prepared<Db, Parameters, Row>>()
  return (db, shape, parameters) => {
    const key = JSON.stringify(shape)
    let query = known.get(key)
    if (!query) {
      if (known.size >= SHAPES) known.clear()
      query = prepared((db: Db, parameters: Parameters) => build(db, shape, parameters))
      known.set(key, query)
    }
    return query(db, parameters)
  }
}

/** Returns the named values. The names are needed because the parameters of a prepared query cannot be enumerated. */
export function pick<Values extends object, Name extends keyof Values>(values: Values, names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Pick<Values, Name>
}

/** Returns the column names. The call compiles only if the names include every key of the row. */
export function allColumns<Row>() {
  return <const Names extends readonly (keyof Row)[]>(
    names: Names & ([Exclude<keyof Row, Names[number]>] extends [never] ? unknown : never)
  ): Names => names
}
