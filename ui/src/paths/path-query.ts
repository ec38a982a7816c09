/** A shortest-path search, stored in the URL. */
export interface PathQuery {
  /** The ids of the start and end nodes. */
  from?: string | undefined
  to?: string | undefined
  /** The key of the attribute that gives the lengths of edges. If undefined, each edge has length 1. */
  by?: string | undefined
  /** Whether larger values mean shorter edges: the length is then 1 / value. */
  isInverse?: true | undefined
  /** Whether to ignore the direction of edges. */
  isEitherWay: boolean
  /** The number of the path to show, from 1, if several are equally short. If undefined, shows the first. */
  number?: number | undefined
}

/** Reads the search from the address. The parameter `path` is set even if the start and end are not chosen yet. */
export function readPath(params: URLSearchParams): PathQuery | undefined {
  const get = (name: string) => params.get(name) ?? undefined
  const ways = params.get('path')
  if (ways === null) return undefined
  return {
    from: get('pathFrom'),
    to: get('pathTo'),
    by: get('pathBy'),
    isInverse: get('pathLength') === 'inverse' || undefined,
    isEitherWay: ways === 'either',
    number: Number(get('pathNumber')) || undefined
  }
}

export function writePath(params: URLSearchParams, { from, to, by, isInverse, isEitherWay, number }: PathQuery) {
  params.set('path', isEitherWay ? 'either' : 'directed')
  if (from !== undefined) params.set('pathFrom', from)
  if (to !== undefined) params.set('pathTo', to)
  if (by !== undefined) params.set('pathBy', by)
  if (isInverse) params.set('pathLength', 'inverse')
  if (number !== undefined) params.set('pathNumber', String(number))
}
