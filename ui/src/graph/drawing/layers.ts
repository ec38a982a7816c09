import type Sigma from 'sigma'

/**
 * Shows or hides layers by name, so that empty ones can be hidden. Without a GPU, a browser takes 10 to 20 ms per frame to
 * composite each layer.
 */
export function showLayers(sigma: Sigma, shown: Record<string, boolean>) {
  const canvases = sigma.getCanvases()
  for (const [name, isShown] of Object.entries(shown)) {
    const canvas = canvases[name]
    if (canvas) canvas.style.visibility = isShown ? '' : 'hidden'
  }
}

/** Adds a layer below another one and returns its context. The renderer resizes the new layer along with its own. */
export function addLayer(sigma: Sigma, name: string, above: string): CanvasRenderingContext2D {
  const canvases = sigma.createCanvasContext(name).getCanvases()
  const layer = canvases[name] as HTMLCanvasElement
  canvases[above]?.before(layer)
  const { width, height } = sigma.getDimensions()
  Object.assign(layer.style, { width: `${width}px`, height: `${height}px` })
  layer.width = width * devicePixelRatio
  layer.height = height * devicePixelRatio
  const context = layer.getContext('2d') as CanvasRenderingContext2D
  context.scale(devicePixelRatio, devicePixelRatio)
  return context
}

/** Returns whether edges are hidden because the drawing is moving. Follows the same rule as the renderer. */
export function hidesEdges(sigma: Sigma): boolean {
  if (!sigma.getSetting('hideEdgesOnMove')) return false
  const { isMoving, draggedEvents, currentWheelDirection } = sigma.getMouseCaptor()
  return sigma.getCamera().isAnimated() || isMoving || draggedEvents > 0 || currentWheelDirection !== 0
}

/**
 * Keeps the page at most one frame ahead of the screen. Otherwise, a slow GPU or software renderer falls seconds behind while
 * the drawing moves, and the drawing keeps moving after the user has stopped.
 */
export function keepPace(sigma: Sigma) {
  const gl = sigma.getCanvases().nodes?.getContext('webgl2')
  if (!gl) return
  let drawn: WebGLSync | null = null
  sigma.on('beforeRender', () => {
    // Reading a pixel waits until all pending drawing is done. In some browsers, `finish` does not.
    if (drawn && gl.getSyncParameter(drawn, gl.SYNC_STATUS) !== gl.SIGNALED) {
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4))
    }
    gl.deleteSync(drawn)
  })
  sigma.on('afterRender', () => {
    drawn = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
  })
}
