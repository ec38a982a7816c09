import EdgeCurveProgram, { createEdgeCurveProgram } from '@sigma/edge-curve'
import { createEdgeArrowProgram, EdgeRectangleProgram, NodeCircleProgram, NodePointProgram } from 'sigma/rendering'
import type { Settings } from 'sigma/settings'
import { isLarge, type Network } from './network.ts'

/** The size of an arrow head, in widths of its line. */
export const ARROW = { lengthToThicknessRatio: 5, widenessToThicknessRatio: 4 }

/** Beyond this number, edges are hidden while the drawing moves. */
const MOVED = 3000

/** The renderer blends the borders of edges into the background, over this width in pixels of the page. */
const feather = () => 1 / devicePixelRatio

/** Returns the thickness in which the renderer draws an edge of this size: at least a pixel beside what it blends. */
export function thicknessOf(size: number): number {
  return Math.max(size, 2 * feather())
}

/** Returns the width that an edge of this size seems to have. */
export function shownWidthOf(size: number): number {
  return thicknessOf(size) - feather()
}

/** The settings of the renderer: `disc` and `point` for nodes, and the types of `edgeTypeOf` for edges. */
export function settingsOf(network: Network): Partial<Settings> {
  const isSparing = isLarge(network)
  return {
    allowInvalidContainer: true,
    hideEdgesOnMove: network.edges.length > MOVED,
    zIndex: !isSparing,
    labelFont: 'system-ui, sans-serif',
    // Labels have a layer of their own.
    renderLabels: false,
    minEdgeThickness: thicknessOf(0),
    nodeProgramClasses: { disc: NodeCircleProgram, point: NodePointProgram },
    edgeProgramClasses: {
      line: EdgeRectangleProgram,
      arrow: createEdgeArrowProgram(ARROW),
      curve: EdgeCurveProgram,
      curvedArrow: createEdgeCurveProgram({ arrowHead: { extremity: 'target', ...ARROW } })
    }
  }
}

/** Returns the type of an edge; plain lines are cheaper to draw than other types. */
export function edgeTypeOf(isSparing: boolean, isDirected: boolean, isBent: boolean) {
  if (isSparing) return 'line'
  if (isDirected) return isBent ? 'curvedArrow' : 'arrow'
  return isBent ? 'curve' : 'line'
}
