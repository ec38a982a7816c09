import { SaxesParser } from 'saxes'
import { type Attributes, type Column, Columns } from './attributes.ts'
import { type GraphBuilder, Unreadable } from './graph-builder.ts'
import { fittingIds } from './ids.ts'
import type { Losses } from './losses.ts'
import { decodeText } from './text.ts'

/** How deep elements may stand inside one another: a graph that nests deeper is an attack. */
const MAX_DEPTH = 200

export interface XmlHandler {
  /** An element has begun; its tag ends at this offset. Its name is without its prefix. */
  open(name: string, attributes: Record<string, string>, end: number): void
  text(text: string): void
  close(name: string): void
}

/** Goes through XML (1.0, fifth edition) without document type and so without entities of its own. */
export function readXml(bytes: Buffer, into: GraphBuilder, handler: XmlHandler) {
  const declared = /^<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w.-]+)/.exec(bytes.toString('latin1', 0, 200))?.[1]
  const text = decodeText(bytes, into, { declared, isOld: false })
  // Without namespaces: with them it takes time by the square of the depth. Prefixes are known well enough.
  const parser = new SaxesParser({ xmlns: false })
  let depth = 0
  parser.on('error', ({ message }) => {
    throw new Unreadable(
      parser.position,
      'malformed-xml',
      `is not XML from here on: ${message.replace(/^[\d:]+ /, '')}`
    )
  })
  parser.on('doctype', () => {
    throw new Unreadable(
      Math.max(text.lastIndexOf('<!DOCTYPE', parser.position), 0),
      'doctype',
      'is a document type, which is not allowed here'
    )
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (++depth > MAX_DEPTH) {
      throw new Unreadable(tagStart(text, parser.position), 'too-deep', `nests deeper than ${MAX_DEPTH} levels`)
    }
    handler.open(localName(name), attributes, parser.position)
  })
  parser.on('text', (piece) => handler.text(piece))
  parser.on('cdata', (piece) => handler.text(piece))
  parser.on('closetag', ({ name }) => {
    depth--
    handler.close(localName(name))
  })
  parser.write(text).close()
}

/** Where the tag starts that ends there: within a tag, there is no other such bracket. */
export function tagStart(text: string, end: number) {
  return Math.max(text.lastIndexOf('<', end - 1), 0)
}

function localName(name: string) {
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(colon + 1)
}

/** The name of the outermost element of what may be XML; a document type has it, too. */
export function rootElement(text: string): string | undefined {
  const start = text.slice(0, 100_000).replace(/^(?:\s+|<\?(?:[^?]|\?(?!>))*\?>|<!--(?:[^-]|-(?!->))*-->)*/, '')
  const name = /^<(?:!DOCTYPE\s+)?([^\s!/>]+)/.exec(start)?.[1]
  return name === undefined ? undefined : localName(name)
}

const ILLEGAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** Text as content of an element or value of an attribute. What XML cannot hold becomes U+FFFD. */
export function escapeXml(text: string) {
  return /[&<>"\t\n\r\u0000-\u001f\ufffe\uffff]/.test(text)
    ? text.replace(ILLEGAL, '\ufffd').replace(/[&<>"\t\n\r]/g, (char) => ESCAPES[char] ?? '')
    : text
}
const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;'
}

/** Attributes of an element, those that are defined, each with a space before it. */
export function xmlAttributes(attributes: Record<string, string | number | boolean | undefined>) {
  let text = ''
  for (const name in attributes) {
    const value = attributes[name]
    if (value !== undefined) text += ` ${name}="${escapeXml(String(value))}"`
  }
  return text
}

/** Counts the texts that XML cannot hold. */
export function countIllegal(texts: Iterable<unknown>, losses: Losses) {
  for (const text of texts) if (typeof text === 'string' && text.search(ILLEGAL) >= 0) losses.add('characters-replaced')
}

/** Ids that XML can hold. */
export function xmlIds(ids: Iterable<string | undefined>, losses: Losses) {
  return fittingIds(ids, ILLEGAL, '\ufffd', losses)
}

/** An element with what is inside it, in a line. */
export function xmlElement(name: string, attributes: Parameters<typeof xmlAttributes>[0], content: string) {
  const start = `<${name}${xmlAttributes(attributes)}`
  return content === '' ? `${start}/>\n` : `${start}>${content}</${name}>\n`
}

/** A column with the id and the title of its declaration. */
export type DeclaredColumn = Column & { id: string; title: string }

/** The columns of elements whose attributes have to be declared, by the names of those. */
export function declaredColumns<T>(
  prefix: string,
  elements: readonly T[],
  attributesOf: (element: T, losses: Losses) => Attributes,
  losses: Losses
): Map<string, DeclaredColumn> {
  const columns = new Columns()
  for (const element of elements) {
    const entries = [...attributesOf(element, losses)]
    columns.add(entries)
    countIllegal(
      entries.map(([, value]) => value),
      losses
    )
  }
  const types = columns.types(losses)
  const titleOf = fittingIds(types.keys(), ILLEGAL, '\ufffd', losses, 'characters-replaced')
  return new Map(
    [...types].map(([name, column], index) => [name, { ...column, id: `${prefix}${index}`, title: titleOf(name) }])
  )
}

/** The types that GraphML and GEXF know, as far as JSON has them; all others are text. */
export const scalarTypes: ReadonlyMap<string, 'boolean' | 'integer' | 'double'> = new Map([
  ['boolean', 'boolean'],
  ...['int', 'integer', 'long', 'short', 'byte', 'biginteger'].map((type) => [type, 'integer'] as const),
  ...['float', 'double', 'bigdecimal'].map((type) => [type, 'double'] as const)
])
