import type { Kysely } from 'kysely'
import { initial } from './0001-initial.ts'
import { history } from './0002-history.ts'

/** One step of the schema. Frozen once it is released: a later change is a later migration. */
export type Migration = (db: Kysely<unknown>) => Promise<void>

/** In order; the schema's version is how many of them a database has seen. */
export const migrations: readonly Migration[] = [initial, history]
