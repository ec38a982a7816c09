import type { Format } from '../shared/format.ts'
import { type GraphBuilder, Unreadable } from '../shared/graph-builder.ts'
import { linesOf } from '../shared/lines.ts'
import { decodeText, numberOf } from '../shared/text.ts'

/**
 * TGF, the Trivial Graph Format of yEd, which Maven also writes: nodes with labels, a line `#`, then edges with labels.
 * https://en.wikipedia.org/wiki/Trivial_Graph_Format
 */
export const tgf: Format = {
  name: 'tgf',
  title: 'TGF',
  mediaType: 'text/x-tgf',
  endings: ['.tgf'],
  recognises,
  read: (bytes, into) => read(decodeText(bytes, into, { isOld: true }), into)
}

const SEPARATOR = /^[ \t]*#[ \t]*$/m

/** Returns whether a `#` line separates nodes from edges, and the first edge connects two of the nodes. */
function recognises(text: string) {
  const separator = /^#/.test(text) ? -1 : text.search(SEPARATOR)
  if (separator < 0) return false
  const ids = new Set<string>()
  for (const [line] of linesOf(text.slice(0, separator))) ids.add(partsOf(line, 1)[0] ?? '')
  for (const [line] of linesOf(text, separator)) {
    const [source = '', target = ''] = partsOf(line, 2)
    if (target !== '') return ids.has(source) && ids.has(target)
  }
  return ids.size > 1
}

/** Splits a line into this many words, and the text that follows them. */
function partsOf(line: string, words: 1 | 2): string[] {
  const [, first, second = '', rest = ''] = /^\s*(\S+)(?:\s+(\S+)(?:\s+(\S.*))?)?/.exec(line) ?? []
  if (first === undefined) return []
  return words === 2 ? [first, second, rest.trim()] : [first, line.slice(line.indexOf(first) + first.length).trim()]
}

function read(text: string, into: GraphBuilder) {
  const separator = text.search(SEPARATOR)
  if (separator < 0) throw new Unreadable(undefined, 'required', 'has no line "#" between the nodes and the edges')
  for (const [line, at] of linesOf(text)) {
    const isNode = at < separator
    const [first, second = '', third = ''] = partsOf(line, isNode ? 1 : 2)
    if (first === undefined || (!isNode && SEPARATOR.test(line))) continue
    if (isNode) into.addNode(first, at, second === '' ? [] : [['label', second]])
    else if (second === '') into.fault(at, 'required', 'an edge has no target')
    else {
      // Some programs write weights in place of labels.
      const weight = numberOf(third)
      into.addEdge(
        first,
        second,
        at,
        third === '' ? [] : [weight === undefined ? ['label', third] : ['weight', weight]]
      )
    }
  }
}
