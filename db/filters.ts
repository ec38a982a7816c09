import type { Expression, ExpressionBuilder, SelectQueryBuilder, SqlBool } from 'kysely'
import type { Tables } from './tables.ts'

/** One filter of a list. */
interface FilterRule<Table extends keyof Tables, Value, Parameter> {
  /** Returns the condition for the rows. `value` is a query parameter, represented by a placeholder in a prepared query. */
  where(eb: ExpressionBuilder<Tables, Table>, value: Parameter): Expression<SqlBool>
  /** Converts a request's value to the query parameter. By default the value is used as is. */
  toParameter?(value: Value): Parameter
}

/** The filters of a list by name, with their parameter types. */
type FilterRules<Table extends keyof Tables, Values, Parameters extends Record<keyof Values, unknown>> = {
  readonly [Name in keyof Values]-?: FilterRule<Table, NonNullable<Values[Name]>, Parameters[Name]>
}

/** The names of the filters that a request uses, in a fixed order. Each combination is a separate query. */
export type FilterShape<Values> = readonly (keyof Values & string)[]

/**
 * The filters for lists of one table. To add a filter, add one entry here and one to the query's schema. Values in a request that
 * are not filters are ignored.
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

  /** Returns the query parameters, by filter name. */
  parametersOf(values: Values): Parameters {
    const entries = this.shapeOf(values).map((name) => {
      const value = values[name] as NonNullable<Values[typeof name]>
      const { toParameter } = this.#rules[name]
      return [name, toParameter ? toParameter(value) : value]
    })
    return Object.fromEntries(entries) as Parameters
  }

  /** Adds the conditions of all filters in the shape. */
  apply<O>(query: SelectQueryBuilder<Tables, Table, O>, shape: FilterShape<Values>, parameters: Parameters) {
    return shape.reduce(
      (matched, name) => matched.where((eb) => this.#rules[name].where(eb as never, parameters[name])),
      query
    )
  }
}
