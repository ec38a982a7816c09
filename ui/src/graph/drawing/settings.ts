import { createNodeBorderProgram } from '@sigma/node-border'
import type Sigma from 'sigma'
import { type EdgeProgramType, NodePointProgram } from 'sigma/rendering'
import type { Settings } from 'sigma/settings'
import { isLarge, type Network } from '../network/network.ts'
import { createEdgeProgram } from './edges/program.ts'
import { withoutPicking } from './node-picking.ts'

/** Beyond this number, edges are hidden while the drawing moves. */
const MOVED = 3000

/** The width in pixels of the border that separates a node from others and from edges; part of its size. */
export const BORDER = 1

const discProgram = createNodeBorderProgram({
  borders: [
    // The program takes half pixels.
    { size: { value: BORDER * 2, mode: 'pixels' }, color: { attribute: 'borderColor' } },
    { size: { fill: true }, color: { attribute: 'color' } }
  ]
})

/** The settings of the renderer: `disc` and `point` for nodes, `line` and `curve` for edges, in this opacity. */
export function settingsOf(network: Network, opacity: (sigma: Sigma) => number): Partial<Settings> {
  const isSparing = isLarge(network)
  return {
    allowInvalidContainer: true,
    hideEdgesOnMove: network.edges.length > MOVED,
    zIndex: !isSparing,
    labelFont: 'system-ui, sans-serif',
    // Labels have a layer of their own.
    renderLabels: false,
    nodeProgramClasses: { disc: withoutPicking(discProgram), point: withoutPicking(NodePointProgram) },
    edgeProgramClasses: {
      line: createEdgeProgram(true, opacity) as EdgeProgramType,
      curve: createEdgeProgram(false, opacity) as EdgeProgramType
    }
  }
}
