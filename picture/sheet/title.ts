import type { Picture } from './picture.ts'

/** Measures of the title above the drawing of a picture. */
export const TITLE = { size: 18, left: 14, above: 16 }

const BAND = 44

/** The height of the band for the title; 0 without one. */
export function bandOf({ isTitled }: Picture): number {
  return isTitled ? BAND : 0
}

/** The title, cut to what fits by an estimate of its width. */
export function titleOf({ title, width }: Picture): string {
  const characters = [...title.replace(/\s+/g, ' ')]
  const most = Math.max(1, Math.floor((width - 2 * TITLE.left) / (TITLE.size * 0.62)))
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('')
}
