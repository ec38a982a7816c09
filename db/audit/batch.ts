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

/** The end of the log, where the next batch is appended. */
export interface LogEnd {
  size: number
  /** The last tile of each level, starting at level 0. */
  edge: Uint8Array[]
  /** The salts of the last bundle, if it is incomplete. */
  salts: Uint8Array
  /** The run that contains the last leaf. */
  run: Run | undefined
}

/** A batch to append to the log: the new size and root, and all changed tiles, salts and runs. */
export interface Batch {
  size: number
  root: Uint8Array
  tiles: { level: number; index: number; hashes: Uint8Array }[]
  salts: { bundle: number; salts: Uint8Array }[]
  runs: Run[]
}

/** Generates salts for the events and appends the events to the tree, in order. */
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

/** Splits salts by bundle, starting with the bundle that contains leaf `size`. */
function bundlesOf(size: number, salts: Buffer): Batch['salts'] {
  const length = TILE_WIDTH * SALTS_LENGTH
  const first = Math.floor(size / TILE_WIDTH)
  return Array.from({ length: Math.ceil(salts.length / length) }, (_, place) => ({
    bundle: first + place,
    salts: salts.subarray(place * length, (place + 1) * length)
  }))
}

/**
 * Builds the entry for an event row. The database owner can write anything into `request` and `data`. Values that canonical
 * JSON cannot express are sealed as text, so that they do not stop the log.
 */
export function sealRow(row: AuditEventRow, salts: Uint8Array, erased?: Partial<Parts<string>>): TextSealing {
  return sealAndShow(row, salts, erased).sealing
}

/**
 * Like `sealRow`, but also returns `request` and `data` as the JSON that was sealed. The stored JSON may contain duplicate names,
 * which parsers resolve differently.
 */
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

/** Like `sealAndShow`, but returns undefined if a salt was erased and its digest is missing. */
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

/**
 * The maximum length of an unsealed string in an entry. An entry is limited to 65,535 bytes, and the program's own strings are
 * far shorter.
 */
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

/** Parses a JSON object. Throws if the text is anything else. */
function objectOf(text: string): JsonObject {
  const value = JSON.parse(text) as Json
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('not an object')
  return value
}
