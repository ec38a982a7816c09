/** Returns a pattern that matches the paths of a route such as `/api/graphs/:id`. A `*` at the end matches anything. */
export function patternOf(url: string): RegExp {
  const escaped = url.replace(/[.+*?^$()[\]{}|\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/:[A-Za-z]+/g, '[^/]*').replace(/\\\*$/, '.*')}$`)
}
