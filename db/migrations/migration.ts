import type { Kysely } from 'kysely'

/**
 * One step of a schema. Never changes once it is released: a later change is a later migration. The number of a schema is
 * the number of its engine's migrations that a database has had.
 */
export type Migration = (db: Kysely<unknown>) => Promise<void>
