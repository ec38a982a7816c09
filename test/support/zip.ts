import { crc32, deflateRawSync } from 'node:zlib'

/** An entry of a test archive. Its declared values may be wrong. */
export interface Entry {
  name: string
  content: string | Buffer
  /** The compression method: 0 for none, 8 for deflate (the default). */
  method?: number
  /** The compressed bytes, if they are not the output of deflate. */
  packed?: Buffer
  flags?: number
  crc?: number
  size?: number
  offset?: number
  /** Whether the sizes are in the 64-bit field. */
  isLarge?: boolean
}

/** Creates a zip archive that declares `count` entries. */
export function zip(entries: Entry[], { count = entries.length, comment = '' } = {}): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, content, method = 8, flags = 0x800, isLarge = false, ...entry } of entries) {
    const bytes = Buffer.from(content as string)
    const packed = entry.packed ?? (method === 0 ? bytes : deflateRawSync(bytes))
    const { crc = crc32(bytes), size = bytes.length, offset = at } = entry
    const file = Buffer.from(name)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50)
    local.writeUInt16LE(method, 8)
    local.writeUInt16LE(file.length, 26)
    bodies.push(local, file, packed)
    at += local.length + file.length + packed.length
    const extra = Buffer.alloc(isLarge ? 20 : 0)
    if (isLarge) {
      extra.writeUInt16LE(1)
      extra.writeUInt16LE(16, 2)
      extra.writeBigUInt64LE(BigInt(size), 4)
      extra.writeBigUInt64LE(BigInt(packed.length), 12)
    }
    const record = Buffer.alloc(46)
    record.writeUInt32LE(0x02014b50)
    record.writeUInt16LE(flags, 8)
    record.writeUInt16LE(method, 10)
    record.writeUInt32LE(crc, 16)
    record.writeUInt32LE(isLarge ? 0xffffffff : packed.length, 20)
    record.writeUInt32LE(isLarge ? 0xffffffff : size, 24)
    record.writeUInt16LE(file.length, 28)
    record.writeUInt16LE(extra.length, 30)
    record.writeUInt32LE(offset, 42)
    directory.push(record, file, extra)
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(at, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([...bodies, ...directory, end, Buffer.from(comment)])
}
