const HEX = /^#[0-9a-f]{6}$/i

let paint: CanvasRenderingContext2D | null | undefined

/** The CSS colour as `#rrggbb`; undefined if invalid or transparent. */
export function hexOf(colour: string): string | undefined {
  if (HEX.test(colour)) return colour
  paint ??= document.createElement('canvas').getContext('2d')
  // An invalid colour leaves the previous one.
  const [first = '', second] = ['#000000', '#ffffff'].map((before) => {
    if (!paint) return undefined
    paint.fillStyle = before
    paint.fillStyle = colour
    return String(paint.fillStyle)
  })
  return first === second && HEX.test(first) ? first : undefined
}
