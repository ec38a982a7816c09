import type Sigma from 'sigma'
import type { NodeProgramType } from 'sigma/rendering'
import type { DrawnNodes } from './drawn-nodes.ts'

/** The minimum radius of a mouse target, in pixels. */
const REACH = 4

/**
 * Makes the renderer find the node at a point by position. By default, the renderer draws each node off screen in a unique
 * colour and reads the pixel under the mouse. That waits for all pending drawing, which takes seconds without a GPU.
 */
export function pickByPosition(sigma: Sigma, nodes: DrawnNodes) {
  Object.defineProperty(sigma, 'getNodeAtPosition', {
    value: (point: { x: number; y: number }) => {
      const center = sigma.viewportToFramedGraph(point)
      const right = sigma.viewportToFramedGraph({ x: point.x + 1, y: point.y })
      const pixel = Math.hypot(right.x - center.x, right.y - center.y)
      const node = nodeAt(nodes, center, pixel, sigma.scaleSize(1))
      return node === undefined ? null : String(node)
    }
  })
}

/**
 * Returns the node at a point. If discs overlap, returns the one whose centre is nearest relative to its radius, so that a
 * small disc on top of a large one can be found. `pixel` is the length of a pixel in the frame of the nodes, and `zoom` is the
 * number of pixels per unit of size.
 */
export function nodeAt(
  nodes: Pick<DrawnNodes, 'count' | 'x' | 'y' | 'size'>,
  { x, y }: { x: number; y: number },
  pixel: number,
  zoom: number
): number | undefined {
  let [nearest, least]: [number | undefined, number] = [undefined, 1]
  for (let node = 0; node < nodes.count; node++) {
    const size = nodes.size(node)
    if (size < 0) continue
    const distance = Math.hypot(nodes.x(node) - x, nodes.y(node) - y) / pixel
    const share = distance / Math.max(size * zoom, REACH)
    if (share < least) [nearest, least] = [node, share]
  }
  return nearest
}

/** Returns the program without its off-screen drawing for picking. */
export function withoutPicking(Program: NodeProgramType): NodeProgramType {
  return class extends Program {
    constructor(...[gl, , renderer]: ConstructorParameters<NodeProgramType>) {
      super(gl, null, renderer)
    }
  }
}
