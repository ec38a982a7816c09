/** The length of a PNG's signature and its first chunk, the header. */
const HEADER_END = 33

/** Returns the PNG with its resolution, in pixels per metre, in a `pHYs` chunk after the header. */
export function withDensity(png: Uint8Array, perMetre: number): Uint8Array<ArrayBuffer> {
  const chunk = new DataView(new ArrayBuffer(21))
  chunk.setUint32(0, 9)
  for (const [index, letter] of [...'pHYs'].entries()) chunk.setUint8(4 + index, letter.charCodeAt(0))
  chunk.setUint32(8, perMetre)
  chunk.setUint32(12, perMetre)
  // The unit is the metre.
  chunk.setUint8(16, 1)
  chunk.setUint32(17, crc32(new Uint8Array(chunk.buffer, 4, 13)))
  const result = new Uint8Array(png.length + chunk.byteLength)
  result.set(png.subarray(0, HEADER_END))
  result.set(new Uint8Array(chunk.buffer), HEADER_END)
  result.set(png.subarray(HEADER_END), HEADER_END + chunk.byteLength)
  return result
}

/** Returns the checksum of a PNG chunk's type and data. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}
