import MiniSearch, { type Query, type SearchOptions, type SearchResult } from 'minisearch'
import type { SearchEntry } from './entry.ts'
import { alternativesOf, stemOf, wordsOf } from './words.ts'

export type Found = SearchResult & { address: string; page: string; heading: string; text: string; rank: number }

const options: SearchOptions = {
  prefix: (term) => term.length > 2,
  fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  boost: { title: 8, file: 8 },
  // Ranks pages about the web app above those for programs and administrators.
  boostDocument: (_address, _term, stored) => Number(stored?.rank)
}

/** Returns a function that finds sections with all words of a query, or else with some of them, the best first. */
export function searchIn(entries: SearchEntry[]): (words: string) => Found[] {
  const index = new MiniSearch({
    idField: 'address',
    fields: ['title', 'file', 'page', 'text'],
    storeFields: ['address', 'rank', 'page', 'heading', 'text'],
    tokenize: wordsOf,
    processTerm: stemOf
  })
  index.addAll(
    entries.map(([address, page, heading, text, rank]) => {
      // File names are useful search terms. For example, `backup` finds “Back up”.
      const start = heading === '' ? { title: page, file: address.replace(/\.html.*/, '') } : { title: heading }
      return { address, ...start, page, heading, text, rank }
    })
  )
  return (words) => {
    const queries = alternativesOf(words).map((any): Query => ({ combineWith: 'OR', queries: any }))
    const find = (combineWith: 'AND' | 'OR') => index.search({ combineWith, queries }, options) as Found[]
    const all = find('AND')
    return all.length > 0 ? all : find('OR')
  }
}
