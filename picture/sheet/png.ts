import { initWasm, Resvg } from '@resvg/resvg-wasm'

/** The means to make a PNG of an SVG: the code of resvg, and a font. */
export interface PictureKit {
  wasm: Uint8Array<ArrayBuffer>
  font: Uint8Array<ArrayBuffer>
}

/** The name of the font in the kit. */
const FONT = 'DejaVu Sans'

let ready: Promise<void> | undefined

/** Returns the SVG as a PNG. It loads nothing that the SVG names. */
export async function pngOf(svg: string, { wasm, font }: PictureKit): Promise<Uint8Array> {
  ready ??= initWasm(wasm)
  await ready
  const resvg = new Resvg(svg, { font: { fontBuffers: [font], defaultFontFamily: FONT, sansSerifFamily: FONT } })
  try {
    const image = resvg.render()
    try {
      return image.asPng()
    } finally {
      image.free()
    }
  } finally {
    // The memory of the code is not collected.
    resvg.free()
  }
}
