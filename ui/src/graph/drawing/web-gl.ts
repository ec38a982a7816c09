/** Returns whether the browser supports WebGL. */
export function canDraw() {
  const canvas = document.createElement('canvas')
  return Boolean(canvas.getContext('webgl2') ?? canvas.getContext('webgl'))
}
