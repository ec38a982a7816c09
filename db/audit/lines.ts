import { type Parts, parts, SALTS_LENGTH, type TextSealing } from '../../audit/entry.ts'
import { TILE_WIDTH } from '../../audit/tiles.ts'
import { HASH_LENGTH } from '../../audit/tree.ts'
import { safeCellOf } from '../../graph/formats/tables/csv-cells.ts'
import type { AuditEventRow } from '../tables.ts'
import { sealIfPossible } from './batch.ts'
import type { Run } from './log.ts'
import { unpackRows } from './rows.ts'

// Formats the lines of an export. Nothing here reads the store, so this code can run in a thread.

export type LineFormat = 'jsonl' | 'csv'

/** Consecutive leaves, with everything needed to write their lines. */
export interface LeavesToWrite {
  format: LineFormat
  runs: readonly Run[]
  /** The events, packed for `unpackRows`. Leaves without an event are skipped. */
  packs: readonly string[]
  /** The digests of erased parts, by leaf index. */
  erased: ReadonlyMap<number, Partial<Parts<string>>>
  /** The salts by bundle number, for JSONL. */
  salts: ReadonlyMap<number, Uint8Array>
  /** The tiles of level 0 by tile number, for CSV. */
  tiles: ReadonlyMap<number, Uint8Array>
}

/** The lines written for a range of leaves. */
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

/** The first line of a file, by format. */
export const heads: Record<LineFormat, string> = { jsonl: '', csv: `${columns.join()}\r\n` }

/** Returns the lines of the leaves. Skips leaves whose event, salts or hash are missing. */
export function writeLeaves(leaves: LeavesToWrite): WrittenLeaves {
  const rows = new Map<number, AuditEventRow>()
  for (const pack of leaves.packs) for (const row of unpackRows(pack)) rows.set(row.id, row)
  const lineOf = leaves.format === 'csv' ? csvLine : jsonLine
  const lines = new LineBuffer(leaves.packs.reduce((sum, { length }) => sum + 4 * length, 4096))
  let count = 0
  for (const { firstIndex, firstId, count: length } of leaves.runs) {
    for (let place = 0; place < length; place++) {
      const row = rows.get(firstId + place)
      const line = row && lineOf(firstIndex + place, row, leaves)
      if (!line) continue
      lines.add(line)
      count++
    }
  }
  return { bytes: lines.bytes, count }
}

/**
 * A buffer of UTF-8 lines. Building one long string would take twice as long, and its memory would not be freed until the next
 * full garbage collection.
 */
class LineBuffer {
  #buffer: Buffer<ArrayBuffer>
  #length = 0

  constructor(size: number) {
    this.#buffer = Buffer.allocUnsafeSlow(size)
  }

  add(line: string) {
    // A UTF-16 code unit takes at most 3 bytes in UTF-8.
    const most = this.#length + line.length * 3
    if (most > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(most, this.#buffer.length * 2))
      larger.set(this.#buffer.subarray(0, this.#length))
      this.#buffer = larger
    }
    this.#length += this.#buffer.write(line, this.#length)
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#length)
  }
}

function jsonLine(index: number, row: AuditEventRow, { erased, salts }: LeavesToWrite): string {
  const drawn = partOf(salts, index, SALTS_LENGTH)
  if (!drawn) return ''
  const gone = erased.get(index)
  const seen = blanked(row, gone)
  const sealed = sealIfPossible(seen, drawn, gone)
  if (!sealed) return ''
  const { sealing, request, data } = sealed
  const entry = JSON.stringify(sealing.text)
  const event = eventText(seen, request, data)
  return `{"index":${index},"entry":${entry},"disclosures":${disclosuresText(sealing)},"event":${event}}\n`
}

/** Returns a leaf's bytes from its row of 256 leaves, or undefined if they are missing. */
function partOf(rows: ReadonlyMap<number, Uint8Array>, index: number, length: number): Uint8Array | undefined {
  const start = (index % TILE_WIDTH) * length
  const part = rows.get(Math.floor(index / TILE_WIDTH))?.subarray(start, start + length)
  return part?.length === length ? part : undefined
}

/** Returns the row with the erased parts blanked, because the row may have been read before the erasure. */
function blanked(row: AuditEventRow, erased: Partial<Parts<string>> | undefined): AuditEventRow {
  if (!erased) return row
  return {
    ...row,
    ...(erased.principal !== undefined && { principal: '' }),
    ...(erased.request !== undefined && { request: null }),
    ...(erased.details !== undefined && { targetName: null, data: '{}' })
  }
}

/** Returns the disclosures as JSON. Base64url needs no escaping. */
function disclosuresText({ disclosures }: TextSealing) {
  let text = ''
  for (const part of parts) {
    if (disclosures[part] !== undefined) text += `${text && ','}"${part}":"${disclosures[part]}"`
  }
  return `{${text}}`
}

/** Matches newlines, and lone surrogates as escaped by JSON.stringify. */
const ODD = /[\r\n]|\\u[dD][89a-fA-F]/

/**
 * Returns the event as JSON, as in the API but without links. `request` and `data` are already JSON. Lone surrogates become
 * U+FFFD, as they do in disclosures.
 */
function eventText(row: AuditEventRow, request: string | null, data: string) {
  const { id, timestamp, principal, type, outcome, targetType, targetId, targetName, targetVersion } = row
  const target = targetType !== null &&
    targetId !== null && {
      target: { type: targetType, id: targetId, name: targetName ?? '', version: targetVersion ?? undefined }
    }
  const plain = JSON.stringify({ id, timestamp, principal, type, outcome, ...target })
  const text = `${plain.slice(0, -1)}${request === null ? '' : `,"request":${request}`},"data":${data}}`
  return ODD.test(text) ? JSON.stringify(wellFormed(JSON.parse(text))) : text
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
  const { timestamp, principal, type, outcome } = row
  // Entries omit an incomplete target, which the program never records.
  const hasTarget = row.targetType !== null && row.targetId !== null
  const target = hasTarget
    ? [row.targetType, row.targetId, row.targetName, row.targetVersion]
    : [null, null, null, null]
  const request = membersOf(row.request === null ? null : parse(row.request))
  const token = membersOf(request.token)
  const cells = [
    ...[timestamp, principal, type, outcome, ...target],
    ...[request.id, request.ip, request.userAgent, request.method, request.route, token.id, token.name],
    parse(row.data) ?? row.data
  ]
  const texts = cells.map((cell) => (typeof cell === 'number' ? String(cell) : textCell(cell)))
  return `${index},${Buffer.from(hash).toString('hex')},${row.id},${texts.join()}\r\n`
}

/** Parses JSON. Returns undefined if the text is invalid. */
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

/** Returns the cell for a value, which may have any type if the database owner has edited it. */
function textCell(value: unknown) {
  if (value === null || value === undefined) return ''
  return safeCellOf(typeof value === 'string' ? value : JSON.stringify(value))
}
