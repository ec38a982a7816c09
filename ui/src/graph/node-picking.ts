import type Sigma from 'sigma'
import type { NodeProgramType } from 'sigma/rendering'
import type { Network } from './network.ts'

/** The least radius of a target for the mouse, in pixels. */
const REACH = 4

/**
 * Lets the renderer find the node at a point by its position. The renderer itself draws each node in a colour of its own,
 * off screen, and reads the pixel under the mouse. This waits until the graphics card has drawn all that it was sent:
 * for seconds, where there is none and the processor draws.
 */
export function pickByPosition(sigma: Sigma, { nodes }: Network) {
  Object.defineProperty(sigma, 'getNodeAtPosition', {
    value: (point: { x: number; y: number }) => {
      const node = nodeAt(sigma, nodes.length, point)
      return node === undefined ? null : String(node)
    }
  })
}

/** Returns the node whose border is nearest to a point, within it or within reach. */
function nodeAt(sigma: Sigma, count: number, point: { x: number; y: number }): number | undefined {
  const center = sigma.viewportToFramedGraph(point)
  const right = sigma.viewportToFramedGraph({ x: point.x + 1, y: point.y })
  const pixel = Math.hypot(right.x - center.x, right.y - center.y)
  let [nearest, least]: [number | undefined, number] = [undefined, 0]
  for (let node = 0; node < count; node++) {
    const display = sigma.getNodeDisplayData(String(node))
    if (!display || display.hidden) continue
    const distance = Math.hypot(display.x - center.x, display.y - center.y) / pixel
    const beyond = distance - Math.max(sigma.scaleSize(display.size), REACH)
    if (beyond < least) [nearest, least] = [node, beyond]
  }
  return nearest
}

/** Returns the program without the drawing off screen. */
export function withoutPicking(Program: NodeProgramType): NodeProgramType {
  return class extends Program {
    constructor(...[gl, , renderer]: ConstructorParameters<NodeProgramType>) {
      super(gl, null, renderer)
    }
  }
}
