import type { Kysely } from 'kysely'

/**
 * One step in the evolution of the schema. A released migration never changes. Later changes go into new migrations. The schema
 * version of a database is the number of migrations applied to it.
 */
export type Migration = (db: Kysely<unknown>) => Promise<void>
