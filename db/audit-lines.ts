import { type OpenEvent, type Parts, parts, SALTS_LENGTH, type SealedEvent, type TextSealing } from '../audit/entry.ts'
import { TILE_WIDTH } from '../audit/tiles.ts'
import { HASH_LENGTH } from '../audit/tree.ts'
import { safeCellOf } from '../graph/formats/csv-cells.ts'
import { sealAndShow } from './audit-batch.ts'
import type { Run } from './audit-log.ts'
import { unpackRows } from './audit-rows.ts'
import type { AuditEventRow } from './tables.ts'

// The lines of an export. Nothing here reads the store, so that a thread can write them.

export type LineFormat = 'jsonl' | 'csv'

/** Successive leaves, with everything that their lines are made of. */
export interface LeavesToWrite {
  format: LineFormat
  runs: readonly Run[]
  /** Their events, as texts for `unpackRows`. Leaves whose events are missing here are left out. */
  packs: readonly string[]
  /** The digests of erased parts, by leaf. */
  erased: ReadonlyMap<number, Partial<Parts<string>>>
  /** The salts of bundles by their numbers, for JSONL. */
  salts: ReadonlyMap<number, Uint8Array>
  /** The tiles of level 0 by their numbers, for CSV. */
  tiles: ReadonlyMap<number, Uint8Array>
}

/** The lines of leaves. */
export interface WrittenLeaves {
  bytes: Uint8Array<ArrayBuffer>
  /** The number of lines. */
  count: number
}

const columns = [
  ...['index', 'leafHash', 'id', 'timestamp', 'principal', 'type', 'outcome'],
  ...['targetType', 'targetId', 'targetName', 'targetVersion'],
  ...[
    'requestId',
    'requestIp',
    'requestUserAgent',
    'requestMethod',
    'requestRoute',
    'requestTokenId',
    'requestTokenName'
  ],
  'data'
]

/** The first line of a file. */
export const heads: Record<LineFormat, string> = { jsonl: '', csv: `${columns.join()}\r\n` }

const encoder = new TextEncoder()

/** Returns the lines of the leaves. A leaf whose event, salts or hash are gone has none. */
export function writeLeaves(leaves: LeavesToWrite): WrittenLeaves {
  const rows = new Map<number, AuditEventRow>()
  for (const pack of leaves.packs) for (const row of unpackRows(pack)) rows.set(row.id, row)
  const lineOf = leaves.format === 'csv' ? csvLine : jsonLine
  let text = ''
  let count = 0
  for (const { firstIndex, firstId, count: length } of leaves.runs) {
    for (let place = 0; place < length; place++) {
      const row = rows.get(firstId + place)
      const line = row && lineOf(firstIndex + place, row, leaves)
      if (!line) continue
      text += line
      count++
    }
  }
  return { bytes: encoder.encode(text), count }
}

function jsonLine(index: number, row: AuditEventRow, { erased, salts }: LeavesToWrite): string {
  const drawn = partOf(salts, index, SALTS_LENGTH)
  if (!drawn) return ''
  const gone = erased.get(index)
  const sealed = sealIfPossible(blanked(row, gone), drawn, gone)
  if (!sealed) return ''
  const { event, sealing } = sealed
  const entry = JSON.stringify(sealing.text)
  return `{"index":${index},"entry":${entry},"disclosures":${disclosuresText(sealing)},"event":${eventText(event)}}\n`
}

/** Returns the bytes of a leaf in the row of 256 that has them; undefined if they are not there. */
function partOf(rows: ReadonlyMap<number, Uint8Array>, index: number, length: number): Uint8Array | undefined {
  const start = (index % TILE_WIDTH) * length
  const part = rows.get(Math.floor(index / TILE_WIDTH))?.subarray(start, start + length)
  return part?.length === length ? part : undefined
}

/** Seals the event again; undefined if its salts were removed and no digest is kept. */
function sealIfPossible(row: AuditEventRow, salts: Uint8Array, erased: Partial<Parts<string>> | undefined) {
  try {
    return sealAndShow(row, salts, erased)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Returns the row without the parts that are erased: it may have been read before they were. */
function blanked(row: AuditEventRow, erased: Partial<Parts<string>> | undefined): AuditEventRow {
  if (!erased) return row
  return {
    ...row,
    ...(erased.principal !== undefined && { principal: '' }),
    ...(erased.request !== undefined && { request: null }),
    ...(erased.details !== undefined && { targetName: null, data: '{}' })
  }
}

/** Returns the disclosures as JSON. They are in base64url, which needs no escapes. */
function disclosuresText({ disclosures }: TextSealing) {
  const members = parts.filter((part) => disclosures[part] !== undefined)
  return `{${members.map((part) => `"${part}":"${disclosures[part]}"`).join()}}`
}

/** Half a surrogate pair, as JSON.stringify writes it. */
const HALF_PAIR = /\\ud[89a-f]/

/** Returns the event as JSON, as the API shows it, but without links. Half of a surrogate pair becomes U+FFFD, as in the disclosures. */
function eventText({ id, time, principal, type, outcome, target, name, request, data }: OpenEvent & SealedEvent) {
  const event = {
    id,
    timestamp: time,
    principal,
    type,
    outcome,
    ...(target && { target: { type: target.type, id: target.id, name: name ?? '', version: target.version } }),
    ...(request && { request }),
    data
  }
  const text = JSON.stringify(event)
  return HALF_PAIR.test(text) ? JSON.stringify(wellFormed(event)) : text
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name.toWellFormed(), wellFormed(member)]))
}

function csvLine(index: number, read: AuditEventRow, { erased, tiles }: LeavesToWrite): string {
  const hash = partOf(tiles, index, HASH_LENGTH)
  if (!hash) return ''
  const row = blanked(read, erased.get(index))
  const { timestamp, principal, type, outcome, targetType, targetId, targetName, targetVersion } = row
  const request = membersOf(row.request === null ? null : parse(row.request))
  const token = membersOf(request.token)
  const cells = [
    ...[timestamp, principal, type, outcome, targetType, targetId, targetName, targetVersion],
    ...[request.id, request.ip, request.userAgent, request.method, request.route, token.id, token.name],
    row.data
  ]
  const texts = cells.map((cell) => (typeof cell === 'number' ? String(cell) : textCell(cell)))
  return `${index},${Buffer.from(hash).toString('hex')},${row.id},${texts.join()}\r\n`
}

/** Parses JSON; undefined for other text. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** Returns the cell of a value; the owner of the database may have put any there. */
function textCell(value: unknown) {
  if (value === null || value === undefined) return ''
  return safeCellOf(typeof value === 'string' ? value : JSON.stringify(value))
}
