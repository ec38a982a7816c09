import { stemOf } from './file-headers.ts'
import type { TablePair } from './items.ts'

/** The shortest common prefix of two file names that is a meaningful name. */
const SHORTEST = 3

/** The words in file names that say what the rows of a table are. */
const ROWS =
  /(?<![a-z])(?:nodes?|vertices|vertex|edges?|links?|ties|arcs|relations?)(?:[\s._-]?(?:list|table))?(?![a-z])/gi

const ENDS = /^[\s._-]+|[\s._-]+$/g

/** Returns the name of a file without its extension and without the words that say what its rows are. */
export function subjectOf(name: string): string {
  return stemOf(name).replace(ROWS, '').replace(ENDS, '')
}

/** Returns a name for the graph: the common prefix of the two file names, or else the subject of the node file or edge file. */
export function nameOfPair({ nodes, edges }: TablePair): string {
  const [first, second] = [stemOf(nodes.file.name), stemOf(edges.file.name)]
  const length = [...first].findIndex((letter, index) => letter !== [...second][index])
  const shared = (length < 0 ? first : [...first].slice(0, length).join('')).replace(ENDS, '')
  return shared.length >= SHORTEST ? shared : subjectOf(nodes.file.name) || second
}
