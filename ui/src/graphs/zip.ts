/** Packs files into a zip archive without compressing them. */
export async function zipOf(files: readonly { name: string; file: Blob }[]): Promise<Blob> {
  const bodies: (Blob | Uint8Array<ArrayBuffer>)[] = []
  const directory: Uint8Array<ArrayBuffer>[] = []
  let offset = 0
  for (const { name, file } of files) {
    const nameBytes = new TextEncoder().encode(name)
    // Version 2.0, a UTF-8 name, stored without compression, and dated 1 January 1980.
    const entry = fields([2, 20], [2, 0x800], [2, 0], [2, 0], [2, 0x21], [4, await crcOf(file)])
    const sizes = fields([4, file.size], [4, file.size], [2, nameBytes.length], [2, 0])
    const local = [fields([4, 0x04034b50]), entry, sizes, nameBytes]
    directory.push(fields([4, 0x02014b50], [2, 20]), entry, sizes)
    directory.push(fields([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]), nameBytes)
    bodies.push(...local, file)
    offset += lengthOf(local) + file.size
  }
  const end = fields(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, files.length],
    [2, files.length],
    [4, lengthOf(directory)],
    [4, offset],
    [2, 0]
  )
  return new Blob([...bodies, ...directory, end])
}

/** Encodes numbers as little-endian integers with the given widths in bytes. */
function fields(...numbers: [width: 2 | 4, value: number][]) {
  return Uint8Array.from(
    numbers.flatMap(([width, value]) => Array.from({ length: width }, (_, index) => (value >>> (8 * index)) & 255))
  )
}

function lengthOf(parts: readonly Uint8Array[]) {
  return parts.reduce((sum, { length }) => sum + length, 0)
}

const crcs = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})

/** Returns the CRC-32 checksum that zip uses. */
async function crcOf(file: Blob) {
  let crc = 0xffffffff
  for (const byte of new Uint8Array(await file.arrayBuffer())) crc = (crc >>> 8) ^ (crcs[(crc ^ byte) & 255] as number)
  return (crc ^ 0xffffffff) >>> 0
}
