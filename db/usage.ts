import { sql } from 'kysely'
import { type Db, locksRows } from './store.ts'

/** What the graphs of an owner take: with all versions, and with those in the trash. */
export interface Usage {
  graphs: number
  /** Of JSON; see docs/configure.md for what counts. */
  bytes: number
}

/** What the owner's graphs take. Inside of a unit no other unit can ask for this owner until it has ended. */
export async function usageOf(db: Db, owner: string): Promise<Usage> {
  // Units side by side do not see what the others have added, and each of them would find room for its own.
  if (locksRows(db)) await sql`select pg_advisory_xact_lock(hashtext('usage'), hashtext(${owner}))`.execute(db)
  const { graphs, bytes } = await db
    .selectFrom('usage')
    .select((eb) => [eb.fn.sum<number | null>('graphs').as('graphs'), eb.fn.sum<number | null>('bytes').as('bytes')])
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow()
  return { graphs: Number(graphs ?? 0), bytes: Number(bytes ?? 0) }
}
