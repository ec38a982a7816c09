import type { Compilable, CompiledQuery, DialectAdapter } from 'kysely'
import type { Db } from '../store.ts'

/** What stands in a query for a parameter of this name, until it is run. */
class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** What the adapter of an engine may have that needs not wait for its answers. */
export interface ImmediateAdapter extends DialectAdapter {
  /**
   * The rows at once; undefined where no connection is free. With `key`, which names the parameters, they may be those
   * of an earlier time, if nothing has been committed since.
   */
  executeNow(query: CompiledQuery, key?: string): readonly unknown[] | undefined
}

/** A query as `prepared` makes it. The rows are not to be changed. */
type Prepared<Handle, Parameters, Row> = (db: Handle, parameters: Parameters) => Promise<readonly Row[]>

/**
 * A query that is built and compiled once, when it is first needed, and later only gets its parameters: building and
 * compiling it takes longer than a lookup by key does. `build` uses the members of `parameters` as values, and must
 * not look at them. Returns the rows. For what is asked again and again: with `remembers` the engine may keep the rows
 * until something is committed, by whomever.
 */
export function prepared<Handle extends Db, Parameters extends object, Row>(
  build: (db: Handle, parameters: Parameters) => Compilable<Row>,
  { remembers = false } = {}
): Prepared<Handle, Parameters, Row> {
  const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as Parameters
  // Each engine has SQL of its own, and so have units that lock rows.
  const [plain, locking] = [
    new WeakMap<DialectAdapter, CompiledQuery<Row>>(),
    new WeakMap<DialectAdapter, CompiledQuery<Row>>()
  ]

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
    // The layers of promises that Kysely has around a query take as long as the query. A transaction is bound to its
    // connection, and has to go through them.
    const key = remembers ? values.join('\0') : undefined
    const rows = db.isTransaction ? undefined : (adapter as Partial<ImmediateAdapter>).executeNow?.(filled, key)
    return (rows as readonly Row[] | undefined) ?? (await db.executeQuery<Row>(filled)).rows
  }
}

/** So many shapes of a query are kept compiled. */
const SHAPES = 500

/** The same for a query of many shapes: each is built, from `shape`, when it is first needed. */
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

/** Some of the values, by their names: from parameters, which cannot be listed, too. */
export function pick<Values extends object, Name extends keyof Values>(values: Values, names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Pick<Values, Name>
}
