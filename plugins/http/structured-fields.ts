/** Returns the text as a Display String of a structured field (RFC 9651, section 3.3.8). */
export function displayString(text: string): string {
  const bytes = Buffer.from(text)
  let escaped = ''
  for (const byte of bytes) {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x25 && byte !== 0x22
    escaped += isPlain ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, '0')}`
  }
  return `%"${escaped}"`
}

/** Returns the bytes as a Byte Sequence of a structured field (RFC 9651, section 3.3.5). */
export function byteSequence(bytes: Buffer): string {
  return `:${bytes.toString('base64')}:`
}
