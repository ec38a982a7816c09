import { fold } from '../../graph/content/words.ts'

/** The maximum length of the folded name, in characters. PostgreSQL indexes at most 2,704 bytes per row. */
const LONGEST = 255

/**
 * Returns the key by which lists sort names. Keys are compared byte by byte. Case and accents matter only between names that
 * are otherwise equal, and numbers are sorted by value. The engines' own collations differ between engines and versions.
 */
export function sortNameOf(name: string): string {
  const folded = fold(name)
    // Nothing sorts before the line feed, so a name precedes all longer names that begin with it.
    .replace(/[\0-\x1f]/g, ' ')
    .replace(/0*(\d+)/g, (_, digits: string) => lengthMark(digits.length) + digits)
  const short = folded.length <= LONGEST ? folded : [...folded].slice(0, LONGEST).join('')
  return `${short}\n${name}`
}

/** Returns digits that sort like the length: 0 to 8, then 90 to 98, then 990 and so on. */
function lengthMark(length: number) {
  return '9'.repeat((length - 1) / 9) + ((length - 1) % 9)
}
