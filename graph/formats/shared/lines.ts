import type { Node } from '../../../schemas/graph-content.ts'
import type { GraphBuilder } from './graph-builder.ts'

// Helpers for formats with one element per line.

/** Yields each line with its offset. */
export function* linesOf(text: string, from = 0): Generator<[line: string, at: number]> {
  const lines = /([^\r\n]*)(?:\r\n?|\n|$)/y
  lines.lastIndex = from
  while (lines.lastIndex < text.length) {
    const at = lines.lastIndex
    yield [lines.exec(text)?.[1] ?? '', at]
  }
}

/** Returns a function that finds the node with an id, or adds it. */
export function nodesOf(into: GraphBuilder) {
  const known = new Map<string, Node>()
  return (id: string, at: number): Node => {
    const found = known.get(id)
    if (found) return found
    const node = into.addNode(id, at)
    known.set(id, node)
    return node
  }
}
