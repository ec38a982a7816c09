import { type Static, Type } from '@sinclair/typebox'
import { GraphRecord, graphFilters } from './graph.ts'
import { DEFAULT_SIZE } from './parameters.ts'
import { closed, component, digits, idDigits, oneOf, optionalText, ref } from './types.ts'

/** The maximum number of graphs per page. The server searches the content of each of them for elements. */
const MAX_SEARCH_SIZE = 100

/** The maximum number of elements per graph: when searching all graphs, and when searching one graph. */
export const MAX_MATCHES = 10
export const MAX_MATCHES_IN_GRAPH = 100

/** The maximum length of a search text, in characters. */
export const MAX_SEARCH_TEXT = 255

export const SearchMatch = component('SearchMatch', 'A node or edge that matches a search.', {
  kind: oneOf(['node', 'edge'], { description: 'Whether the match is a node or an edge.' }),
  id: optionalText({ description: 'The id; absent for an edge without an id.', examples: ['tp53'] }),
  label: optionalText({ description: 'The label; absent if there is none.', examples: ['TP53'] }),
  source: optionalText({ description: 'The id of the node where the edge starts.', examples: ['mdm2'] }),
  target: optionalText({ description: 'The id of the node where the edge ends.', examples: ['tp53'] }),
  pointer: Type.String({
    description: 'The location in the content, as a JSON Pointer (RFC 6901) in a URI fragment.',
    examples: ['#/nodes/17']
  })
})
export type SearchMatch = Static<typeof SearchMatch>

export const SearchResult = component('SearchResult', 'A graph that contains all words of a search.', {
  graph: ref(GraphRecord),
  matches: Type.Array(ref(SearchMatch), {
    description: `The elements that match the most words, nodes before edges, in the order of the content: at most ${MAX_MATCHES}, or ${MAX_MATCHES_IN_GRAPH} if the search is limited to one graph. Empty if only the name, description and tags of the graph match.`
  })
})
export type SearchResult = Static<typeof SearchResult>

const { type, owner, tags } = graphFilters

export const SearchQuery = closed({
  q: Type.String({
    maxLength: MAX_SEARCH_TEXT,
    description: 'The words to search for.',
    examples: ['tp53 kinase']
  }),
  type,
  owner,
  tags,
  graph: Type.Optional(idDigits({ description: 'Search only the graph with this id.', examples: ['7'] })),
  size: Type.Optional(
    digits(1, MAX_SEARCH_SIZE, {
      description: `The maximum number of graphs per page, ${DEFAULT_SIZE} by default. A page can have fewer graphs even if more follow.`,
      examples: ['20']
    })
  ),
  cursor: optionalText({ description: 'Empty or absent for the first page; then taken from the `next` link.' })
})
