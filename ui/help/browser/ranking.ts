import MiniSearch, { type SearchOptions, type SearchResult } from 'minisearch'
import type { SearchEntry } from './entry.ts'

export type Found = SearchResult & { address: string; page: string; heading: string; text: string; rank: number }

const fields = ['file', 'page', 'heading', 'text']

const options: SearchOptions = {
  prefix: true,
  fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  combineWith: 'AND',
  boost: { file: 4, page: 4, heading: 6 },
  // Ranks the start of a page above its sections, and pages about the web app above those for programs and administrators.
  boostDocument: (_address, _term, stored) => (stored?.heading === '' ? 1.5 : 1) * Number(stored?.rank)
}

/** Returns a function that finds sections, the best first. */
export function searchIn(entries: SearchEntry[]): (words: string) => Found[] {
  const index = new MiniSearch({ idField: 'address', fields, storeFields: ['address', 'rank', ...fields] })
  // File names are useful search terms. For example, `backup` finds “Back up”.
  const fileOf = (address: string) => address.replace(/\.html.*/, '')
  index.addAll(
    entries.map(([address, page, heading, text, rank]) => ({
      address,
      file: fileOf(address),
      page,
      heading,
      text,
      rank
    }))
  )
  return (words) => index.search(words, options) as Found[]
}
