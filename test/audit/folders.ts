import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JsonObject } from '../../audit/canonical.ts'
import { headText } from '../../audit/checkpoint.ts'
import { type OpenEvent, type Part, type SealedEvent, type Sealing, sealEvent } from '../../audit/entry.ts'
import { plainEvent } from '../../audit/line.ts'
import { type Signer, signNote, verifierText } from '../../audit/note.ts'
import { bundleOf, GrowingTree, pathOf, TILE_WIDTH, widthOf } from '../../audit/tiles.ts'
import { hashLeaf } from '../../audit/tree.ts'

// Test folders, as written by `graphstead audit export --tiles`.

export type AnyEvent = OpenEvent & SealedEvent

/** An event with its entry and its disclosures. */
export interface Record extends Sealing {
  event: AnyEvent
}

/** Returns an event with this id. The salts depend on the id and the principal. */
export function recordOf(id: number, changes: Partial<AnyEvent> = {}): Record {
  const event: AnyEvent = {
    id,
    time: new Date(Date.UTC(2026, 10, 23, 12) + id * 1000).toISOString(),
    type: 'GRAPH_UPDATED',
    outcome: 'SUCCESS',
    target: { type: 'GRAPH', id, version: 2 },
    principal: `user${id}`,
    request: { id: `r-${id}`, ip: '127.0.0.1', method: 'PUT', route: '/api/graphs/{id}', userAgent: 'curl/8.5.0' },
    name: 'Les Misérables',
    data: { 'name.new': 'Les Misérables', 'name.old': 'Les Mis' },
    ...changes
  }
  const seed = createHash('sha256').update(`${id} ${event.principal}`).digest()
  return { event, ...sealEvent(event, Buffer.concat([seed, seed.subarray(0, 16)])) }
}

export function recordsOf(count: number): Record[] {
  return Array.from({ length: count }, (_, index) => recordOf(index + 1))
}

/** Returns an event without a target, as recorded by commands. */
export function noticeOf(id: number, type: string, data: JsonObject): Record {
  return recordOf(id, { type, data, target: undefined as never, principal: 'system', request: null, name: null })
}

/** Returns the record without these parts. */
export function erase(record: Record, erased: readonly Part[]): Record {
  const disclosures = { ...record.disclosures }
  for (const part of erased) delete disclosures[part]
  return { ...record, disclosures }
}

/** Returns a record as a line of an export. */
export function lineOf({ event, bytes, disclosures }: Record, index: number): string {
  const { principal, request, name, data, ...shown } = event
  const { details, ...others } = disclosures
  const plain = plainEvent({
    ...shown,
    ...(others.principal !== undefined && { principal }),
    ...(others.request !== undefined && { request }),
    ...(details !== undefined && { name, data })
  })
  return `${JSON.stringify({ index, entry: bytes.toString(), disclosures, event: plain })}\n`
}

export interface LogOptions {
  signer: Signer
  /** The first index that is not pruned. */
  firstIndex?: number
  /** Returns lines to append to the checkpoint note, such as witness signatures. */
  cosignatures?: (text: string) => string
}

/** Returns the files of a log by path. */
export function filesOf(records: readonly Record[], { signer, firstIndex = 0, cosignatures }: LogOptions) {
  const files = new Map<string, Buffer>()
  const size = records.length
  const put = (level: number, index: number, hashes: Uint8Array) => {
    const width = widthOf(level, index, size)
    if (width > 0) files.set(pathOf({ level, index, width }), Buffer.from(hashes))
  }
  const tree = new GrowingTree(0, [], put)
  for (const { bytes } of records) tree.append(hashLeaf(bytes))
  for (const [level, hashes] of tree.edge().entries()) {
    if (hashes.length > 0) put(level, Math.floor(size / TILE_WIDTH ** (level + 1)), hashes)
  }
  for (let index = firstIndex / TILE_WIDTH; index * TILE_WIDTH < size; index++) {
    const bundle = records.slice(index * TILE_WIDTH, (index + 1) * TILE_WIDTH).map(({ bytes }) => bytes)
    files.set(pathOf({ level: 'entries', index, width: bundle.length }), bundleOf(bundle))
  }
  const text = headText({ origin: signer.verifier.name, size, root: tree.root() })
  files.set('checkpoint', Buffer.from(signNote(text, [signer]) + (cosignatures?.(text) ?? '')))
  files.set('key', Buffer.from(`${verifierText(signer.verifier)}\n`))
  const lines = records.map(lineOf).slice(firstIndex)
  files.set('events.jsonl', Buffer.from(lines.join('')))
  return files
}

/** Writes the files to a new folder. Returns its path. */
export function writeFiles(folder: string, files: ReadonlyMap<string, Uint8Array>): string {
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
  return folder
}
