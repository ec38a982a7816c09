import { consistencyProof, inclusionProof } from '../audit/tree.ts'
import { findLeaf, withHashes } from './audit-log.ts'
import type { Db } from './store.ts'

/** The place of an event in the log, and the hashes from there to the root. */
export interface Inclusion {
  index: number
  hashes: Buffer[]
}

/** Returns the proof that the event is in the tree of this size; undefined if it is not. */
export async function proveInclusion(db: Db, id: number, size: number): Promise<Inclusion | undefined> {
  const index = await findLeaf(db, id)
  if (index === undefined || index >= size) return undefined
  return { index, hashes: await withHashes(db, (hashes) => inclusionProof(index, size, hashes)) }
}

/** Returns the proof that the tree of the size `to` begins with that of the size `from`, at least 1. */
export function proveConsistency(db: Db, from: number, to: number): Promise<Buffer[]> {
  return withHashes(db, (hashes) => consistencyProof(from, to, hashes))
}
