/** Returns the pattern of paths for a route such as `/api/graphs/:id`. */
export function patternOf(url: string): RegExp {
  const escaped = url.replace(/[.+*?^$()[\]{}|\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/:[A-Za-z]+/g, '[^/]*')}$`)
}
