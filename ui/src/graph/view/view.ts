import { writeFilters } from '../../../../picture/filter/address.ts'
import { type Look, readLook } from '../../../../picture/view/look.ts'
import type { Style } from '../../api.ts'
import { type PathQuery, readPath, writePath } from '../../paths/path-query.ts'
import type { Camera } from '../drawing/stage.ts'
import { readStyle } from './style-address.ts'

/** Only graphs that are too large to draw have a summary. */
const tabs = ['drawing', 'nodes', 'edges', 'summary'] as const

/** The view of a graph, stored in the address, so that a link opens the same view. */
export interface View extends Look {
  tab: (typeof tabs)[number]
  /** The ids of the nodes whose neighbourhoods are shown, if the graph is too large to draw. */
  near?: string[] | undefined
  /** Whether to show the tables of the whole graph if it is too large to draw. */
  whole?: true | undefined
  /** The selected node by id, or edge by index. */
  node?: string | undefined
  edge?: number | undefined
  /** Absent for the default style. Its colours, names, order and marks belong to the attributes of the two colours. */
  style?: Style | undefined
  path?: PathQuery | undefined
  /** The visible part of the drawing. Absent if the whole drawing is in view. */
  camera?: Camera | undefined
  /** The sort order of the tables, by column key. */
  nodeSort?: Sort | undefined
  edgeSort?: Sort | undefined
}

/** Returns the tab for a graph that has no summary, even if the address asks for the summary. */
export function tabWithoutSummary({ tab }: View) {
  return tab === 'summary' ? 'drawing' : tab
}

export interface Sort {
  column: string
  isDescending: boolean
}

/** Reads the view from an address. Ignores invalid parts. */
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
    ...readLook(params),
    style: readStyle(params.get('style')),
    path: readPath(params),
    camera: readCamera(params.get('camera')),
    nodeSort: readSort(params.get('nodeSort')),
    edgeSort: readSort(params.get('edgeSort'))
  }
}

/** Parses `x,y,ratio`. Rejects cameras that show nothing. */
function readCamera(value: string | null): Camera | undefined {
  const [x = Number.NaN, y = Number.NaN, ratio = Number.NaN] = (value ?? '').split(',').map(Number)
  const isUsable = Math.abs(x) < 100 && Math.abs(y) < 100 && ratio > 1e-6 && ratio < 100
  return isUsable ? { x, y, ratio } : undefined
}

/** Parses a column key, prefixed with `-` for descending order. */
function readSort(value: string | null): Sort | undefined {
  if (!value) return undefined
  const isDescending = value.startsWith('-')
  return { column: isDescending ? value.slice(1) : value, isDescending }
}

function writeSort({ column, isDescending }: Sort): string {
  return isDescending ? `-${column}` : column
}

/** Returns the query of the address of a view. Omits defaults. */
export function writeView({
  tab,
  near,
  style,
  filters,
  path,
  camera,
  nodeSort,
  edgeSort,
  ...view
}: View): URLSearchParams {
  const params = new URLSearchParams()
  if (tab !== 'drawing') params.set('tab', tab)
  for (const [name, value] of Object.entries(view)) if (value !== undefined) params.set(name, String(value))
  if (style) params.set('style', JSON.stringify(style))
  for (const id of near ?? []) params.append('near', id)
  if (path) writePath(params, path)
  if (camera) params.set('camera', [camera.x, camera.y, camera.ratio].join())
  if (nodeSort) params.set('nodeSort', writeSort(nodeSort))
  if (edgeSort) params.set('edgeSort', writeSort(edgeSort))
  writeFilters(params, filters ?? [])
  return params
}
