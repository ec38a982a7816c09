/**
 * Decodes a file that contains a secret, without the line ending and byte order mark that editors and shells add. Windows
 * PowerShell writes UTF-16.
 */
export function secretText(bytes: Buffer): string {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe
  return bytes
    .toString(isWide ? 'utf16le' : 'utf8')
    .replace(/^\ufeff/, '')
    .replace(/\r?\n$/, '')
}
