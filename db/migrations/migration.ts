import type { Kysely } from 'kysely'

/**
 * One step of a schema. Frozen once it is released: a later change is a later migration. The schema's version is how
 * many of its engine's migrations a database has seen.
 */
export type Migration = (db: Kysely<unknown>) => Promise<void>
