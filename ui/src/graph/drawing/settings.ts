import { createNodeBorderProgram } from '@sigma/node-border'
import type Sigma from 'sigma'
import { type EdgeProgramType, NodePointProgram, type NodeProgramType } from 'sigma/rendering'
import type { Settings } from 'sigma/settings'
import type { Paper } from '../../../../picture/sheet/paper.ts'
import { isLarge, type Network } from '../network/network.ts'
import { createEdgeProgram } from './edges/program.ts'
import { withoutPicking } from './node-picking.ts'
import { createShapeProgram } from './shape-program.ts'

/** The maximum number of edges to show while the drawing moves. */
const MOVED = 3000

/** The width in pixels of the border that separates a node from other nodes and edges. The node's size includes the border. */
export const BORDER = 1

const discProgram = createNodeBorderProgram({
  borders: [
    // The program expects the size in half pixels.
    { size: { value: BORDER * 2, mode: 'pixels' }, color: { attribute: 'borderColor' } },
    { size: { fill: true }, color: { attribute: 'color' } }
  ]
})

/** The colour of the borders of faded nodes. */
export const CLEAR = 'rgba(0, 0, 0, 0)'

/** The opacity of faded nodes. */
const FADED = 0.12

/**
 * Returns the colour of faded nodes, which looks like `dimNode` on the background. It is translucent, because nodes lie above
 * highlighted edges. The renderer expects colours that are multiplied by their opacity.
 */
export function veilOf({ ink }: Paper): string {
  const parts = [1, 3, 5].map((at) => Math.round(Number.parseInt(ink.slice(at, at + 2), 16) * FADED))
  return `rgba(${parts.join(', ')}, ${FADED})`
}

/** The space around the nodes in pixels. Networks with at most `few` nodes get more, so that labels fit beside the nodes. */
const PADDING = { small: 80, other: 30, few: 10 }

/**
 * Returns the renderer's settings: the programs `disc`, `shape` and `point` draw nodes, and `line` and `curve` draw edges. The
 * functions return opacities from 0 to 1.
 */
export function settingsOf(
  network: Network,
  opacity: (sigma: Sigma) => number,
  nodeOpacity: () => number
): Partial<Settings> {
  const isSparing = isLarge(network)
  return {
    allowInvalidContainer: true,
    // Nodes shrink in proportion where the legend or a small window leaves little space.
    zoomToSizeRatioFunction: (ratio) => Math.max(ratio, Math.sqrt(ratio)),
    stagePadding: network.nodes.length <= PADDING.few ? PADDING.small : PADDING.other,
    hideEdgesOnMove: network.edges.length > MOVED,
    zIndex: !isSparing,
    // Labels have their own layer.
    renderLabels: false,
    nodeProgramClasses: {
      disc: withoutPicking(discProgram),
      shape: withoutPicking(createShapeProgram(nodeOpacity) as NodeProgramType),
      point: withoutPicking(NodePointProgram)
    },
    edgeProgramClasses: {
      line: createEdgeProgram(true, opacity) as EdgeProgramType,
      curve: createEdgeProgram(false, opacity) as EdgeProgramType
    }
  }
}
