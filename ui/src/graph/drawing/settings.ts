import { createNodeBorderProgram } from '@sigma/node-border'
import type Sigma from 'sigma'
import { type EdgeProgramType, NodePointProgram } from 'sigma/rendering'
import type { Settings } from 'sigma/settings'
import { isLarge, type Network } from '../network/network.ts'
import { createEdgeProgram } from './edges/program.ts'
import { withoutPicking } from './node-picking.ts'

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

/** Returns the renderer's settings: the programs `disc` and `point` draw nodes, and `line` and `curve` draw edges. */
export function settingsOf(network: Network, opacity: (sigma: Sigma) => number): Partial<Settings> {
  const isSparing = isLarge(network)
  return {
    allowInvalidContainer: true,
    hideEdgesOnMove: network.edges.length > MOVED,
    zIndex: !isSparing,
    labelFont: 'system-ui, sans-serif',
    // Labels have their own layer.
    renderLabels: false,
    nodeProgramClasses: { disc: withoutPicking(discProgram), point: withoutPicking(NodePointProgram) },
    edgeProgramClasses: {
      line: createEdgeProgram(true, opacity) as EdgeProgramType,
      curve: createEdgeProgram(false, opacity) as EdgeProgramType
    }
  }
}
