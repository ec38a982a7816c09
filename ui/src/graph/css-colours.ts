const HEX = /^#[0-9a-f]{6}$/i

let paint: CanvasRenderingContext2D | null | undefined

/** The colour that the text names in CSS, as `#rrggbb`; undefined where it names none, or one to be seen through. */
export function hexOf(colour: string): string | undefined {
  if (HEX.test(colour)) return colour
  if (!CSS.supports('color', colour)) return undefined
  paint ??= document.createElement('canvas').getContext('2d')
  if (!paint) return undefined
  paint.fillStyle = colour
  return HEX.test(paint.fillStyle) ? paint.fillStyle : undefined
}
