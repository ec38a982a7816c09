import { type Elements, type Filter, MOST_FILTERS } from './filters.ts'

/** The parameters that start a filter of each kind. Those in `details` belong to the preceding filter. */
const kinds = ['filter', 'edgeFilter', 'around', 'with'] as const
const details = ['is', 'not', 'from', 'to', 'depth']

/** The key that represents an empty list of shown values. No value has this key. */
const NOTHING = '~0'

/** The maximum depth of a neighbourhood. */
export const DEEPEST = 20

/** Reads the filters from an address in order. Skips invalid filters, and those beyond MOST_FILTERS. */
export function readFilters(params: URLSearchParams): Filter[] {
  const parts: { kind: (typeof kinds)[number]; value: string; details: URLSearchParams }[] = []
  // If a link has a single filter, the filter's details may come first.
  const early = new URLSearchParams()
  for (const [name, value] of params) {
    const kind = kinds.find((kind) => kind === name)
    if (kind) parts.push({ kind, value, details: parts.length === 0 ? early : new URLSearchParams() })
    else if (details.includes(name)) (parts.at(-1)?.details ?? early).append(name, value)
  }
  const filters = parts.flatMap(({ kind, value, details }): Filter[] => {
    if (kind === 'with') return [{ text: value }]
    if (kind === 'around') return neighbourhood(value, details)
    return byAttribute(kind === 'filter' ? 'nodes' : 'edges', value, details)
  })
  return filters.slice(0, MOST_FILTERS)
}

function neighbourhood(around: string, details: URLSearchParams): Filter[] {
  const depth = Number(details.get('depth') ?? 1)
  return Number.isInteger(depth) && depth >= 0 && depth <= DEEPEST ? [{ around, depth }] : []
}

function byAttribute(of: Elements, attribute: string, details: URLSearchParams): Filter[] {
  const [from, to] = [details.get('from'), details.get('to')]
  if (from === null || to === null) {
    const shown = details.getAll('is')
    if (shown.length === 0) return [{ of, attribute, hidden: details.getAll('not') }]
    return [{ of, attribute, shown: shown.filter((key) => key !== NOTHING) }]
  }
  const [least, greatest] = [Number(from), Number(to)]
  return Number.isFinite(least) && Number.isFinite(greatest) ? [{ of, attribute, least, greatest }] : []
}

/** Adds the filters to an address. */
export function writeFilters(params: URLSearchParams, filters: Filter[]) {
  for (const filter of filters) {
    if ('text' in filter) params.append('with', filter.text)
    else if ('around' in filter) {
      params.append('around', filter.around)
      params.append('depth', String(filter.depth))
    } else {
      params.append(filter.of === 'nodes' ? 'filter' : 'edgeFilter', filter.attribute)
      if ('least' in filter) {
        params.append('from', String(filter.least))
        params.append('to', String(filter.greatest))
      } else if ('hidden' in filter) for (const key of filter.hidden) params.append('not', key)
      else for (const key of filter.shown.length > 0 ? filter.shown : [NOTHING]) params.append('is', key)
    }
  }
}
