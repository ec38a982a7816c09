/** Returns the pattern of paths for a route such as `/api/graphs/:id`; a `*` at its end stands for any rest. */
export function patternOf(url: string): RegExp {
  const escaped = url.replace(/[.+*?^$()[\]{}|\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/:[A-Za-z]+/g, '[^/]*').replace(/\\\*$/, '.*')}$`)
}
