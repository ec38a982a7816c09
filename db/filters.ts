import type { Expression, ExpressionBuilder, SelectQueryBuilder, SqlBool } from 'kysely'
import type { Tables } from './tables.ts'

/** A filter of a list. */
interface FilterRule<Table extends keyof Tables, Value, Parameter> {
  /** Returns the condition on the rows. `value` is a parameter of the query: a prepared query has a placeholder there. */
  where(eb: ExpressionBuilder<Tables, Table>, value: Parameter): Expression<SqlBool>
  /** Converts the value of a request to that parameter; by default it stays as it is. */
  toParameter?(value: Value): Parameter
}

/** The filters of a list by their names, and the types of their parameters. */
type FilterRules<Table extends keyof Tables, Values, Parameters extends Record<keyof Values, unknown>> = {
  readonly [Name in keyof Values]-?: FilterRule<Table, NonNullable<Values[Name]>, Parameters[Name]>
}

/** The names of the filters that a request uses, in the order of their table: each set of names is another query. */
export type FilterShape<Values> = readonly (keyof Values & string)[]

/**
 * The filters of lists of one table. A new filter is one entry here, and one in the query's schema. Values of a request that
 * are no filters are ignored.
 */
export class Filters<
  Table extends keyof Tables,
  Values extends object,
  Parameters extends Record<keyof Values, unknown> = Required<Values>
> {
  readonly #rules: FilterRules<Table, Values, Parameters>
  readonly #names: FilterShape<Values>

  constructor(rules: FilterRules<Table, Values, Parameters>) {
    this.#rules = rules
    this.#names = Object.keys(rules) as (keyof Values & string)[]
  }

  /** Returns the names of the filters that have a value. */
  shapeOf(values: Values): FilterShape<Values> {
    return this.#names.filter((name) => values[name] !== undefined)
  }

  /** Returns the parameters of the query, by the names of their filters. */
  parametersOf(values: Values): Parameters {
    const entries = this.shapeOf(values).map((name) => {
      const value = values[name] as NonNullable<Values[typeof name]>
      const { toParameter } = this.#rules[name]
      return [name, toParameter ? toParameter(value) : value]
    })
    return Object.fromEntries(entries) as Parameters
  }

  /** Keeps the rows that match all filters of the shape. */
  apply<O>(query: SelectQueryBuilder<Tables, Table, O>, shape: FilterShape<Values>, parameters: Parameters) {
    return shape.reduce(
      (matched, name) => matched.where((eb) => this.#rules[name].where(eb as never, parameters[name])),
      query
    )
  }
}
