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

/** The size of an arrow head, in widths of its line. */
const ARROW = { lengthToThicknessRatio: 5, widenessToThicknessRatio: 4 }

/** Beyond this number, edges are hidden while the drawing moves. */
const MOVED = 3000

/** Up to this number of nodes, all labels are drawn if there is room. */
const LABELLED = 150

/** The settings of the renderer: `disc` and `point` for nodes, and the types of `edgeTypeOf` for edges. */
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

/** Returns the type of an edge; plain lines are cheaper to draw than other types. */
export function edgeTypeOf(isSparing: boolean, isDirected: boolean, isBent: boolean) {
  if (isSparing) return 'hairline'
  if (isDirected) return isBent ? 'curvedArrow' : 'arrow'
  return isBent ? 'curve' : 'line'
}
