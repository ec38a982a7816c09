import type { SearchEntry } from './entry.ts'
import { type Found, searchIn } from './ranking.ts'
import { stemOf } from './words.ts'

// Searches all pages. The index is loaded when the search field is first focused.

const SHOWN = 20
/** The approximate length of an excerpt before and after the match, in characters. */
const BEFORE = 40
const AFTER = 120

const find = <T extends Element>(selector: string) => document.querySelector(selector) as T
const area = find<HTMLElement>('search')
const query = find<HTMLInputElement>('#_query')
const list = find<HTMLOListElement>('#_results')
const count = find<HTMLElement>('#_count')

let loading: ReturnType<typeof loadIndex> | undefined

function load() {
  loading ??= loadIndex().catch((error: unknown) => {
    // The next keystroke tries again.
    loading = undefined
    throw error
  })
  return loading
}

async function loadIndex() {
  const response = await fetch('search.json')
  if (!response.ok) throw new Error(`search.json: ${response.status}`)
  return searchIn((await response.json()) as SearchEntry[])
}

async function search() {
  const words = query.value.trim()
  if (words === '') return close()
  try {
    const find = await load()
    if (words !== query.value.trim()) return
    show(find(words))
  } catch {
    count.textContent = 'Search is unavailable. Try again.'
  }
}

function show(found: Found[]) {
  list.replaceChildren(...found.slice(0, SHOWN).map(itemOf))
  list.hidden = found.length === 0
  count.textContent = found.length === 0 ? 'No results' : found.length === 1 ? '1 result' : `${found.length} results`
}

function close() {
  list.replaceChildren()
  list.hidden = true
  count.textContent = ''
}

function itemOf({ address, page, heading, text, terms }: Found) {
  const link = document.createElement('a')
  link.href = address
  const title = document.createElement('b')
  title.append(...highlighted(heading === '' ? page : `${page} › ${heading}`, terms))
  const excerpt = document.createElement('span')
  excerpt.append(...highlighted(excerptOf(text, terms), terms))
  link.append(title, excerpt)
  const item = document.createElement('li')
  item.append(link)
  return item
}

/** Returns a text with its matched words highlighted. */
function highlighted(text: string, terms: string[]): (string | Node)[] {
  return text.split(/([\p{L}\p{N}]+)/u).map((part) => {
    if (!terms.includes(stemOf(part))) return part
    const mark = document.createElement('mark')
    mark.textContent = part
    return mark
  })
}

/** Returns the part of a text with the most matched words. */
function excerptOf(text: string, terms: string[]) {
  const places = Array.from(text.matchAll(/[\p{L}\p{N}]+/gu), ({ 0: word, index }) => ({
    stem: stemOf(word),
    at: index
  }))
  const matched = places.filter(({ stem }) => terms.includes(stem))
  const countFrom = (from: number) =>
    new Set(matched.flatMap(({ stem, at }) => (at >= from && at < from + AFTER ? [stem] : []))).size
  let [best, most] = [0, 0]
  for (const { at } of matched) {
    const count = countFrom(at)
    if (count > most) [best, most] = [at, count]
  }
  const start = best > BEFORE ? text.lastIndexOf(' ', best - BEFORE) + 1 : 0
  return (start > 0 ? '…' : '') + upTo(text.slice(start), BEFORE + AFTER)
}

/** Truncates text at a word boundary. */
function upTo(text: string, length: number) {
  return text.length <= length ? text : `${text.slice(0, text.lastIndexOf(' ', length) + 1)}…`
}

/** Moves focus between the search field and the results. */
function move(event: KeyboardEvent, step: number) {
  const stops = [query, ...list.querySelectorAll('a')]
  const next = stops[stops.indexOf(document.activeElement as HTMLInputElement) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}

query.addEventListener('focus', () => void load().catch(() => {}))
query.addEventListener('input', search)
area.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown') move(event, 1)
  if (event.key === 'ArrowUp') move(event, -1)
  if (event.key === 'Enter' && event.target === query) list.querySelector('a')?.click()
  if (event.key === 'Escape') {
    query.value = ''
    close()
    query.focus()
  }
})
list.addEventListener('click', close)
document.addEventListener('click', ({ target }) => {
  if (!area.contains(target as Node)) close()
})
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target === query) return
  event.preventDefault()
  query.focus()
})
area.hidden = false
