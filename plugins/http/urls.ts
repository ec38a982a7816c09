/** The path of a request's URL, without its query. */
export function pathOf(url: string) {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}

/** The query of a request's URL, undecoded; undefined where there is none. */
export function queryOf(url: string) {
  const end = url.indexOf('?')
  return end < 0 ? undefined : url.slice(end + 1)
}

/** The URL of a request without the server's name, which a request may have (RFC 9112, section 3.2.2). */
export function withoutOrigin(url: string) {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/]+(?=\/)/i, '')
}

/** Returns the id that the digits of a path stand for. One beyond what JSON can name exactly is nobody's, and never rounded to another. */
export function idOf(digits: string) {
  const id = Number(digits)
  return Number.isSafeInteger(id) ? id : -1
}
