import { isUtf8 } from 'node:buffer'
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
  read: (bytes, into) =>
    new DotReader(into, decodeText(bytes, into, { declared: charsetIn(bytes), isOld: true })).read(),
  write: writeDot
}

/**
 * Returns the encoding from the graph's `charset` attribute, unless the file is in UTF-8. Graphviz also uses the spellings
 * `latin-1` and `big-5`, which are not labels of the Encoding Standard.
 */
function charsetIn(bytes: Buffer) {
  if (isUtf8(bytes)) return undefined
  const [, name] = /\bcharset\s*=\s*"?([\w-]+)/i.exec(bytes.toString('latin1', 0, 100_000)) ?? []
  return name?.replace(/^(latin|big)-/i, '$1')
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
