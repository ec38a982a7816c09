import { hash } from 'node:crypto'

// The ad-hoc signature of a macOS executable, which contains hashes of its pages but no developer's name. Macs with Apple
// silicon kill unsigned programs. The layout is that of Apple's linker (cs_blobs.h in XNU): a SuperBlob with a CodeDirectory.

const MAGIC_64 = 0xfeedfacf
const EXECUTE = 2
const LC_SEGMENT_64 = 0x19
const LC_CODE_SIGNATURE = 0x1d
const COMMAND_SIZE = 16
/** The size of the header, which precedes the load commands. */
const HEADER_SIZE = 32

const SUPER_BLOB = 0xfade0cc0
const SUPER_BLOB_SIZE = 20
const CODE_DIRECTORY = 0xfade0c02
const CODE_DIRECTORY_SIZE = 88
const VERSION_WITH_EXECUTABLE_SEGMENT = 0x20400
/** The flags “ad hoc” and “linker signed”, so that codesign replaces the signature without --force. */
const FLAGS = 0x2_0002
const SHA256 = { type: 2, size: 32 }
const PAGE_BITS = 12
const PAGE = 2 ** PAGE_BITS
/** The size of a memory page on Apple silicon, which is a multiple of the page size on Intel. */
const MEMORY_PAGE = 0x4000

interface Segment {
  /** The offset of the load command. */
  command: number
  offset: number
  size: number
}

/** Adds an ad-hoc signature to an unsigned 64-bit Mach-O file. The identifier can be the name of the program. */
export function signed(file: Buffer, identifier: string): Buffer {
  const { segments, end, firstSection } = layoutOf(file)
  const { __LINKEDIT: last, __TEXT: text } = Object.fromEntries(segments)
  if (!last || !text) throw new Error('the Mach-O file has no __TEXT or no __LINKEDIT')
  if (last.offset + last.size !== file.length) throw new Error('__LINKEDIT is not the end of the Mach-O file')
  if (end + COMMAND_SIZE > firstSection) throw new Error('the Mach-O file has no room for a signature command')
  const limit = aligned(file.length, 16)
  const name = Buffer.from(`${identifier}\0`)
  const pages = Math.ceil(limit / PAGE)
  const size = SUPER_BLOB_SIZE + CODE_DIRECTORY_SIZE + name.length + pages * SHA256.size
  const whole = Buffer.alloc(limit + size)
  file.copy(whole)

  // Adds the load command, and extends the segment that contains the signature. The hashes cover these changes.
  whole.writeUInt32LE(whole.readUInt32LE(16) + 1, 16)
  whole.writeUInt32LE(whole.readUInt32LE(20) + COMMAND_SIZE, 20)
  for (const [index, field] of [LC_CODE_SIGNATURE, COMMAND_SIZE, limit, size].entries())
    whole.writeUInt32LE(field, end + index * 4)
  whole.writeBigUInt64LE(BigInt(aligned(whole.length - last.offset, MEMORY_PAGE)), last.command + 32)
  whole.writeBigUInt64LE(BigInt(whole.length - last.offset), last.command + 48)

  const isMain = whole.readUInt32LE(12) === EXECUTE
  const signature = whole.subarray(limit)
  for (const [index, field] of [SUPER_BLOB, size, 1, 0, SUPER_BLOB_SIZE].entries())
    signature.writeUInt32BE(field, index * 4)
  const directory = signature.subarray(SUPER_BLOB_SIZE)
  const fields = [
    CODE_DIRECTORY,
    directory.length,
    VERSION_WITH_EXECUTABLE_SEGMENT,
    FLAGS,
    CODE_DIRECTORY_SIZE + name.length,
    CODE_DIRECTORY_SIZE,
    0,
    pages,
    limit
  ]
  for (const [index, field] of fields.entries()) directory.writeUInt32BE(field, index * 4)
  directory.set([SHA256.size, SHA256.type, 0, PAGE_BITS], 36)
  directory.writeBigUInt64BE(BigInt(text.offset), 64)
  directory.writeBigUInt64BE(BigInt(text.size), 72)
  directory.writeBigUInt64BE(isMain ? 1n : 0n, 80)
  name.copy(directory, CODE_DIRECTORY_SIZE)
  for (let page = 0; page < pages; page++) {
    const bytes = whole.subarray(page * PAGE, Math.min((page + 1) * PAGE, limit))
    directory.set(hash('sha256', bytes, 'buffer'), CODE_DIRECTORY_SIZE + name.length + page * SHA256.size)
  }
  return whole
}

/** Returns the segments by name, the end of the load commands, and the start of the first section's content. */
function layoutOf(file: Buffer) {
  if (file.length < HEADER_SIZE || file.readUInt32LE(0) !== MAGIC_64) throw new Error('not a 64-bit Mach-O file')
  const segments = new Map<string, Segment>()
  let firstSection = file.length
  let end = HEADER_SIZE
  for (let left = file.readUInt32LE(16); left > 0; left--) {
    const command = end
    const kind = file.readUInt32LE(command)
    if (kind === LC_CODE_SIGNATURE) throw new Error('the Mach-O file is already signed')
    end += file.readUInt32LE(command + 4)
    if (kind !== LC_SEGMENT_64) continue
    const offset = Number(file.readBigUInt64LE(command + 40))
    const size = Number(file.readBigUInt64LE(command + 48))
    segments.set(file.toString('latin1', command + 8, command + 24).replace(/\0.*$/s, ''), { command, offset, size })
    // A section that has no content in the file has offset 0.
    for (let section = command + 72; section < end; section += 80)
      firstSection = Math.min(firstSection, file.readUInt32LE(section + 48) || firstSection)
  }
  return { segments, end, firstSection }
}

const aligned = (value: number, to: number) => Math.ceil(value / to) * to
