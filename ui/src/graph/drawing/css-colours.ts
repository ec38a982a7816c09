const HEX = /^#[0-9a-f]{6}$/i

let paint: CanvasRenderingContext2D | null | undefined

/** Converts a CSS colour to `#rrggbb`. Returns undefined if it is invalid or transparent. */
export function hexOf(colour: string): string | undefined {
  if (HEX.test(colour)) return colour
  paint ??= document.createElement('canvas').getContext('2d')
  // The canvas ignores invalid colours.
  const [first = '', second] = ['#000000', '#ffffff'].map((before) => {
    if (!paint) return undefined
    paint.fillStyle = before
    paint.fillStyle = colour
    return String(paint.fillStyle)
  })
  return first === second && HEX.test(first) ? first : undefined
}
