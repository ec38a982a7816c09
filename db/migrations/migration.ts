import type { Kysely } from 'kysely'

/**
 * One step of the schema. A released migration never changes, and later changes go into later migrations. The schema version of a
 * database is the number of migrations applied to it.
 */
export type Migration = (db: Kysely<unknown>) => Promise<void>
