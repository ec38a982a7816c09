import { isUtf8 } from 'node:buffer'

// Reads the directory of a zip archive in memory and locates each entry. Like other programs, it relies on the directory at the
// end of the archive. Callers must not trust the declared sizes, and must limit how much they unpack.

/** An entry of an archive. */
export interface ZipEntry {
  name: string
  isEncrypted: boolean
  /** The compression method: 0 for none, 8 for deflate, 93 for zstd. */
  method: number
  /** The CRC-32 and the size of the unpacked content. */
  crc: number
  size: number
  /** The compressed bytes. */
  packed: Buffer
}

/** Thrown with the reason if an archive cannot be read. */
export class BadZip extends Error {
  override name = 'BadZip'
}

const LOCAL = 0x04034b50
const ENTRY = 0x02014b50
const END = 0x06054b50
const END_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50

/** The fixed lengths of the zip records, without names, extra fields and comments. */
const LOCAL_LENGTH = 30
const ENTRY_LENGTH = 46
const END_LENGTH = 22
const LOCATOR_LENGTH = 20

/** The largest values of a 32-bit and a 16-bit field. They mean that the actual value is in a 64-bit field. */
const FULL = 0xffffffff
const FULL_COUNT = 0xffff

/** The maximum number of entries. No archive of a graph comes close. */
const MAX_ENTRIES = 10_000

/** Lists the entries of an archive, except folders. Throws BadZip. */
export function zipEntries(bytes: Buffer): ZipEntry[] {
  try {
    return readDirectory(bytes)
  } catch (error) {
    // A field points beyond the end of the bytes.
    if (error instanceof RangeError) throw new BadZip('its directory is truncated')
    throw error
  }
}

function readDirectory(bytes: Buffer): ZipEntry[] {
  const { count, offset } = directoryOf(bytes)
  if (count > MAX_ENTRIES) throw new BadZip(`it has more than ${MAX_ENTRIES} entries`)
  const entries: ZipEntry[] = []
  let at = offset
  for (let index = 0; index < count; index++) {
    if (bytes.readUInt32LE(at) !== ENTRY) throw new BadZip('its directory is damaged')
    const end = at + ENTRY_LENGTH + bytes.readUInt16LE(at + 28)
    const name = bytes.subarray(at + ENTRY_LENGTH, end)
    const afterExtra = end + bytes.readUInt16LE(at + 30)
    if (afterExtra > bytes.length) throw new BadZip('its directory is truncated')
    const sizes = sizesOf(bytes, at, bytes.subarray(end, afterExtra))
    // Archives from before 2006 do not declare the encoding of names.
    const text = isUtf8(name) ? name.toString('utf8') : name.toString('latin1')
    if (!text.endsWith('/')) {
      entries.push({
        name: text,
        isEncrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
        method: bytes.readUInt16LE(at + 10),
        crc: bytes.readUInt32LE(at + 16),
        size: sizes.size,
        packed: packedBytes(bytes, sizes)
      })
    }
    at = afterExtra + bytes.readUInt16LE(at + 32)
  }
  return entries
}

/** Finds the end record of the archive. Only a comment may follow it. */
function directoryOf(bytes: Buffer) {
  const first = Math.max(0, bytes.length - END_LENGTH - FULL_COUNT)
  let at = bytes.length - END_LENGTH
  while (at >= first && bytes.readUInt32LE(at) !== END) at--
  if (at < first) throw new BadZip('its end record is missing')
  const [count, offset] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 16)]
  if (count !== FULL_COUNT && offset !== FULL) return { count, offset }
  const locator = at - LOCATOR_LENGTH
  if (locator < 0 || bytes.readUInt32LE(locator) !== LOCATOR_64) return { count, offset }
  const large = long(bytes, locator + 8)
  if (bytes.readUInt32LE(large) !== END_64) throw new BadZip('its end record is damaged')
  return { count: long(bytes, large + 32), offset: long(bytes, large + 48) }
}

/** Returns the sizes and the offset of an entry, from the 64-bit extra field if present. */
function sizesOf(bytes: Buffer, at: number, extra: Buffer) {
  const [packed, size, offset] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24), bytes.readUInt32LE(at + 42)]
  const sizes = { packed, size, offset }
  for (let field = 0; field + 4 <= extra.length; field += 4 + extra.readUInt16LE(field + 2)) {
    if (extra.readUInt16LE(field) !== 1) continue
    let value = field + 4
    // The extra field contains only the values that do not fit in the entry, in this order.
    for (const name of ['size', 'packed', 'offset'] as const) {
      if (sizes[name] !== FULL) continue
      sizes[name] = long(extra, value)
      value += 8
    }
  }
  return sizes
}

function packedBytes(bytes: Buffer, { packed, offset }: { packed: number; offset: number }) {
  if (bytes.readUInt32LE(offset) !== LOCAL) throw new BadZip('an entry is not where its directory says')
  const start = offset + LOCAL_LENGTH + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
  if (start + packed > bytes.length) throw new BadZip('an entry is truncated')
  return bytes.subarray(start, start + packed)
}

function long(bytes: Buffer, at: number) {
  return Number(bytes.readBigUInt64LE(at))
}
