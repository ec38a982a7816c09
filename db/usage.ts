import type { Db } from './store.ts'

/** What the graphs of an owner take: with all versions, and with those in the trash. */
export interface Usage {
  graphs: number
  /** Of JSON; see docs/configure.md for what counts. */
  bytes: number
}

/** What the owner's graphs take. */
export async function usageOf(db: Db, owner: string): Promise<Usage> {
  const { graphs, bytes } = await db
    .selectFrom('usage')
    .select((eb) => [eb.fn.sum<number | null>('graphs').as('graphs'), eb.fn.sum<number | null>('bytes').as('bytes')])
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow()
  return { graphs: Number(graphs ?? 0), bytes: Number(bytes ?? 0) }
}
