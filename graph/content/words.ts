// The words of the search index. Both database engines use the same rules for indexed text and for queries.

/**
 * The maximum length of a word, in characters. Longer words are truncated, so long words with the same beginning are treated as
 * equal.
 */
export const LONGEST_WORD = 64

/**
 * Runs of more than 30 marks. In text without such runs, normalization takes linear time (UAX #15, Stream-Safe Text Format).
 */
const MANY_MARKS = /(\p{M}{30})\p{M}+/gu

/**
 * Marks that searches ignore: accents, Arabic and Hebrew points, joiners. The marks of kana and of scripts such as Thai are not
 * ignored, since they are part of the letter.
 */
const POINTS = /[[\p{Script=Inherited}--[\u3099\u309a]][\p{Script=Hebrew}&&\p{M}]]/gv

/** Consecutive letters, digits and marks. */
const RUNS = /[\p{L}\p{N}\p{M}]+/gu
const IS_ASCII = /^[\0-\x7f]*$/

/** Scripts that are written without spaces, and Korean, which adds endings to words. */
const UNSPACED =
  '\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Bopo}\\p{scx=Hang}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}'
const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, 'u')
const PARTS = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}]+`, 'gu')

/**
 * The positions where camelCase is split: before a capital that follows a lower-case letter, and before the last of several
 * capitals.
 */
const HUMPS = /(?<=\p{Ll})(?=\p{Lu})|(?<=[\p{Lu}\p{Nd}])(?=\p{Lu}\p{Ll})/u
const HAS_HUMPS = /[a-z][A-Z]|[A-Z\d][A-Z][a-z]/

/**
 * Called with each case-folded word, and with its parts if it is in camelCase. In unspaced scripts, a word is a pair of
 * characters, or a single character on its own.
 */
type Visit = (word: string, humps: readonly string[], isUnspaced: boolean) => void

const NONE: readonly string[] = []

/** Visits the words of the text in order. Takes linear time. */
function visitWords(text: string, visit: Visit) {
  if (IS_ASCII.test(text)) return visitAsciiWords(text, visit)
  const normal = withoutMarks(text)
  const isSpaced = !HAS_UNSPACED.test(normal)
  for (const run of normal.match(RUNS) ?? NONE) {
    if (isSpaced) visitSpaced(run, visit)
    else
      for (const part of run.match(PARTS) ?? NONE) (HAS_UNSPACED.test(part) ? visitUnspaced : visitSpaced)(part, visit)
  }
}

/** Returns the text without the differences that searches ignore: case, accents, and compatibility forms such as ﬁ for fi. */
export function fold(text: string): string {
  return caseless(IS_ASCII.test(text) ? text : withoutMarks(text))
}

function withoutMarks(text: string) {
  return text.replace(MANY_MARKS, '$1').normalize('NFKD').replace(POINTS, '').normalize('NFC')
}

function caseless(text: string) {
  // Converting to upper case first turns ß into ss. A final sigma is treated like any other sigma.
  return IS_ASCII.test(text) ? text.toLowerCase() : text.toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}

/** Visits the words of ASCII text: a fast path that covers most text. */
function visitAsciiWords(text: string, visit: Visit) {
  const small = text.toLowerCase()
  const hasHumps = small !== text && HAS_HUMPS.test(text)
  let start = -1
  for (let index = 0; index <= small.length; index++) {
    const code = index < small.length ? small.charCodeAt(index) : 0
    const isPart = (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
    if (isPart && start < 0) start = index
    if (isPart || start < 0) continue
    if (hasHumps) visitSpaced(text.slice(start, index), visit)
    else visit(small.slice(start, Math.min(index, start + LONGEST_WORD)), NONE, false)
    start = -1
  }
}

function visitSpaced(text: string, visit: Visit) {
  const humps = text.split(HUMPS)
  visit(folded(text), humps.length > 1 ? humps.map(folded) : NONE, false)
}

/** Visits each pair of adjacent characters, or the character if there is only one. */
function visitUnspaced(text: string, visit: Visit) {
  const characters = [...text]
  if (characters.length === 1) return visit(text, NONE, true)
  for (let index = 1; index < characters.length; index++) {
    visit(`${characters[index - 1]}${characters[index]}`, NONE, true)
  }
}

/** Returns the case-folded word, truncated to the maximum length. */
function folded(text: string) {
  const small = caseless(text)
  return small.length <= LONGEST_WORD ? small : [...small].slice(0, LONGEST_WORD).join('')
}

/**
 * Adds the words of the text to the set, including the parts of camelCase words and the single characters of unspaced scripts.
 */
export function addWords(words: Set<string>, text: string) {
  visitWords(text, (word, humps, isUnspaced) => {
    words.add(word)
    for (const hump of humps) words.add(hump)
    if (isUnspaced) for (const character of word) words.add(character)
  })
}

/** A word to search for. */
export interface Term {
  word: string
  /** Whether the term also matches longer words with this prefix. */
  isBeginning: boolean
}

/** A query in conjunctive form: at least one term of each list must match. */
export type WordQuery = readonly (readonly Term[])[]

/** The minimum length, in characters, at which the last word of a query matches as a prefix. */
const SHORTEST_BEGINNING = 3

/** Returns the query for the text. The query is empty if the text contains no letters or digits. */
export function wordQueryOf(text: string): WordQuery {
  const tokens: Parameters<Visit>[] = []
  visitWords(text, (...token) => tokens.push(token))
  const clauses = tokens.flatMap(([word, humps, isUnspaced], index): Term[][] => {
    const isLast = index === tokens.length - 1 && !isUnspaced
    const term = (word: string, isLast: boolean) => ({
      word,
      isBeginning: isLast && [...word].length >= SHORTEST_BEGINNING
    })
    const whole = term(word, isLast)
    if (humps.length === 0) return [[whole]]
    // Either the whole word or all its parts must match.
    return humps.map((hump, place) => [whole, term(hump, isLast && place === humps.length - 1)])
  })
  const known = new Map(clauses.map((clause) => [JSON.stringify(clause), clause]))
  return [...known.values()]
}

/** Returns how many of the query's lists have a matching term. */
export function matchCount(words: ReadonlySet<string>, query: WordQuery): number {
  let count = 0
  for (const clause of query) if (clause.some((term) => hasTerm(words, term))) count++
  return count
}

function hasTerm(words: ReadonlySet<string>, { word, isBeginning }: Term) {
  if (words.has(word)) return true
  if (isBeginning) for (const longer of words) if (longer.startsWith(word)) return true
  return false
}
