import names from 'color-name'

/** A colour as `#rrggbb`, and its opacity from 0 to 1. */
export interface Colour {
  hex: string
  alpha: number
}

/** The length of the longest text that may be a colour, in characters. */
const LONGEST = 40

/**
 * Parses a CSS colour: `#rgb`, `#rrggbb`, either with alpha, `rgb(r, g, b)`, `rgba(r, g, b, a)` or a name. Returns undefined for
 * any other text.
 */
export function parseColour(text: unknown): Colour | undefined {
  if (typeof text !== 'string' || text.length > LONGEST) return undefined
  const colour = text.trim().toLowerCase()
  if (Object.hasOwn(names, colour)) return colourOf(names[colour] as number[])
  const digits = /^#([0-9a-f]{3,8})$/.exec(colour)?.[1]
  if (digits !== undefined) {
    if (digits.length === 5 || digits.length === 7) return undefined
    const pairs = digits.length < 6 ? digits.replace(/./g, '$&$&') : digits
    const [red = 0, green = 0, blue = 0, alpha = 255] = (pairs.match(/../g) ?? []).map((pair) =>
      Number.parseInt(pair, 16)
    )
    return colourOf([red, green, blue], Math.round((alpha / 255) * 1000) / 1000)
  }
  const parts = /^rgba?\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*(?:,\s*([\d.]{1,20})\s*)?\)$/.exec(colour)
  const [red = 256, green = 256, blue = 256, alpha = 1] = parts?.slice(1).map((part) => (part ? Number(part) : 1)) ?? []
  return Math.max(red, green, blue) < 256 && alpha <= 1 ? colourOf([red, green, blue], alpha) : undefined
}

/** Converts a CSS colour to `#rrggbb`, without its opacity. */
export function hexOf(text: unknown): string | undefined {
  return parseColour(text)?.hex
}

function colourOf(channels: number[], alpha = 1): Colour {
  return { hex: `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`, alpha }
}
