import { at } from '../graph/network/network.ts'

/** The duration of the animation, in milliseconds. */
const DURATION = 450

/**
 * Animates nodes to their new positions with ease-out, and reports each frame and the end. `isJump` skips the animation.
 * Returns a function that stops the animation.
 */
export function glide(
  from: Float64Array,
  to: Float64Array,
  isJump: boolean,
  onFrame: (positions: Float64Array) => void,
  onEnd: () => void
): () => void {
  const start = from.slice()
  const began = performance.now()
  let frame = 0
  const draw = () => {
    const share = isJump ? 1 : Math.min(1, (performance.now() - began) / DURATION)
    const way = 1 - (1 - share) ** 3
    // Land exactly on the target, despite rounding.
    onFrame(share === 1 ? to : start.map((place, index) => place + (at(to, index) - place) * way))
    if (share === 1) onEnd()
    else frame = requestAnimationFrame(draw)
  }
  draw()
  return () => cancelAnimationFrame(frame)
}
