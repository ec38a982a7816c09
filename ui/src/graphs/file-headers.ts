export interface Loss {
  code: string
  count: number
}

/** Returns the file name from a Content-Disposition header (RFC 6266), preferring the extended form (RFC 8187). */
export function fileNameOf(disposition: string) {
  const [, extended] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? []
  if (extended !== undefined) return decodeURIComponent(extended)
  const [, quoted, token] = /filename=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? []
  return quoted?.replace(/\\(.)/g, '$1') ?? token ?? 'graph'
}

/** Parses a list such as `nested-metadata;n=12, type-widened;n=3` (RFC 9651). */
export function lossesOf(header: string): Loss[] {
  return [...header.matchAll(/([\w-]+);n=(\d+)/g)].map(([, code = '', count]) => ({ code, count: Number(count) }))
}

/** Returns the name of a file without its extension, for use as the name of a graph whose file contains none. */
export function stemOf(name: string) {
  const file = name.replace(/\.(gz|zst|zip)$/i, '')
  return file.replace(/(\.jgf|\.cyjs|\.node-link)?\.[^.]+$/i, '') || name
}
