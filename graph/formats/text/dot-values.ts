import { lineStyleOf } from '../../../picture/model/shapes.ts'
import type { Edge, Node } from '../../../schemas/graph-content.ts'
import type { Vocabulary } from '../shared/attributes.ts'
import { decodeEntities, ENTITIES } from '../shared/entities.ts'
import type { GraphBuilder } from '../shared/graph-builder.ts'
import { numberOf, undeclaredValue } from '../shared/text.ts'
import { inches } from './dot-styles.ts'
import type { Token } from './dot-tokens.ts'

export const nodeVocabulary: Vocabulary = { taken: new Set(['pos']) }
export const placedVocabulary: Vocabulary = { position: false, taken: new Set(['pos']) }
export const edgeVocabulary: Vocabulary = { id: true, taken: new Set(['key']) }
export const graphVocabulary: Vocabulary = { taken: new Set(['type']) }

/** An element's attributes, by name. */
export type Values = ReadonlyMap<string, Token>

/**
 * An element whose attributes are not set yet. Since there may be many edges, elements with the same values share a map, which is
 * copied when the values of one element change.
 */
export interface Pending<T> {
  element: T
  values: Values
  /** The map in `values`, once it is not shared with other elements. */
  own?: Map<string, Token>
}

/** The parsed contents of a file, before attributes are set. */
interface Said {
  name: string
  isDirected: boolean
  nodes: Iterable<Pending<Node>>
  edges: Iterable<Pending<Edge>>
  graphValues: Map<string, Token>
}

/** Sets the attributes of the graph and its elements from the values in the file. */
export class Describer {
  readonly #into: GraphBuilder
  readonly #said: Said

  constructor(into: GraphBuilder, said: Said) {
    this.#into = into
    this.#said = said
  }

  /** Sets all attributes. Call it once the values are complete. */
  describe() {
    for (const { element, values } of this.#said.nodes) {
      const place = this.#position(values.get('pos'))
      if (place) Object.assign(element, place)
      const attributes = this.#valuesOf(values, { node: element.id, said: place && 'pos' })
      this.#into.describeNode(element, attributes, place ? placedVocabulary : nodeVocabulary)
    }
    for (const { element, values } of this.#said.edges) {
      const isUndirected = this.#said.isDirected && values.get('dir')?.text === 'none'
      if (isUndirected) element.directed = false
      const attributes = this.#valuesOf(values, { text: 'id', said: isUndirected ? 'dir' : undefined })
      this.#into.describeEdge(element, attributes, edgeVocabulary)
    }
    const type = this.#said.graphValues.get('type')
    if (type && type.text !== '') {
      this.#into.type = type.text
      this.#said.graphValues.delete('type')
    }
    this.#into.describe(this.#valuesOf(this.#said.graphValues, {}))
  }

  #position(token: Token | undefined) {
    if (token) this.#into.repeat(token.text.length, token.at)
    return positionOf(token)
  }

  /**
   * Yields all values except the one named `said`. The value named `text` remains text. In labels, escape sequences refer to
   * `node`.
   */
  *#valuesOf(
    values: Values,
    { node = '', said, text: asText }: { node?: string; said?: string | undefined; text?: string }
  ): Generator<[string, unknown]> {
    for (const [name, token] of values) {
      const { form, text } = token
      if (name === said || isDerived(name, values)) continue
      if (name === asText) yield [name, text]
      else if (name === 'label' && form === 'html') {
        yield ['label', textOfHtml(text)]
        yield ['htmlLabel', text]
      } else if (name === 'label') yield ['label', this.#label(token, node)]
      else yield [name, this.#value(token)]
    }
  }

  /** Returns the value of a token. Quoted ids are text, and bare numerals are numbers. */
  #value({ form, text, at }: Token): unknown {
    if (form === 'html') {
      this.#into.losses.add('text-changed')
      return `<${text}>`
    }
    if (form === 'name') return text === 'true' ? true : text === 'false' ? false : text
    if (form === 'quoted') return text
    // Counts the text here: many elements may share the value, and its length is lost in the conversion to a number.
    this.#into.repeat(text.length, at)
    return undeclaredValue(text, this.#into)
  }

  /** Returns the text of a label as Graphviz draws it. https://graphviz.org/docs/attr-types/escString/ */
  #label({ text, at }: Token, node: string): string {
    if (!text.includes('\\') && !text.includes('&')) return text
    const repeated = (name: string) => {
      this.#into.repeat(name.length, at)
      return name
    }
    return decodeEntities(
      text.replace(/\\([\s\S])/g, (_, next: string) => {
        if (next === 'l' || next === 'r') this.#into.losses.add('visual-dropped')
        if (next === 'n' || next === 'l' || next === 'r') return '\n'
        if (next === 'N') return repeated(node)
        if (next === 'G') return repeated(this.#said.name)
        return next
      }),
      entities
    )
  }
}

/** The attributes that exports add for Graphviz, as equivalents of attributes that it does not support. */
const DERIVED = ['style', 'fillcolor', 'penwidth', 'width', 'height']

/** Returns whether the attribute repeats another one, as in an export. */
function isDerived(name: string, values: Values) {
  if (!DERIVED.includes(name)) return false
  const text = (name: string) => values.get(name)?.text
  if (name === 'penwidth') return text('penwidth') === text('thickness')
  if (name === 'width' || name === 'height') {
    const size =
      (name === 'height' ? (text('viz:height') ?? text('metadata.height')) : undefined) ??
      text('viz:size') ??
      text('size')
    return size !== undefined && inches(Number(size)) === Number(text(name))
  }
  if (text('fillcolor') !== undefined) return text('fillcolor') === text('color') && text('style') === 'filled'
  return (
    name === 'style' &&
    lineStyleOf(text('style')) !== undefined &&
    lineStyleOf(text('style')) === lineStyleOf(text('shape'))
  )
}

/** Parses `x,y` or `x,y,z`, optionally followed by `!`, which pins the node. */
function positionOf(token: Token | undefined) {
  const [x, y, z, ...more] = (token?.text ?? '')
    .replace(/!$/, '')
    .split(',')
    .map((part) => numberOf(part.trim()))
  if (x === undefined || y === undefined || more.length > 0) return undefined
  return { x, y, ...(z !== undefined && { z }) }
}

/** The HTML entities of Graphviz that are in common use. */
const entities = { ...ENTITIES, nbsp: '\u00a0' }

/** Returns the text of an HTML-like label without comments and tags. Some tags end a line. */
export function textOfHtml(html: string) {
  let text = ''
  let at = 0
  for (let start = html.indexOf('<'); start >= 0; start = html.indexOf('<', at)) {
    text += html.slice(at, start)
    const ending = html.startsWith('<!--', start) ? '-->' : '>'
    const end = html.indexOf(ending, start)
    if (end < 0) return decodeEntities(text, entities).trim()
    at = end + ending.length
    if (/^<(?:br\b|\/tr>)/i.test(html.slice(start, start + 5))) text += '\n'
  }
  return decodeEntities(text + html.slice(at), entities).trim()
}
