import type { Edge, Node } from '../../../schemas/graph-content.ts'
import { ProblemError } from '../../../schemas/problem-catalogue.ts'
import { zipOf } from '../../packing/zip-writer.ts'
import { type Attributes, edgeAttributes, nodeAttributes } from '../shared/attributes.ts'
import type { GraphToWrite } from '../shared/format.ts'
import type { Losses } from '../shared/losses.ts'
import { escapeXml } from '../shared/xml.ts'
import { tableVocabulary } from '../tables/header.ts'
import { encodeCell } from './cell-values.ts'
import {
  CONTENT_TYPES,
  MAIN,
  ROOT_RELATIONSHIPS,
  STYLES,
  WORKBOOK_RELATIONSHIPS,
  WORKBOOK_XML,
  XML
} from './fixed-parts.ts'
import { ROWS } from './sheet.ts'
import { cellIn, cellText, type SheetColumns, sheetColumns, titleOf } from './sheet-columns.ts'

/** The first columns of a sheet, in which every element has a value, and the other columns. */
interface SheetToWrite<T> {
  elements: readonly T[]
  first: string[]
  firstOf: (element: T) => string[]
  attributesOf: (element: T, losses?: Losses) => Attributes
  columns: SheetColumns
}

/** Returns the graph as a workbook with the sheets `Edges` and `Nodes`. Counts all losses before the first chunk. */
export function writeWorkbook({ content }: GraphToWrite, losses: Losses): Iterable<Buffer> {
  const { directed = true, label, metadata, nodes, edges } = content
  for (const [elements, name] of [
    [edges, 'edges'],
    [nodes, 'nodes']
  ] as const) {
    if (elements.length < ROWS) continue
    const detail = `A sheet has at most ${ROWS} rows, but the graph has ${elements.length} ${name}. Export it as CSV instead.`
    throw new ProblemError('format-not-acceptable', { detail })
  }
  // A file without edges cannot specify that edges are undirected.
  const untold = (label === undefined ? 0 : 1) + (edges.length === 0 && !directed ? 1 : 0)
  losses.add('graph-attributes-dropped', Object.keys(metadata ?? {}).length + untold)
  const ofEdges = (edge: Edge, counted?: Losses) => edgeAttributes(edge, tableVocabulary, counted)
  // If no node has a label, a column `name` would be read as labels.
  const isNamed = nodes.some(({ label }) => label)
  const vocabulary = isNamed
    ? tableVocabulary
    : { ...tableVocabulary, taken: new Set([...tableVocabulary.taken, 'name']) }
  const ofNodes = (node: Node, counted?: Losses) => nodeAttributes(node, vocabulary, counted)
  const hasIds = edges.some(({ id }) => id !== undefined)
  const edgeSheet: SheetToWrite<Edge> = {
    elements: edges,
    first: ['Source', 'Target', 'Type', ...(hasIds ? ['Id'] : [])],
    firstOf: (edge) => {
      const type = (edge.directed ?? directed) ? 'Directed' : 'Undirected'
      return [edge.source, edge.target, type, ...(hasIds ? [edge.id ?? ''] : [])]
    },
    attributesOf: ofEdges,
    columns: sheetColumns(edges, ofEdges, losses)
  }
  const nodeSheet: SheetToWrite<Node> = {
    elements: nodes,
    first: ['Id'],
    firstOf: ({ id }) => [id],
    attributesOf: ofNodes,
    columns: sheetColumns(nodes, ofNodes, losses)
  }
  const texts = new SharedTexts()
  return zipOf([
    { name: '[Content_Types].xml', content: [CONTENT_TYPES] },
    { name: '_rels/.rels', content: [ROOT_RELATIONSHIPS] },
    { name: 'xl/workbook.xml', content: [WORKBOOK_XML] },
    { name: 'xl/_rels/workbook.xml.rels', content: [WORKBOOK_RELATIONSHIPS] },
    { name: 'xl/styles.xml', content: [STYLES] },
    { name: 'xl/worksheets/sheet1.xml', content: sheetXml(edgeSheet, texts) },
    { name: 'xl/worksheets/sheet2.xml', content: sheetXml(nodeSheet, texts) },
    // The sheets refer to these texts, which are complete only once the sheets have been written.
    { name: 'xl/sharedStrings.xml', content: texts.xml() }
  ])
}

function* sheetXml<T>({ elements, first, firstOf, attributesOf, columns }: SheetToWrite<T>, texts: SharedTexts) {
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetData>`
  const places = new Map([...columns].map((name, index) => [name, first.length + index]))
  yield `<row r="1">${[...first, ...[...columns].map(titleOf)].map((title, index) => texts.cell(title, index, 1)).join('')}</row>`
  for (const [index, element] of elements.entries()) {
    const row = index + 2
    const cells: [place: number, xml: string][] = firstOf(element).map((text, at) => [at, texts.cell(text, at, row)])
    for (const [name, value] of attributesOf(element)) {
      const place = places.get(name)
      if (place === undefined) continue
      const text = cellText(value)
      if (text === undefined) continue
      cells.push([place, typeof text === 'string' ? texts.cell(text, place, row) : cellIn(text, place, row)])
    }
    // The cells of a row must be in column order.
    cells.sort(([a], [b]) => a - b)
    yield `<row r="${row}">${cells.map(([, xml]) => xml).join('')}</row>`
  }
  yield '</sheetData></worksheet>'
}

/** The texts that cells refer to by number, in order of first occurrence. */
class SharedTexts {
  readonly #numbers = new Map<string, number>()

  /** Returns a cell with the text, or an empty string if the text is empty. */
  cell(text: string, column: number, row: number) {
    if (text === '') return ''
    let number = this.#numbers.get(text)
    if (number === undefined) {
      number = this.#numbers.size
      this.#numbers.set(text, number)
    }
    return cellIn({ text, number }, column, row)
  }

  *xml() {
    yield `${XML}<sst xmlns="${MAIN}">`
    for (const text of this.#numbers.keys()) {
      yield `<si><t xml:space="preserve">${escapeXml(encodeCell(text))}</t></si>`
    }
    yield '</sst>'
  }
}
