import { stemOf } from './file-headers.ts'
import type { TableGroup } from './items.ts'

/** The shortest common prefix of file names that is a meaningful name. */
const SHORTEST = 3

/** The words in file names that say what the rows of a table are. */
const ROWS =
  /(?<![a-z])(?:nodes?|vertices|vertex|edges?|links?|ties|arcs|relations?)(?:[\s._-]?(?:list|table))?(?![a-z])/gi

const ENDS = /^[\s._-]+|[\s._-]+$/g

/** Returns the name of a file without its extension and without the words that say what its rows are. */
export function subjectOf(name: string): string {
  return stemOf(name).replace(ROWS, '').replace(ENDS, '')
}

/** Returns a name for the graph: the common prefix of the file names, or else the subject of a node file or an edge file. */
export function nameOfGroup({ nodes, edges }: TableGroup): string {
  const names = [...nodes, ...edges].map(({ file }) => file.name)
  const [first = [], ...others] = names.map((name) => [...stemOf(name)])
  const length = first.findIndex((letter, index) => others.some((other) => letter !== other[index]))
  const shared = (length < 0 ? first : first.slice(0, length)).join('').replace(ENDS, '')
  return shared.length >= SHORTEST ? shared : names.map(subjectOf).find(Boolean) || stemOf(names.at(-1) ?? '')
}
