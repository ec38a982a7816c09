import { ProblemError } from '../../schemas/problem-catalogue.ts'
import type { Db, Trx } from '../store.ts'

/** The number and size of an owner's graphs, including all versions and the trash. */
export interface Usage {
  graphs: number
  /** Bytes of JSON. See docs/configure.md for what counts. */
  bytes: number
}

/** Returns the usage of the owner. */
export async function usageOf(db: Db, owner: string): Promise<Usage> {
  const { graphs, bytes } = await db
    .selectFrom('usage')
    .select((eb) => [eb.fn.sum<number | null>('graphs').as('graphs'), eb.fn.sum<number | null>('bytes').as('bytes')])
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow()
  return { graphs: Number(graphs ?? 0), bytes: Number(bytes ?? 0) }
}

/** Usage limits per owner. 0 means unlimited. */
export interface Limits {
  maxBytes: number
  maxGraphs: number
}

/** The properties of a graph that count towards usage. */
interface Measured {
  owner: string
  bytes: number
}

/**
 * Checks the limits after the transaction has changed a graph. Throws `quota-exceeded` if the graph has grown and its owner
 * exceeds a limit.
 */
export async function requireRoom(trx: Trx, { maxBytes, maxGraphs }: Limits, after: Measured, before?: Measured) {
  if ((maxBytes === 0 && maxGraphs === 0) || (before && after.bytes <= before.bytes)) return
  // Concurrent transactions do not see each other's additions, so without the lock, each of them could pass the check.
  await trx.lock('usage', after.owner)
  const { graphs, bytes } = await usageOf(trx, after.owner)
  const hasTooMany = before === undefined && maxGraphs > 0 && graphs > maxGraphs
  if (!hasTooMany && (maxBytes === 0 || bytes <= maxBytes)) return
  const detail = hasTooMany
    ? `The owner can have at most ${maxGraphs} graphs, including those in the trash.`
    : `The owner's graphs can use up to ${maxBytes} bytes, including their versions and the trash.`
  throw new ProblemError('quota-exceeded', { detail })
}
