import type { Body } from '../../schemas/graph-content.ts'
import { contentOf, jsonNow } from '../content/content.ts'
import { wordsOfContent } from '../content/element-words.ts'
import type { WordQuery } from '../content/words.ts'
import { type FoundElement, findElements, type Wanted } from './find-elements.ts'

/** Returns the distinct words of stored content, separated by spaces. Undefined means an empty graph. */
export function wordsOfStored(body: Body | undefined): string {
  return body === undefined ? '' : [...wordsOfContent(contentOf(jsonNow(body)))].join(' ')
}

/** Finds the elements that match the query in each graph's stored content. Undefined means an empty graph. */
export function findInStored(
  bodies: readonly (Body | undefined)[],
  query: WordQuery,
  wanted: Wanted
): FoundElement[][] {
  return bodies.map((body) => (body === undefined ? [] : findElements(contentOf(jsonNow(body)), query, wanted)))
}
