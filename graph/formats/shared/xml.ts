import { SaxesParser } from 'saxes'
import { type Attributes, asText, type Column, Columns, type ColumnType } from './attributes.ts'
import { type GraphBuilder, Unreadable } from './graph-builder.ts'
import { fittingIds } from './ids.ts'
import type { Losses } from './losses.ts'
import { decodeText, isNull, typedValue } from './text.ts'

/** The maximum nesting depth of elements. Real graphs come nowhere close. */
const MAX_DEPTH = 200

export interface XmlHandler {
  /** Called for each opening tag, with the offset of its end. The prefix is removed from the name. */
  open(name: string, attributes: Record<string, string>, end: number): void
  text(text: string): void
  /** Called for each closing tag, with the offset of its end. */
  close(name: string, end: number): void
}

/** Decodes an XML file. */
export function decodeXml(bytes: Buffer, into: GraphBuilder): string {
  const declared = /^<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w.-]+)/.exec(bytes.toString('latin1', 0, 200))?.[1]
  return decodeText(bytes, into, { declared, isOld: false })
}

/** The maximum length of a document type declaration, in characters. */
const DOCTYPE_LENGTH = 1000

/** A document type that only refers to a DTD file, which is not fetched. */
const PLAIN_DOCTYPE = /^\s*[^\s"'[\]<>]+(?:\s+(?:SYSTEM|PUBLIC\s*(?:"[^"]*"|'[^']*'))\s*(?:"[^"]*"|'[^']*')?)?\s*$/i

/** Reads XML (1.0, fifth edition). Rejects declarations within the document, and therefore custom entities. */
export function readXml(text: string, into: GraphBuilder, handler: XmlHandler) {
  // Resolving namespaces would take time quadratic in the depth. Recognizing the usual prefixes is enough.
  const parser = new SaxesParser({ xmlns: false })
  let depth = 0
  parser.on('error', ({ message }) => {
    throw new Unreadable(parser.position, 'malformed-xml', `is not valid XML: ${message.replace(/^[\d:]+ /, '')}`)
  })
  parser.on('doctype', (doctype) => {
    if (doctype.length <= DOCTYPE_LENGTH && PLAIN_DOCTYPE.test(doctype)) return into.losses.add('doctype-ignored')
    throw new Unreadable(
      Math.max(text.lastIndexOf('<!DOCTYPE', parser.position), 0),
      'doctype',
      'is a document type with declarations, which are not allowed'
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
    handler.close(localName(name), parser.position)
  })
  parser.write(text).close()
}

/** Returns the start of the tag that ends at this offset. Tags contain no other `<`. */
export function tagStart(text: string, end: number) {
  return Math.max(text.lastIndexOf('<', end - 1), 0)
}

function localName(name: string) {
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(colon + 1)
}

/** Returns the name of the root element, or of the document type, if the text may be XML. */
export function rootElement(text: string): string | undefined {
  const start = text.slice(0, 100_000).replace(/^(?:\s+|<\?(?:[^?]|\?(?!>))*\?>|<!--(?:[^-]|-(?!->))*-->)*/, '')
  const name = /^<(?:!DOCTYPE\s+)?([^\s!/>]+)/.exec(start)?.[1]
  return name === undefined ? undefined : localName(name)
}

const ILLEGAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** Escapes text for elements and attributes. Replaces characters that XML does not allow with U+FFFD. */
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

/** Formats the attributes that are defined, each preceded by a space. */
export function xmlAttributes(attributes: Record<string, string | number | boolean | undefined>) {
  let text = ''
  for (const name in attributes) {
    const value = attributes[name]
    if (value !== undefined) text += ` ${name}="${escapeXml(String(value))}"`
  }
  return text
}

/** Counts strings that contain characters not allowed in XML. */
export function countIllegal(texts: Iterable<unknown>, losses: Losses) {
  for (const text of texts) if (typeof text === 'string' && text.search(ILLEGAL) >= 0) losses.add('characters-replaced')
}

/** Maps the ids of elements to ids that XML allows. */
export function xmlIds(elements: readonly { id?: string }[], losses: Losses) {
  const ids = elements.map(({ id }) => id)
  return fittingIds(ids, ILLEGAL, '\ufffd', losses)
}

/** Returns an element with its content, on one line. */
export function xmlElement(name: string, attributes: Parameters<typeof xmlAttributes>[0], content: string) {
  const start = `<${name}${xmlAttributes(attributes)}`
  return content === '' ? `${start}/>\n` : `${start}>${content}</${name}>\n`
}

/** A column, with the id and title of its declaration. */
export type DeclaredColumn = Column & { id: string; title: string }

/** Returns the columns to declare for the elements, by attribute name. */
export function declaredColumns<T>(
  prefix: string,
  elements: readonly T[],
  attributesOf: (element: T, losses: Losses) => Attributes,
  losses: Losses,
  hasLists?: (type: ColumnType) => boolean
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
  const types = columns.types(losses, hasLists)
  const titleOf = fittingIds(types.keys(), ILLEGAL, '\ufffd', losses, 'characters-replaced')
  return new Map(
    [...types].map(([name, column], index) => [name, { ...column, id: `${prefix}${index}`, title: titleOf(name) }])
  )
}

/** Returns the text of a value in a column. */
export function columnText(value: unknown, column: Column | undefined) {
  return column?.type === 'double' && typeof value === 'string' ? doubleText(value) : asText(value)
}

/** Returns NaN or infinity as text in the notation of XML Schema. */
export function doubleText(text: string) {
  return /nan/i.test(text) ? 'NaN' : text.startsWith('-') ? '-INF' : 'INF'
}

/** Returns whether the first element named `first` comes before the last element named `last`. */
export function isBefore(first: string, last: string, text: string) {
  const start = new RegExp(`<(?:[\\w.-]+:)?${first}[\\s/>]`).exec(text)?.index
  if (start === undefined) return false
  const later = new RegExp(`<(?:[\\w.-]+:)?${last}[\\s/>]`, 'g')
  later.lastIndex = start
  return later.test(text)
}

/** Yields the remaining attributes of an element. Skips namespaces and prefixed names, such as `xlink:href`. */
export function* furtherAttributes(attributes: Record<string, string>): Generator<[string, string]> {
  for (const name in attributes) if (!/[.:]|^xmlns$/.test(name)) yield [name, attributes[name] as string]
}

/**
 * Reads the value of a declared attribute, or returns undefined if it is empty. Adds a fault if the value does not match the
 * type.
 */
export function declaredValue(
  text: string,
  { name, type }: { name: string; type: string },
  into: GraphBuilder,
  fault: (code: string, detail: string) => void
): unknown {
  const scalar = scalarTypes.get(type)
  if (scalar === undefined) return text
  if (text.trim() === '') return undefined
  const value = typedValue(text, scalar, into)
  if (value !== undefined) return value
  if (isNull(text)) into.losses.add('null-dropped')
  else {
    fault(
      'malformed',
      `${JSON.stringify(text.slice(0, 40))} is not a valid ${type}, the declared type of ${JSON.stringify(name.slice(0, 40))}`
    )
  }
  return undefined
}

/** The types of GraphML and GEXF that JSON can represent, in lower case. Values of all other types become text. */
export const scalarTypes: ReadonlyMap<string, 'boolean' | 'integer' | 'double'> = new Map([
  ['boolean', 'boolean'],
  ['bool', 'boolean'],
  ...['int', 'integer', 'long', 'short', 'byte', 'biginteger'].map((type) => [type, 'integer'] as const),
  ...['float', 'double', 'bigdecimal', 'real', 'number'].map((type) => [type, 'double'] as const)
])
