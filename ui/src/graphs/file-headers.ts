export interface Loss {
  code: string
  count: number
}

/** The name in a Content-Disposition header (RFC 6266): the extended form (RFC 8187) before the plain one. */
export function fileNameOf(disposition: string) {
  const [, extended] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? []
  if (extended !== undefined) return decodeURIComponent(extended)
  const [, quoted, token] = /filename=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? []
  return quoted?.replace(/\\(.)/g, '$1') ?? token ?? 'graph'
}

/** A list such as `nested-metadata;n=12, type-widened;n=3` (RFC 9651). */
export function lossesOf(header: string): Loss[] {
  return [...header.matchAll(/([\w-]+);n=(\d+)/g)].map(([, code = '', count]) => ({ code, count: Number(count) }))
}

/** What a file is called without its ending, for a graph whose file does not say. */
export function stemOf(name: string) {
  return name.replace(/(\.jgf|\.cyjs|\.node-link)?\.[^.]+$/i, '') || name
}
