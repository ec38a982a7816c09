import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { formatsOfFile } from '../formats/index.ts'
import { documentIn } from '../formats/shared/foreign.ts'
import { WORKBOOK } from '../formats/workbook/package-parts.ts'
import type { ZipEntry } from '../packing/entries.ts'
import { damaged, entriesOf, inflated, quoted, refused, unpackedAtMost, unpackedEntry } from '../packing/inflate.ts'
import { type PackedTable, tablesOnly } from './packed-tables.ts'

/** The supported compression and archive formats. */
type Packing = 'gzip' | 'zstd' | 'zip'

/** A file after unpacking. */
export interface Unpacked {
  bytes: Buffer
  /** The name of the file inside the archive or compressed file, without folders. */
  name?: string | undefined
  /** The number of other files in the archive. */
  others: number
  /** The tables of an archive, in which case `bytes` is empty. */
  tables?: PackedTable[] | undefined
  /** Whether `bytes` is an Excel workbook, which is unpacked by that format's own reader. */
  isWorkbook?: true
}

/** The maximum number of file names in an error. */
const NAMES = 10

/** Detects the packing from the first bytes. Returns undefined for a file that is not packed. */
export function packingOf(bytes: Uint8Array): Packing | undefined {
  const [a, b, c, d] = bytes
  if (a === 0x1f && b === 0x8b) return 'gzip'
  if (a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd) return 'zstd'
  // A skippable zstd frame, which parallel compressors write first.
  if (((a ?? 0) & 0xf0) === 0x50 && b === 0x2a && c === 0x4d && d === 0x18) return 'zstd'
  // An archive with entries, an empty archive, or the first of several volumes.
  if (a === 0x50 && b === 0x4b && ((c === 3 && d === 4) || (c === 5 && d === 6) || (c === 7 && d === 8))) return 'zip'
  return undefined
}

/**
 * Unpacks a file according to its first bytes, or returns it unchanged. Unpacks at most `limit` bytes and at most 250 times the
 * size of the file, regardless of the sizes that the file declares. Throws `validation-failed` for a damaged file,
 * `format-unknown` for an archive that contains neither a single graph nor only tables, and `body-too-large` or
 * `file-too-complex` if a limit is exceeded.
 */
export function unpack(bytes: Buffer, limit: number, encoding?: 'gzip' | 'zstd'): Unpacked {
  const packing = packingOf(bytes)
  if (encoding !== undefined && packing !== encoding) throw damaged(encoding, `the Content-Encoding is ${encoding}`)
  if (!packing) return { bytes, others: 0 }
  const unpacked = packing === 'zip' ? fromZip(bytes, limit) : fromStream(bytes, packing, limit)
  if (unpacked.isWorkbook) return unpacked
  const inner = [unpacked.bytes, ...(unpacked.tables ?? []).map(({ bytes }) => bytes)].map(packingOf).find(Boolean)
  if (inner) throw refused(`This is ${inner} inside ${packing}. Unpack it and send the inner file.`)
  return unpacked
}

function fromStream(bytes: Buffer, packing: 'gzip' | 'zstd', limit: number): Unpacked {
  const name = packing === 'gzip' ? gzipName(bytes) : undefined
  return { bytes: inflated(bytes, packing, limit), name, others: 0 }
}

function fromZip(bytes: Buffer, limit: number): Unpacked {
  const entries = entriesOf(bytes)
  if (entries.some(({ name }) => name.toLowerCase() === WORKBOOK)) return { bytes, others: 0, isWorkbook: true }
  const { graphs, others } = graphsIn(entries)
  const whole = unpackedAtMost(bytes.length, limit)
  let used = 0
  const tables = tablesOnly(graphs, (entry) => {
    const unpacked = unpackedEntry(entry, limit, Math.min(limit, whole - used), whole)
    used += unpacked.length
    return unpacked
  })
  if (tables) return { bytes: Buffer.alloc(0), others, tables }
  const [graph] = graphs
  if (!graph || graphs.length > 1) throw new SeveralGraphs(graphs)
  return { bytes: unpackedEntry(graph, limit), name: baseName(graph.name), others }
}

/** Returns the entries that may be graphs: the only file, or the files with the extension of a supported format. */
function graphsIn(all: ZipEntry[]): { graphs: ZipEntry[]; others: number } {
  const type = all.find(({ name, method }) => name === 'mimetype' && method === 0)?.packed.toString('latin1', 0, 100)
  const document = documentIn(
    all.map(({ name }) => name),
    type
  )
  if (document) throw refused(document)
  const files = all.filter(({ name }) => !isSystemFile(name))
  const graphs = files.length === 1 ? files : files.filter(({ name }) => formatsOfFile(name).length > 0)
  if (graphs.length > 0) return { graphs, others: files.length - graphs.length }
  if (files.length === 0) throw refused('This zip archive is empty.')
  throw refused(
    `${archiveOf(files, `${files.length} files, but none with the extension of a supported format`)} Pack a single graph.`
  )
}

/** Thrown for an archive with several graphs. An archive with node tables and edge tables is allowed. */
export class SeveralGraphs extends ProblemError {
  constructor(graphs: readonly { name: string }[]) {
    const contents = archiveOf(graphs, `${graphs.length} graphs`)
    super('format-unknown', {
      detail: `${contents} Pack a single graph, or tables of nodes and tables of edges.`
    })
  }
}

function archiveOf(files: readonly { name: string }[], contents: string) {
  const names = files.slice(0, NAMES).map(({ name }) => quoted(name))
  const more = files.length > NAMES ? `, and ${files.length - NAMES} more` : ''
  return `This zip archive has ${contents}: ${names.join(', ')}${more}.`
}

/** Returns whether the operating system added the file, such as `__MACOSX/._graph.csv`. */
function isSystemFile(name: string) {
  return name.startsWith('__MACOSX/') || /^(?:\.|thumbs\.db$|desktop\.ini$)/i.test(baseName(name))
}

/** Returns the file name in the gzip header (RFC 1952), if present. */
function gzipName(bytes: Buffer) {
  const flags = bytes[3] ?? 0
  if ((flags & 8) === 0) return undefined
  const start = 10 + ((flags & 4) === 0 || bytes.length < 12 ? 0 : 2 + bytes.readUInt16LE(10))
  const end = bytes.indexOf(0, start)
  return end <= start ? undefined : baseName(bytes.toString('latin1', start, Math.min(end, start + 1024)))
}

function baseName(path: string) {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}
