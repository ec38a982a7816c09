import type { Body } from '../../schemas/graph-content.ts'
import { contentOf, jsonNow } from '../content/content.ts'
import { wordsOfContent } from '../content/element-words.ts'
import type { WordQuery } from '../content/words.ts'
import { type FoundElement, findElements, type Wanted } from './find-elements.ts'

/** Returns the words of stored content, each once, with spaces between them; undefined stands for an empty graph. */
export function wordsOfStored(body: Body | undefined): string {
  return body === undefined ? '' : [...wordsOfContent(contentOf(jsonNow(body)))].join(' ')
}

/** Finds the wanted elements of each stored content that match the query; undefined stands for an empty graph. */
export function findInStored(
  bodies: readonly (Body | undefined)[],
  query: WordQuery,
  wanted: Wanted
): FoundElement[][] {
  return bodies.map((body) => (body === undefined ? [] : findElements(contentOf(jsonNow(body)), query, wanted)))
}
