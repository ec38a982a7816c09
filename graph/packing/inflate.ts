import { constants, crc32, gunzipSync, inflateRawSync, zstdDecompressSync } from 'node:zlib'
import { invalid, ProblemError } from '../../schemas/problem-catalogue.ts'
import { uninterruptible } from '../content/uninterruptible.ts'
import { BadZip, type ZipEntry, zipEntries } from './entries.ts'

/** The maximum compression ratio. Graphs reach 10 to 100; deflate allows 1,032, and zstd far more. */
const MAX_RATIO = 250

/** The unpacked size up to which a file may exceed the ratio, in bytes. Repeated lines compress very well. */
const ALWAYS_ALLOWED = 1024 * 1024

/** The size of a chunk of output, in bytes. */
const CHUNK = 256 * 1024

/** Returns the maximum unpacked size of a file with this packed size. */
export function unpackedAtMost(size: number, limit: number): number {
  return Math.min(limit, Math.max(ALWAYS_ALLOWED, size * MAX_RATIO))
}

/** Lists the entries of an archive. Throws `validation-failed` if it is damaged. */
export function entriesOf(bytes: Buffer) {
  try {
    return zipEntries(bytes)
  } catch (error) {
    if (error instanceof BadZip) throw damaged('zip', error.message)
    throw error
  }
}

/**
 * Unpacks an entry. Throws if it is larger than `most` bytes, which is what remains of the archive's limit `whole`, or if its
 * checksum does not match.
 */
export function unpackedEntry(entry: ZipEntry, limit: number, most = limit, whole = limit): Buffer {
  const { name, crc, size } = entry
  const unpacked = unpackEntry(entry, limit, most, whole)
  if (unpacked.length !== size || crc32(unpacked) !== crc)
    throw damaged('zip', `the checksum of ${quoted(name)} does not match`)
  return unpacked
}

function unpackEntry({ name, method, isEncrypted, packed }: ZipEntry, limit: number, most: number, whole: number) {
  if (isEncrypted) throw refused(`${quoted(name)} in the zip archive is encrypted. Send it unencrypted.`)
  if (method === 0) return bounded(packed, limit, most, whole)
  if (method === 8) return inflated(packed, 'deflate', limit, most, whole)
  if (method === 93) return inflated(packed, 'zstd', limit, most, whole)
  throw refused(
    `${quoted(name)} in the zip archive uses compression method ${method}. Only deflate and zstd are supported.`
  )
}

/** Decompresses at most `room` bytes, and at most 250 times the compressed size. */
export function inflated(
  bytes: Buffer,
  method: 'gzip' | 'zstd' | 'deflate',
  limit: number,
  room = limit,
  whole = limit
): Buffer {
  const most = Math.min(unpackedAtMost(bytes.length, limit), room)
  if (most <= 0) throw tooLarge(whole < limit, limit)
  const options = { maxOutputLength: most, chunkSize: CHUNK, info: true } as const
  try {
    // With `info`, the result includes the engine, which the type declarations omit.
    const { buffer, engine } = uninterruptible(() => inflate[method](bytes, options)) as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    if (engine.bytesWritten < bytes.length && method === 'zstd') throw damaged(method, 'it has trailing data')
    return buffer
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(most < room || whole < limit, limit)
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

function bounded(bytes: Buffer, limit: number, room: number, whole: number) {
  if (bytes.length > room) throw tooLarge(whole < limit, limit)
  return bytes
}

function tooLarge(exceedsRatio: boolean, limit: number) {
  if (!exceedsRatio) {
    return new ProblemError('body-too-large', { detail: `The unpacked file is larger than ${limit} bytes.` })
  }
  const detail = `The file unpacks to more than ${MAX_RATIO} times its size. Send it unpacked.`
  return new ProblemError('file-too-complex', { detail })
}

export function damaged(packing: string, reason: string) {
  return invalid({ code: `malformed-${packing}`, detail: `is not a complete ${packing} file: ${reason}` })
}

/** Returns the error for a file that cannot be read as a graph. */
export function refused(detail: string) {
  return new ProblemError('format-unknown', { detail })
}

/** Returns a file name in quotation marks, truncated to 80 UTF-16 units. */
export function quoted(name: string) {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 79)}…` : name)
}
