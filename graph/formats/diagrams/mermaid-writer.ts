import type { GraphToWrite } from '../shared/format.ts'
import { fittingIds } from '../shared/ids.ts'
import { Losses } from '../shared/losses.ts'
import { bracketsOf } from './mermaid-tokens.ts'

/** The start of a word that Mermaid mistakes for a keyword, even after digits and non-ASCII letters. */
const KEYWORD =
  /(?<![A-Za-z_]|[A-Za-z_][.-])(?=(?:end|graph|flowchart|subgraph|style|linkStyle|class|classDef|click|href|call|interpolate|direction|default|accTitle|accDescr|_(?:self|blank|parent|top))(?![A-Za-z0-9_]))/g

/**
 * The characters that Mermaid does not allow in an id. Outside ASCII, it allows most Latin, Greek, Cyrillic, Hebrew, kana, Han
 * and Hangul letters.
 */
const UNFIT =
  /[^\w.\-À-ÖØ-öø-ɏΑ-ΡΣ-ωЀ-ҁא-תぁ-ゖァ-ヺ一-龥가-힣]|^[.-]|[.-]$|[.-](?=[^\wÀ-ÖØ-öø-ɏΑ-ΡΣ-ωЀ-ҁא-תぁ-ゖァ-ヺ一-龥가-힣])/gu

/** The comment that gives the original id of a node, as JSON. */
export const ORIGINAL_ID = '%% Graphstead: id of '

/** Writes the graph as a flowchart. If Mermaid does not allow an id, a comment contains the original. */
export function writeMermaid({ content }: GraphToWrite, losses: Losses) {
  const { directed = true, label, metadata, nodes, edges } = content
  losses.add('graph-attributes-dropped', Object.keys(metadata ?? {}).length + (label === undefined ? 0 : 1))
  if (!directed && edges.length === 0) losses.add('graph-attributes-dropped')
  for (const { id, label, x, y, z, metadata } of nodes) {
    if (x !== undefined || y !== undefined || z !== undefined) losses.add('position-dropped')
    if (label === id) losses.add('label-dropped')
    losses.add('attributes-dropped', Object.keys(metadata ?? {}).length - (bracketsOf(metadata?.shape) ? 1 : 0))
  }
  for (const { id, label, relation, metadata } of edges) {
    if (id !== undefined && !isEdgeId(id)) losses.add('edge-id-dropped')
    if (relation !== undefined) losses.add('relation-dropped')
    if (label === '') losses.add('empty-text-dropped')
    losses.add('attributes-dropped', Object.keys(metadata ?? {}).length)
  }
  const idOf = idsFor(nodes.map(({ id }) => id))
  losses.add('id-replaced', nodes.filter(({ id }) => idOf(id) !== id).length)

  return (function* () {
    yield 'flowchart TD\n'
    for (const { id, label, metadata } of nodes) {
      const written = idOf(id)
      if (written !== id) yield `  ${ORIGINAL_ID}${written}: ${JSON.stringify(id).replaceAll('%', '\\u0025')}\n`
      const brackets = bracketsOf(metadata?.shape)
      const hasText = label !== undefined || written !== id || brackets !== undefined
      const [opening, closing] = brackets ?? ['[', ']']
      yield `  ${written}${hasText ? `${opening}"${escaped(label ?? id)}"${closing}` : ''}\n`
    }
    for (const { id, source, target, directed: isDirected = directed, label = '' } of edges) {
      const name = id !== undefined && isEdgeId(id) ? `${id}@` : ''
      const text = label === '' ? '' : `|"${escaped(label)}"|`
      yield `  ${idOf(source)} ${name}${isDirected ? '-->' : '---'}${text} ${idOf(target)}\n`
    }
  })()
}

/** Maps ids to ids that Mermaid allows. */
function idsFor(ids: string[]): (id: string) => string {
  const spelled = fittingIds(ids, UNFIT, '_', new Losses())
  const unreserved = fittingIds(ids.map(spelled), KEYWORD, '_', new Losses())
  return (id) => unreserved(spelled(id))
}

function isEdgeId(id: string) {
  return /^\w+$/.test(id) && id.search(KEYWORD) < 0
}

const NAMES: Record<string, string> = { '"': 'quot', '&': 'amp', '<': 'lt', '>': 'gt' }

/** Escapes text within quotes. Empty text is written as a space, which Mermaid removes. */
function escaped(text: string) {
  if (text === '') return ' '
  const safe = text.replace(/["#&<>`|\\\r]|%(?=%)|^\s|\s$/g, (char) =>
    char === '\n' ? char : `#${NAMES[char] ?? char.charCodeAt(0)};`
  )
  // Mermaid drops a semicolon that comes after `style`, a colon and a number sign.
  return (safe.includes('#') ? safe.replaceAll(':', '#58;') : safe).replaceAll('\n', '<br/>')
}
