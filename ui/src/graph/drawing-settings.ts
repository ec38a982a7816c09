import EdgeCurveProgram, { createEdgeCurveProgram } from '@sigma/edge-curve'
import {
  createEdgeArrowProgram,
  EdgeLineProgram,
  EdgeRectangleProgram,
  NodeCircleProgram,
  NodePointProgram
} from 'sigma/rendering'
import type { Settings } from 'sigma/settings'
import { isLarge, type Network } from './network.ts'

/** The head of an arrow, in widths of its line. */
const ARROW = { lengthToThicknessRatio: 5, widenessToThicknessRatio: 4 }

/** More edges than this are left out while all of it is moved. */
const MOVED = 3000

/** Up to so many nodes all have their labels, as far as there is room. */
const LABELLED = 150

/** How the renderer draws a network: `disc` and `point` for nodes, and for edges what `edgeTypeOf` names. */
export function settingsOf(network: Network): Partial<Settings> {
  const isSparing = isLarge(network)
  return {
    allowInvalidContainer: true,
    hideEdgesOnMove: network.edges.length > MOVED,
    hideLabelsOnMove: isSparing,
    zIndex: !isSparing,
    labelFont: 'system-ui, sans-serif',
    labelRenderedSizeThreshold: network.nodes.length <= LABELLED ? 0 : 5,
    labelDensity: 0.8,
    labelGridCellSize: 90,
    minEdgeThickness: 0.6,
    nodeProgramClasses: { disc: NodeCircleProgram, point: NodePointProgram },
    edgeProgramClasses: {
      line: EdgeRectangleProgram,
      arrow: createEdgeArrowProgram(ARROW),
      curve: EdgeCurveProgram,
      curvedArrow: createEdgeCurveProgram({ arrowHead: { extremity: 'target', ...ARROW } }),
      hairline: EdgeLineProgram
    }
  }
}

/** How an edge is drawn; programs that draw a thing by itself cost more than those that draw lines. */
export function edgeTypeOf(isSparing: boolean, isDirected: boolean, isBent: boolean) {
  if (isSparing) return 'hairline'
  if (isDirected) return isBent ? 'curvedArrow' : 'arrow'
  return isBent ? 'curve' : 'line'
}
