import type { Format } from '../shared/format.ts'
import { decodeText } from '../shared/text.ts'
import { DotReader } from './dot-reader.ts'
import { DotTokens, isWord } from './dot-tokens.ts'
import { writeDot } from './dot-writer.ts'

/** DOT, the language of Graphviz. https://graphviz.org/doc/info/lang.html */
export const dot: Format = {
  name: 'dot',
  title: 'DOT',
  mediaType: 'text/vnd.graphviz',
  endings: ['.gv', '.dot'],
  recognises,
  read: (bytes, into) => new DotReader(into, decodeText(bytes, into, { isOld: true })).read(),
  write: writeDot
}

function recognises(text: string) {
  const tokens = new DotTokens(text.slice(0, 100_000))
  try {
    if (isWord(tokens.peek(), 'strict')) tokens.take()
    const kind = tokens.take()
    if (!isWord(kind, 'graph') && !isWord(kind, 'digraph')) return false
    if (tokens.peek().kind === 'id') tokens.take()
    return tokens.skip('{')
  } catch {
    return false
  }
}
