/** A search for a shortest path, as the address holds it. */
export interface PathQuery {
  /** The ends, by id. */
  from?: string | undefined
  to?: string | undefined
  /** The key of the attribute that has the lengths of edges; without one, each edge counts as 1. */
  by?: string | undefined
  /** Whether edges may be gone against their direction. */
  isEitherWay: boolean
}

/** `path` tells whether there is a search; its ends may be missing yet. */
export function readPath(params: URLSearchParams): PathQuery | undefined {
  const get = (name: string) => params.get(name) ?? undefined
  const ways = params.get('path')
  if (ways === null) return undefined
  return { from: get('pathFrom'), to: get('pathTo'), by: get('pathBy'), isEitherWay: ways === 'either' }
}

export function writePath(params: URLSearchParams, { from, to, by, isEitherWay }: PathQuery) {
  params.set('path', isEitherWay ? 'either' : 'directed')
  if (from !== undefined) params.set('pathFrom', from)
  if (to !== undefined) params.set('pathTo', to)
  if (by !== undefined) params.set('pathBy', by)
}
