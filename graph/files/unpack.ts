import { constants, crc32, gunzipSync, inflateRawSync, zstdDecompressSync } from 'node:zlib'
import { invalid, ProblemError } from '../../schemas/problem-catalogue.ts'
import { uninterruptible } from '../content/uninterruptible.ts'
import { formatsOfFile } from '../formats/index.ts'
import { documentIn } from '../formats/shared/foreign.ts'
import { type PackedTable, twoTables } from './packed-tables.ts'
import { BadZip, type ZipEntry, zipEntries } from './zip.ts'

/** The supported compression and archive formats. */
type Packing = 'gzip' | 'zstd' | 'zip'

/** A file after unpacking. */
export interface Unpacked {
  bytes: Buffer
  /** The name of the file inside the archive or compressed file, without folders. */
  name?: string | undefined
  /** The number of other files in the archive. */
  others: number
  /** The two tables of an archive, in which case `bytes` is empty. */
  tables?: PackedTable[] | undefined
}

/** The maximum compression ratio. Graphs reach 10 to 100; deflate allows 1,032, and zstd far more. */
const MAX_RATIO = 250

/** The unpacked size up to which a file may exceed the ratio, in bytes. Repeated lines compress very well. */
const ALWAYS_ALLOWED = 1024 * 1024

/** The size of a chunk of output, in bytes. */
const CHUNK = 256 * 1024

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

/** Returns the maximum unpacked size of a file with this packed size. */
export function unpackedAtMost(size: number, limit: number): number {
  return Math.min(limit, Math.max(ALWAYS_ALLOWED, size * MAX_RATIO))
}

/**
 * Unpacks a file according to its first bytes, or returns it unchanged. Unpacks at most `limit` bytes and at most 250 times the
 * size of the file, regardless of the sizes that the file declares. Throws `validation-failed` for a damaged file,
 * `format-unknown` for an archive that contains neither one graph nor two tables, and `body-too-large` or `file-too-complex` if
 * a limit is exceeded.
 */
export function unpack(bytes: Buffer, limit: number, encoding?: 'gzip' | 'zstd'): Unpacked {
  const packing = packingOf(bytes)
  if (encoding !== undefined && packing !== encoding) throw damaged(encoding, `the Content-Encoding is ${encoding}`)
  if (!packing) return { bytes, others: 0 }
  const unpacked = packing === 'zip' ? fromZip(bytes, limit) : fromStream(bytes, packing, limit)
  const inner = [unpacked.bytes, ...(unpacked.tables ?? []).map(({ bytes }) => bytes)].map(packingOf).find(Boolean)
  if (inner) throw refused(`This is ${inner} inside ${packing}. Unpack it and send the inner file.`)
  return unpacked
}

function fromStream(bytes: Buffer, packing: 'gzip' | 'zstd', limit: number): Unpacked {
  const name = packing === 'gzip' ? gzipName(bytes) : undefined
  return { bytes: inflated(bytes, packing, limit), name, others: 0 }
}

function fromZip(bytes: Buffer, limit: number): Unpacked {
  const { graphs, others } = graphsIn(entriesOf(bytes))
  const whole = unpackedAtMost(bytes.length, limit)
  let used = 0
  const tables = twoTables(graphs, (entry) => {
    const unpacked = contentOf(entry, limit, Math.min(limit, whole - used))
    used += unpacked.length
    return unpacked
  })
  if (tables) return { bytes: Buffer.alloc(0), others, tables }
  const [graph] = graphs
  if (!graph || graphs.length > 1) throw new SeveralGraphs(graphs)
  return { bytes: contentOf(graph, limit), name: baseName(graph.name), others }
}

/** Returns the bytes of an entry. Throws if there are more than `most` bytes. */
function contentOf(entry: ZipEntry, limit: number, most = limit): Buffer {
  const { name, crc, size } = entry
  const unpacked = unpackEntry(entry, limit, most)
  if (unpacked.length !== size || crc32(unpacked) !== crc)
    throw damaged('zip', `the checksum of ${quoted(name)} does not match`)
  return unpacked
}

function unpackEntry({ name, method, isEncrypted, packed }: ZipEntry, limit: number, most: number) {
  if (isEncrypted) throw refused(`${quoted(name)} in the zip archive is encrypted. Send it unencrypted.`)
  if (method === 0) return bounded(packed, limit, most)
  if (method === 8) return inflated(packed, 'deflate', limit, most)
  if (method === 93) return inflated(packed, 'zstd', limit, most)
  throw refused(
    `${quoted(name)} in the zip archive uses compression method ${method}. Only deflate and zstd are supported.`
  )
}

function entriesOf(bytes: Buffer) {
  try {
    return zipEntries(bytes)
  } catch (error) {
    if (error instanceof BadZip) throw damaged('zip', error.message)
    throw error
  }
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

/** Thrown for an archive with several graphs. An archive with a node table and an edge table is allowed. */
export class SeveralGraphs extends ProblemError {
  constructor(graphs: readonly { name: string }[]) {
    const contents = archiveOf(graphs, `${graphs.length} graphs`)
    super('format-unknown', {
      detail: `${contents} Pack a single graph, or one table of nodes and one table of edges.`
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

function inflated(bytes: Buffer, method: 'gzip' | 'zstd' | 'deflate', limit: number, room = limit): Buffer {
  const most = Math.min(unpackedAtMost(bytes.length, limit), room)
  if (most <= 0) throw tooLarge(limit, limit)
  const options = { maxOutputLength: most, chunkSize: CHUNK, info: true } as const
  try {
    // With `info`, the result includes the engine, which the type declarations omit.
    const { buffer, engine } = uninterruptible(() => inflate[method](bytes, options)) as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    if (engine.bytesWritten < bytes.length && method === 'zstd') throw damaged(method, 'other data follows it')
    return buffer
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(most, room)
    if (/^(?:Z_|ZSTD_|ERR_ZLIB)/.test(code)) throw damaged(method === 'deflate' ? 'zip' : method, message)
    throw error
  }
}

const inflate = {
  gzip: gunzipSync,
  deflate: inflateRawSync,
  zstd: (bytes: Buffer, options: object) =>
    zstdDecompressSync(bytes, { ...options, params: { [constants.ZSTD_d_windowLogMax]: 27 } })
}

function bounded(bytes: Buffer, limit: number, room: number) {
  if (bytes.length > room) throw tooLarge(limit, limit)
  return bytes
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

function quoted(name: string) {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 79)}…` : name)
}

function tooLarge(most: number, limit: number) {
  if (most === limit)
    return new ProblemError('body-too-large', { detail: `The unpacked file is larger than ${limit} bytes.` })
  const detail = `The file unpacks to more than ${MAX_RATIO} times its size. Send it unpacked.`
  return new ProblemError('file-too-complex', { detail })
}

function damaged(packing: string, reason: string) {
  return invalid({ code: `malformed-${packing}`, detail: `is not a complete ${packing} file: ${reason}` })
}

function refused(detail: string) {
  return new ProblemError('format-unknown', { detail })
}
