import type { Attribute } from './attributes.ts'

/** A filter for nodes: with one of these values, or between two numbers. */
export type Filter = { attribute: string; values: string[] } | { attribute: string; least: number; greatest: number }

/** The view of a graph, stored in the address, so that a link opens the same view. */
export interface View {
  tab: 'drawing' | 'nodes' | 'edges'
  /** The selected node by id, or edge by number. */
  node?: string | undefined
  edge?: number | undefined
  /** Keys of attributes; `none` for none, absent for the default. */
  colour?: string | undefined
  size?: string | undefined
  label?: string | undefined
  edgeColour?: string | undefined
  edgeSize?: string | undefined
  filter?: Filter | undefined
}

export function readView(params: URLSearchParams): View {
  const get = (name: string) => params.get(name) ?? undefined
  const tab = get('tab')
  const edge = Number(get('edge') ?? Number.NaN)
  return {
    tab: tab === 'nodes' || tab === 'edges' ? tab : 'drawing',
    node: get('node'),
    edge: Number.isInteger(edge) && edge >= 0 ? edge : undefined,
    colour: get('colour'),
    size: get('size'),
    label: get('label'),
    edgeColour: get('edgeColour'),
    edgeSize: get('edgeSize'),
    filter: readFilter(params)
  }
}

function readFilter(params: URLSearchParams): Filter | undefined {
  const attribute = params.get('filter')
  if (attribute === null) return undefined
  const [from, to] = [params.get('from'), params.get('to')]
  if (from === null || to === null) return { attribute, values: params.getAll('is') }
  const [least, greatest] = [Number(from), Number(to)]
  return Number.isFinite(least) && Number.isFinite(greatest) ? { attribute, least, greatest } : undefined
}

export function writeView({ tab, filter, ...view }: View): URLSearchParams {
  const params = new URLSearchParams()
  if (tab !== 'drawing') params.set('tab', tab)
  for (const [name, value] of Object.entries(view)) if (value !== undefined) params.set(name, String(value))
  if (!filter) return params
  params.set('filter', filter.attribute)
  if ('values' in filter) for (const value of filter.values) params.append('is', value)
  else {
    params.set('from', String(filter.least))
    params.set('to', String(filter.greatest))
  }
  return params
}

/** Whether each node is hidden. Undefined if none is. */
export function hiddenNodes(
  filter: Filter | undefined,
  attributes: Attribute[],
  count: number
): Uint8Array | undefined {
  const attribute = filter && attributes.find(({ key }) => key === filter.attribute)
  if (!attribute) return undefined
  const hidden = new Uint8Array(count)
  const values = new Set('values' in filter ? filter.values : [])
  for (let index = 0; index < count; index++) {
    const value = attribute.read(index)
    const isShown =
      'values' in filter
        ? value !== undefined && values.has(String(value))
        : typeof value === 'number' && value >= filter.least && value <= filter.greatest
    hidden[index] = Number(!isShown)
  }
  return hidden
}
