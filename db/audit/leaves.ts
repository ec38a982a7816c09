import { type Part, type Parts, SALTS_LENGTH, type TextSealing } from '../../audit/entry.ts'
import { bundleOf, TILE_WIDTH } from '../../audit/tiles.ts'
import { hashLeaf } from '../../audit/tree.ts'
import { prepared } from '../engine/prepared.ts'
import type { Db } from '../store.ts'
import type { AuditEventRow } from '../tables.ts'
import { sealIfPossible } from './batch.ts'
import type { IdRange } from './events.ts'
import { type Run, readLeafHash, readRuns, readSalts } from './log.ts'

// Reads the leaves of the log with their events. Entries are rebuilt from the event columns, the salts, and the digests of
// erased parts.

/** A leaf with its event. */
export interface Leaf {
  index: number
  row: AuditEventRow
}

/** A leaf with its event and its entry. */
export interface SealedLeaf extends Leaf {
  sealing: TextSealing
}

/** Thrown if a leaf's event or salts are missing, because they were removed or the database was edited by hand. */
export class LeafGone extends Error {
  override readonly name = 'LeafGone'
  readonly index: number

  constructor(index: number) {
    super(`the event for leaf ${index} is missing`)
    this.index = index
  }
}

/** Two runs are read in a single query if the gap between them spans fewer ids than this. */
const NEAR = 32

const rowsBetween = prepared((db, { fromId, toId }: IdRange) =>
  db.selectFrom('auditEvent').selectAll().where('id', '>=', fromId).where('id', '<', toId).orderBy('id')
)

/** Returns the leaves in [`from`, `to`) whose events exist. */
export async function readLeaves(db: Db, from: number, to: number): Promise<Leaf[]> {
  const runs = await readRuns(db, from, to)
  const rows = new Map<number, AuditEventRow>()
  for (const range of rangesOf(runs)) for (const row of await rowsBetween(db, range)) rows.set(row.id, row)
  const leaves: Leaf[] = []
  for (const { firstIndex, firstId, count } of runs) {
    for (let place = 0; place < count; place++) {
      const row = rows.get(firstId + place)
      if (row) leaves.push({ index: firstIndex + place, row })
    }
  }
  return leaves
}

/** Merges the ids of the runs into a few ranges. */
export function rangesOf(runs: readonly Run[]): IdRange[] {
  const ranges: IdRange[] = []
  for (const { firstId, count } of runs.toSorted((one, other) => one.firstId - other.firstId)) {
    const last = ranges.at(-1)
    if (last && firstId - last.toId < NEAR) last.toId = Math.max(last.toId, firstId + count)
    else ranges.push({ fromId: firstId, toId: firstId + count })
  }
  return ranges
}

const erasedBetween = prepared((db, { from, to }: { from: number; to: number }) =>
  db.selectFrom('auditErased').selectAll().where('index', '>=', from).where('index', '<', to)
)

/** Returns the digests of erased parts in [`from`, `to`), by leaf index. */
export async function readErased(db: Db, from: number, to: number): Promise<Map<number, Partial<Parts<string>>>> {
  const erased = new Map<number, Partial<Parts<string>>>()
  for (const { index, part, digest } of await erasedBetween(db, { from, to })) {
    erased.set(index, { ...erased.get(index), [part as Part]: digest })
  }
  return erased
}

/**
 * Returns the leaves in [`from`, `to`) with their entries. A leaf is undefined if its event or salts are missing, or if its
 * erased parts contain data, which means that someone edited them by hand.
 */
export async function trySealLeaves(db: Db, from: number, to: number): Promise<(SealedLeaf | undefined)[]> {
  const salts = new Map<number, Buffer>()
  for (let bundle = Math.floor(from / TILE_WIDTH); bundle * TILE_WIDTH < to; bundle++) {
    salts.set(bundle, await readSalts(db, bundle))
  }
  const leaves = await readLeaves(db, from, to)
  // Read the digests last, so that they include parts erased since the salts and values were read.
  const erased = await readErased(db, from, to)
  const sealed = new Array<SealedLeaf | undefined>(to - from).fill(undefined)
  for (const { index, row } of leaves) {
    const start = (index % TILE_WIDTH) * SALTS_LENGTH
    const drawn = salts.get(Math.floor(index / TILE_WIDTH))?.subarray(start, start + SALTS_LENGTH)
    const gone = erased.get(index)
    if (drawn?.length !== SALTS_LENGTH) continue
    if (gone && !(await isBlank(db, { index, row }, gone))) continue
    const found = sealIfPossible(row, drawn, gone)
    if (found) sealed[index - from] = { index, row, sealing: found.sealing }
  }
  return sealed
}

/**
 * Returns whether all erased parts are blank. If not, reads the event again, because the parts may have been erased after the
 * first read.
 */
async function isBlank(db: Db, { index, row }: Leaf, erased: Partial<Parts<string>>): Promise<boolean> {
  if (isBlankIn(row, erased)) return true
  const [leaf] = await readLeaves(db, index, index + 1)
  return leaf !== undefined && isBlankIn(leaf.row, erased)
}

function isBlankIn({ principal, request, targetName, data }: AuditEventRow, erased: Partial<Parts<string>>): boolean {
  return (
    (erased.principal === undefined || principal === '') &&
    (erased.request === undefined || request === null) &&
    (erased.details === undefined || (data === '{}' && !targetName))
  )
}

/** Returns the leaves in [`from`, `to`) with their entries. Throws LeafGone. */
export async function sealLeaves(db: Db, from: number, to: number): Promise<SealedLeaf[]> {
  const sealed = await trySealLeaves(db, from, to)
  return sealed.map((leaf, place) => {
    if (!leaf) throw new LeafGone(from + place)
    return leaf
  })
}

/** Returns whether the leaf's event is unchanged since it was recorded, that is, whether its entry hashes to the leaf. */
export async function isAsRecorded(db: Db, index: number): Promise<boolean> {
  const [leaf] = await trySealLeaves(db, index, index + 1)
  return leaf !== undefined && hashLeaf(leaf.sealing.text).toString('hex') === (await readLeafHash(db, index))
}

/** Returns an entry bundle of `width` leaves. Throws LeafGone. */
export async function readBundle(db: Db, bundle: number, width: number): Promise<Buffer> {
  const leaves = await sealLeaves(db, bundle * TILE_WIDTH, bundle * TILE_WIDTH + width)
  return bundleOf(leaves.map(({ sealing }) => Buffer.from(sealing.text)))
}
