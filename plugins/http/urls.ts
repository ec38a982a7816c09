/** Returns the path of a request's URL, without its query. */
export function pathOf(url: string) {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}

/** Returns the undecoded query string of a request's URL, or undefined if the URL has no query. */
export function queryOf(url: string) {
  const end = url.indexOf('?')
  return end < 0 ? undefined : url.slice(end + 1)
}

/** Removes the server name from a request URL, which may include it (RFC 9112, section 3.2.2). */
export function withoutOrigin(url: string) {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/]+(?=\/)/i, '')
}

/** Parses the id in a path. Returns -1, which is never a row id, if the number is too large to be exact. */
export function idOf(digits: string) {
  const id = Number(digits)
  return Number.isSafeInteger(id) ? id : -1
}
