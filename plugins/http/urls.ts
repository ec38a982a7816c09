/** Returns the path of a request's URL, without its query. */
export function pathOf(url: string) {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}

/** Returns the query of a request's URL, undecoded; undefined without one. */
export function queryOf(url: string) {
  const end = url.indexOf('?')
  return end < 0 ? undefined : url.slice(end + 1)
}

/** Returns the URL of a request without the server's name, which it may contain (RFC 9112, section 3.2.2). */
export function withoutOrigin(url: string) {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/]+(?=\/)/i, '')
}

/** Returns the id that the digits of a path stand for; -1, which no row has, for a number that is not exact. */
export function idOf(digits: string) {
  const id = Number(digits)
  return Number.isSafeInteger(id) ? id : -1
}
