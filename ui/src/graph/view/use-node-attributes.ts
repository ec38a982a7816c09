import { useMemo } from 'react'
import { nodeKeysOf } from '../../../../picture/filter/filters.ts'
import { type MeasureValues, measureKey, measuresAmong } from '../../../../picture/measures/names.ts'
import { fittingColour } from '../../../../picture/model/fitting-colour.ts'
import { withFormats } from '../../../../picture/model/formatting.ts'
import { measureAttributes } from '../../measures/measure-attributes.ts'
import { useMeasures } from '../../measures/use-measures.ts'
import { hexOf } from '../drawing/css-colours.ts'
import { type Attribute, nodeAttributes } from '../network/attributes.ts'
import type { Network } from '../network/network.ts'
import { useStable } from './use-stable.ts'
import type { View } from './view.ts'

/**
 * Returns the stored and computed node attributes, and the one that colours nodes. Computes the measures that the view uses. Unless
 * `isByEdges`, communities do not colour nodes automatically.
 */
export function useNodeAttributes(network: Network, view: View, isByEdges: boolean) {
  const { nodes: own, degree, inDegree, outDegree, directed } = network
  const count = own.length
  const formats = useStable(view.style?.nodes?.formats)
  // This object stays the same while only edges change.
  const stored = useMemo(
    () => withFormats(nodeAttributes({ nodes: own, degree, inDegree, outDegree, directed }), formats),
    [own, degree, inDegree, outDegree, directed, formats]
  )
  const fitting = useMemo(() => fittingColour(stored, count, hexOf), [stored, count])
  const isByCommunity = isByEdges && view.colour === undefined && !fitting && view.tab === 'drawing' && isQuick(network)
  const measures = useMeasures(
    network,
    measuresAmong([
      isByCommunity ? measureKey('community') : view.colour,
      view.size,
      view.label,
      ...nodeKeysOf(view.filters ?? []),
      view.nodeSort?.column
    ]),
    view
  )
  const measured = useMemo(() => withFormats(measureAttributes(measures.values), formats), [measures.values, formats])
  const nodes = useMemo(() => [...stored, ...measured], [stored, measured])
  const community = useMemo(
    () => sortingCommunity(measured, measures.values, count),
    [measured, measures.values, count]
  )
  const colour = view.colour === undefined ? (fitting ?? community) : nodes.find(({ key }) => key === view.colour)
  return { nodes, measures, measured, colour }
}

/** The maximum number of nodes and edges for which to compute communities automatically, which takes up to 3 seconds. */
const MOST_SORTED = 200_000

function isQuick({ nodes, edges }: Network) {
  return edges.length > 0 && nodes.length + edges.length <= MOST_SORTED
}

/** Returns the communities, unless there is only one or every node has its own. */
function sortingCommunity(attributes: Attribute[], values: MeasureValues, count: number): Attribute | undefined {
  // Communities are numbered from 1.
  const number = values.get('community')?.reduce((most, one) => Math.max(most, one), 0) ?? 0
  return number > 1 && number < count ? attributes.find(({ key }) => key === measureKey('community')) : undefined
}
