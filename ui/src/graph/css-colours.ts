const HEX = /^#[0-9a-f]{6}$/i

let paint: CanvasRenderingContext2D | null | undefined

/** The colour that the text names in CSS, as `#rrggbb`; undefined where it names none, or one to be seen through. */
export function hexOf(colour: string): string | undefined {
  if (HEX.test(colour)) return colour
  paint ??= document.createElement('canvas').getContext('2d')
  // What names no colour leaves the one before.
  const [first = '', second] = ['#000000', '#ffffff'].map((before) => {
    if (!paint) return undefined
    paint.fillStyle = before
    paint.fillStyle = colour
    return String(paint.fillStyle)
  })
  return first === second && HEX.test(first) ? first : undefined
}
