/**
 * Returns the text of a file with a secret, without the line end and the byte order mark that editors and shells add. Windows
 * PowerShell writes UTF-16.
 */
export function secretText(bytes: Buffer): string {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe
  return bytes
    .toString(isWide ? 'utf16le' : 'utf8')
    .replace(/^\ufeff/, '')
    .replace(/\r?\n$/, '')
}
