import type { Picture } from './picture.ts'

/** The dimensions of the title above a drawing. */
export const TITLE = { size: 18, left: 14, above: 16 }

const BAND = 44

/** Returns the height of the title's band, or 0 if the picture has no title. */
export function bandOf({ isTitled }: Picture): number {
  return isTitled ? BAND : 0
}

/** Returns the title, truncated to fit according to an estimate of its width. */
export function titleOf({ title, width }: Picture): string {
  const characters = [...title.replace(/\s+/g, ' ')]
  const most = Math.max(1, Math.floor((width - 2 * TITLE.left) / (TITLE.size * 0.62)))
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('')
}
