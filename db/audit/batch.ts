import { randomFillSync } from 'node:crypto'
import type { Json, JsonObject } from '../../audit/canonical.ts'
import {
  type OpenEvent,
  type Parts,
  SALTS_LENGTH,
  type SealedEvent,
  sealText,
  type TextSealing
} from '../../audit/entry.ts'
import { GrowingTree, TILE_WIDTH } from '../../audit/tiles.ts'
import { hashLeaf } from '../../audit/tree.ts'
import type { AuditEventRow } from '../tables.ts'
import type { Run } from './log.ts'

/** The end of the log, to which a batch is added. */
export interface LogEnd {
  size: number
  /** The last tiles, from level 0 on. */
  edge: Uint8Array[]
  /** The salts of the last bundle, if it is not full. */
  salts: Uint8Array
  /** The run of the last leaf. */
  run: Run | undefined
}

/** Leaves to add to the log: the new size and root, and all tiles, salts and runs that have changed. */
export interface Batch {
  size: number
  root: Uint8Array
  tiles: { level: number; index: number; hashes: Uint8Array }[]
  salts: { bundle: number; salts: Uint8Array }[]
  runs: Run[]
}

/** Draws salts for the events and makes them the next leaves, in their order. */
export function sealBatch({ size, edge, salts, run }: LogEnd, rows: readonly AuditEventRow[]): Batch {
  const tiles: Batch['tiles'] = []
  const tree = new GrowingTree(size, edge, (level, index, hashes) => tiles.push({ level, index, hashes }))
  const drawn = randomFillSync(Buffer.alloc(rows.length * SALTS_LENGTH))
  const runs: Run[] = run ? [run] : []
  let last = run
  for (const [place, row] of rows.entries()) {
    const { text } = sealRow(row, drawn.subarray(place * SALTS_LENGTH, (place + 1) * SALTS_LENGTH))
    if (last && row.id === last.firstId + last.count) {
      last = { ...last, count: last.count + 1 }
      runs[runs.length - 1] = last
    } else {
      last = { firstIndex: tree.size, firstId: row.id, count: 1 }
      runs.push(last)
    }
    tree.append(hashLeaf(text))
  }
  for (const [level, hashes] of tree.edge().entries()) {
    if (hashes.length > 0) tiles.push({ level, index: Math.floor(tree.size / TILE_WIDTH ** (level + 1)), hashes })
  }
  return { size: tree.size, root: tree.root(), tiles, salts: bundlesOf(size, Buffer.concat([salts, drawn])), runs }
}

/** Cuts salts into those of bundles. They begin with those of the bundle in which leaf `size` is. */
function bundlesOf(size: number, salts: Buffer): Batch['salts'] {
  const length = TILE_WIDTH * SALTS_LENGTH
  const first = Math.floor(size / TILE_WIDTH)
  return Array.from({ length: Math.ceil(salts.length / length) }, (_, place) => ({
    bundle: first + place,
    salts: salts.subarray(place * length, (place + 1) * length)
  }))
}

/**
 * Makes the entry of the event in a row. The owner of the database may have put anything into `request` and `data`, which must not stop
 * the log: what JSON cannot express canonically is sealed as its text.
 */
export function sealRow(row: AuditEventRow, salts: Uint8Array, erased?: Partial<Parts<string>>): TextSealing {
  return sealAndShow(row, salts, erased).sealing
}

/** The same, together with `request` and `data` as they were sealed, as JSON: their texts may repeat a name, of which readers take either one. */
function sealAndShow(row: AuditEventRow, salts: Uint8Array, erased?: Partial<Parts<string>>): SealedRow {
  const { request, data } = row
  try {
    const values = [request === null ? null : objectOf(request), objectOf(data)] as const
    return { ...shown(...values), sealing: sealText(sealableOf(row, ...values), salts, erased) }
  } catch (error) {
    if (error instanceof RangeError) throw error
    const texts = [request === null ? null : { text: request }, { text: data }] as const
    return { ...shown(...texts), sealing: sealText(sealableOf(row, ...texts), salts, erased) }
  }
}

function shown(request: JsonObject | null, data: JsonObject) {
  return { request: request && JSON.stringify(request), data: JSON.stringify(data) }
}

/** The same again; undefined if a salt was erased whose digest is missing. */
export function sealIfPossible(row: AuditEventRow, salts: Uint8Array, erased: Partial<Parts<string>> | undefined) {
  try {
    return sealAndShow(row, salts, erased)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

interface SealedRow extends Pick<AuditEventRow, 'request' | 'data'> {
  sealing: TextSealing
}

/** The longest open text of an entry, which has at most 65,535 bytes. Those of the program are far shorter. */
const LONGEST = 256

function sealableOf(row: AuditEventRow, request: JsonObject | null, data: JsonObject): OpenEvent & SealedEvent {
  const { id, targetId, targetVersion, principal, targetName: name } = row
  const [time, type, outcome, kind] = [row.timestamp, row.type, row.outcome, row.targetType].map(
    (text) => text?.slice(0, LONGEST) ?? ''
  ) as [string, string, string, string]
  const version = targetVersion !== null && { version: targetVersion }
  const target = row.targetType !== null && targetId !== null && { target: { type: kind, id: targetId, ...version } }
  return { id, time, type, outcome, ...target, principal, request, name, data }
}

/** Parses an object. Throws for any other text. */
function objectOf(text: string): JsonObject {
  const value = JSON.parse(text) as Json
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('this is no object')
  return value
}
