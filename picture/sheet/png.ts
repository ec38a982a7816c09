import { initWasm, Resvg } from '@resvg/resvg-wasm'

/** The resources for rendering SVG as PNG: the resvg code and a font. */
export interface PictureKit {
  wasm: Uint8Array<ArrayBuffer>
  font: Uint8Array<ArrayBuffer>
}

/** The name of the font in the kit. */
const FONT = 'DejaVu Sans'

let ready: Promise<void> | undefined

/** Renders the SVG as PNG. Does not load any resources that the SVG refers to. */
export async function pngOf(svg: string, { wasm, font }: PictureKit): Promise<Uint8Array> {
  ready ??= initWasm(wasm)
  await ready
  const resvg = new Resvg(svg, {
    font: { fontBuffers: [font], defaultFontFamily: FONT, sansSerifFamily: FONT, serifFamily: FONT }
  })
  try {
    const image = resvg.render()
    try {
      return image.asPng()
    } finally {
      image.free()
    }
  } finally {
    // WebAssembly memory is not garbage-collected.
    resvg.free()
  }
}
