import { readFilters } from '../filter/address.ts'
import type { Filter } from '../filter/filters.ts'
import { readResolution } from '../measures/resolution.ts'

/** How a view shows the elements of a graph, apart from the visible area and the selection. */
export interface Look {
  /** The keys of attributes. `none` means no attribute. If absent, the default is used. */
  colour?: string | undefined
  size?: string | undefined
  label?: string | undefined
  edgeColour?: string | undefined
  edgeSize?: string | undefined
  /** The resolution of communities. If absent, it is 1. */
  resolution?: number | undefined
  /** The key of the edge attribute that weighted measures use. `none` means that all weights are 1. If absent, it is `weight`. */
  weight?: string | undefined
  /** The key of an edge attribute, or `label`. Absent if edges have no labels in the drawing. */
  edgeLabel?: string | undefined
  /** The filters. An element is shown only if it passes all of them. */
  filters?: Filter[] | undefined
}

/** Reads the appearance and the filters from the address of a view. Ignores everything else. */
export function readLook(params: URLSearchParams): Look {
  const get = (name: string) => params.get(name) ?? undefined
  const filters = readFilters(params)
  return {
    colour: get('colour'),
    size: get('size'),
    label: get('label'),
    edgeColour: get('edgeColour'),
    edgeSize: get('edgeSize'),
    resolution: readResolution(params.get('resolution')),
    weight: get('weight'),
    edgeLabel: get('edgeLabel'),
    filters: filters.length > 0 ? filters : undefined
  }
}
