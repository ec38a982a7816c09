import type { Attribute, Value } from './attributes.ts'
import { type KindFilter, keyOf, shownBy } from './kinds.ts'
import type { Camera } from './stage.ts'

/** A filter for nodes: by their values, or between two numbers. */
export type Filter = KindFilter | { attribute: string; least: number; greatest: number }

/** Stands in an address for an empty list of shown values. No value has this key. */
const NOTHING = '~0'

/** Only graphs that are too large to draw have the summary. */
const tabs = ['drawing', 'nodes', 'edges', 'summary'] as const

/** The view of a graph, stored in the address, so that a link opens the same view. */
export interface View {
  tab: (typeof tabs)[number]
  /** The nodes, by id, whose neighbourhoods are shown of a graph that is too large to draw. */
  near?: string[] | undefined
  /** Whether such a graph is shown whole, as tables. */
  whole?: true | undefined
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
  /** The part of the drawing in view; absent for all of it. */
  camera?: Camera | undefined
  /** The order of the tables, by the keys of their columns. */
  nodeSort?: Sort | undefined
  edgeSort?: Sort | undefined
}

export interface Sort {
  column: string
  isDescending: boolean
}

export function readView(params: URLSearchParams): View {
  const get = (name: string) => params.get(name) ?? undefined
  const near = params.getAll('near')
  const edge = Number(get('edge') ?? Number.NaN)
  return {
    tab: tabs.find((tab) => tab === get('tab')) ?? 'drawing',
    near: near.length > 0 ? near : undefined,
    whole: get('whole') === 'true' || undefined,
    node: get('node'),
    edge: Number.isInteger(edge) && edge >= 0 ? edge : undefined,
    colour: get('colour'),
    size: get('size'),
    label: get('label'),
    edgeColour: get('edgeColour'),
    edgeSize: get('edgeSize'),
    filter: readFilter(params),
    camera: readCamera(params.get('camera')),
    nodeSort: readSort(params.get('nodeSort')),
    edgeSort: readSort(params.get('edgeSort'))
  }
}

/** Reads `x,y,ratio`. Cameras from which nothing can be seen are left out. */
function readCamera(value: string | null): Camera | undefined {
  const [x = Number.NaN, y = Number.NaN, ratio = Number.NaN] = (value ?? '').split(',').map(Number)
  const isUsable = Math.abs(x) < 100 && Math.abs(y) < 100 && ratio > 1e-6 && ratio < 100
  return isUsable ? { x, y, ratio } : undefined
}

/** Reads the key of a column, behind `-` for descending order. */
function readSort(value: string | null): Sort | undefined {
  if (!value) return undefined
  const isDescending = value.startsWith('-')
  return { column: isDescending ? value.slice(1) : value, isDescending }
}

function writeSort({ column, isDescending }: Sort): string {
  return isDescending ? `-${column}` : column
}

function readFilter(params: URLSearchParams): Filter | undefined {
  const attribute = params.get('filter')
  if (attribute === null) return undefined
  const [from, to] = [params.get('from'), params.get('to')]
  if (from === null || to === null) {
    const shown = params.getAll('is')
    if (shown.length === 0) return { attribute, hidden: params.getAll('not') }
    return { attribute, shown: shown.filter((key) => key !== NOTHING) }
  }
  const [least, greatest] = [Number(from), Number(to)]
  return Number.isFinite(least) && Number.isFinite(greatest) ? { attribute, least, greatest } : undefined
}

export function writeView({ tab, near, filter, camera, nodeSort, edgeSort, ...view }: View): URLSearchParams {
  const params = new URLSearchParams()
  if (tab !== 'drawing') params.set('tab', tab)
  for (const [name, value] of Object.entries(view)) if (value !== undefined) params.set(name, String(value))
  for (const id of near ?? []) params.append('near', id)
  if (camera) params.set('camera', [camera.x, camera.y, camera.ratio].join())
  if (nodeSort) params.set('nodeSort', writeSort(nodeSort))
  if (edgeSort) params.set('edgeSort', writeSort(edgeSort))
  if (!filter) return params
  params.set('filter', filter.attribute)
  if ('least' in filter) {
    params.set('from', String(filter.least))
    params.set('to', String(filter.greatest))
  } else if ('hidden' in filter) for (const key of filter.hidden) params.append('not', key)
  else for (const key of filter.shown.length > 0 ? filter.shown : [NOTHING]) params.append('is', key)
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
  const isShown = testOf(filter)
  for (let index = 0; index < count; index++) hidden[index] = Number(!isShown(attribute.read(index)))
  return hidden
}

/** Returns a function that tells whether the filter shows nodes with a value. */
function testOf(filter: Filter): (value: Value) => boolean {
  if ('least' in filter) {
    return (value) => typeof value === 'number' && value >= filter.least && value <= filter.greatest
  }
  const isShown = shownBy(filter)
  return (value) => isShown(keyOf(value))
}
