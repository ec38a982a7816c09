import { inflateRawSync } from 'node:zlib'
import type { Node } from '../../../schemas/graph-content.ts'
import { uninterruptible } from '../../content/uninterruptible.ts'
import { unpackedAtMost } from '../../packing/inflate.ts'
import type { Format } from '../shared/format.ts'
import { type GraphBuilder, quote, Unreadable } from '../shared/graph-builder.ts'
import { numberOf, undeclaredValue } from '../shared/text.ts'
import { decodeXml, readXml, rootElement, tagStart } from '../shared/xml.ts'
import { textOfHtml } from './html-text.ts'

/** Diagrams of draw.io (diagrams.net). https://www.drawio.com/doc/faq/diagram-source-edit */
export const drawIo: Format = {
  name: 'drawio',
  title: 'draw.io',
  mediaType: 'application/vnd.jgraph.mxfile',
  endings: ['.drawio', '.drawio.xml', '.dio'],
  growsDown: true,
  recognises: (text) => ['mxfile', 'mxGraphModel'].includes(rootElement(text) ?? ''),
  read: (bytes, into) => new Reader(into).read(decodeXml(bytes, into))
}

/** A vertex or an edge. */
interface Cell {
  id: string
  label: string | undefined
  attributes: Record<string, string>
  /** The attributes of `mxCell`. */
  own: Record<string, string>
  geometry: Record<string, string> | undefined
  at: number
}

/** A page of the file. */
interface Page {
  name: string
  /** The diagram, if it is compressed. */
  text: string
  cells: Cell[]
}

class Reader {
  readonly #into: GraphBuilder
  #pages: Page[] = []
  /** The open `object` or `UserObject`, which has the id, label and other attributes of a cell. */
  #object: Record<string, string> | undefined
  #isInCell = false

  constructor(into: GraphBuilder) {
    this.#into = into
  }

  read(text: string) {
    this.#parse(text)
    const pages = this.#pages.filter((page) => page.cells.length > 0 || page.text.trim() !== '')
    if (pages.length > 1) {
      const names = pages.slice(0, 10).map(({ name }) => quote(name))
      throw new Unreadable(
        0,
        'several-graphs',
        `has ${pages.length} pages (${names.join(', ')}): export each page as a separate file`
      )
    }
    const [page] = pages
    if (page && page.cells.length === 0) {
      this.#into.text = decompressed(page.text, this.#into)
      this.#pages = []
      this.#parse(this.#into.text)
    }
    this.#build(this.#pages.flatMap(({ cells }) => cells))
    if (page && page.name !== '' && !/^Page-\d+$/.test(page.name)) this.#into.name = page.name
  }

  #parse(text: string) {
    readXml(text, this.#into, {
      open: (name, attributes, at) => this.#open(name, attributes, at),
      text: (piece) => {
        const page = this.#pages.at(-1)
        if (page) page.text += piece
      },
      close: (name) => {
        if (name === 'object' || name === 'UserObject') this.#object = undefined
        else if (name === 'mxCell') this.#isInCell = false
      }
    })
  }

  #open(name: string, attributes: Record<string, string>, end: number) {
    if (name === 'diagram') this.#pages.push({ name: attributes.name ?? '', text: '', cells: [] })
    else if (name === 'mxGraphModel' && this.#pages.length === 0) this.#pages.push({ name: '', text: '', cells: [] })
    else if (name === 'object' || name === 'UserObject') this.#object = attributes
    const { cells = [] } = this.#pages.at(-1) ?? {}
    if (name === 'mxGeometry' && this.#isInCell) {
      const cell = cells.at(-1)
      if (cell) cell.geometry = attributes
    }
    if (name !== 'mxCell') return
    this.#isInCell = attributes.vertex === '1' || attributes.edge === '1'
    if (!this.#isInCell) return
    const { id = attributes.id ?? '', label = attributes.value, ...others } = this.#object ?? {}
    cells.push({
      id,
      label,
      attributes: others,
      own: attributes,
      geometry: undefined,
      at: tagStart(this.#into.text, end)
    })
  }

  #build(cells: Cell[]) {
    const byId = new Map(cells.map((cell) => [cell.id, cell]))
    const nodes = new Map<string, Node>()
    const containers = new Set<string>()
    /** The labels that are separate cells, by edge. */
    const labels = new Map<string, string>()
    for (const cell of cells) {
      if (cell.own.edge === '1') continue
      const parent = byId.get(cell.own.parent ?? '')
      if (parent?.own.edge === '1') labels.set(parent.id, labels.get(parent.id) ?? this.#textOf(cell))
      else {
        const node = this.#node(cell)
        const container = parent && nodes.get(parent.id)
        nodes.set(cell.id, node)
        if (!container) continue
        containers.add(container.id)
        this.#into.repeat(container.id.length, cell.at)
        this.#into.describeNode(node, [['parent', container.id]], PLAIN)
        moveInto(container, node, parent)
      }
    }
    this.#into.losses.add('subgraph-flattened', containers.size)
    for (const cell of cells) if (cell.own.edge === '1') this.#edge(cell, nodes, labels.get(cell.id))
  }

  #node(cell: Cell): Node {
    const node = this.#into.addNode(cell.id, cell.at, this.#attributesOf(cell), PLAIN)
    const label = this.#textOf(cell)
    if (label !== '') this.#into.describeNode(node, [['label', label]])
    const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((name) => numberOf(cell.geometry?.[name] ?? ''))
    // draw.io omits coordinates that are 0.
    if (cell.geometry) Object.assign(node, { x: (x ?? 0) + (width ?? 0) / 2, y: (y ?? 0) + (height ?? 0) / 2 })
    return node
  }

  #edge(cell: Cell, nodes: ReadonlyMap<string, Node>, placedLabel = '') {
    const { source, target, style = '' } = cell.own
    const ends = [source, target].map((id) => nodes.get(id ?? '')?.id)
    if (ends[0] === undefined || ends[1] === undefined) return this.#into.losses.add('edge-without-end')
    const hasHead = (name: string, byDefault: boolean) => {
      const head = styleOf(style, name)
      return head === undefined ? byDefault : head !== 'none'
    }
    const [atSource, atTarget] = [hasHead('startArrow', false), hasHead('endArrow', true)]
    const [from, to] = atSource && !atTarget ? [ends[1], ends[0]] : [ends[0], ends[1]]
    const edge = this.#into.addEdge(from, to, cell.at, this.#attributesOf(cell), PLAIN)
    if (cell.id !== '') edge.id = cell.id
    const label = this.#textOf(cell) || placedLabel
    if (label !== '') this.#into.describeEdge(edge, [['label', label]])
    if (!atSource && !atTarget) edge.directed = false
    else if (atSource && atTarget) this.#into.addReverse(edge, cell.at)
  }

  /** Returns the text of a cell. If placeholders are enabled, `%name%` stands for an attribute of its `object`. */
  #textOf({ label = '', own, attributes, at }: Cell) {
    const valueFor = (placeholder: string, name: string) => {
      const value = Object.hasOwn(attributes, name) ? (attributes[name] as string) : placeholder
      this.#into.repeat(value.length, at)
      return value
    }
    const text = attributes.placeholders === '1' ? label.replace(/%([^%\s]{1,255})%/g, valueFor) : label
    return styleOf(own.style ?? '', 'html') === '1' ? textOfHtml(text) : text
  }

  /** Returns the attributes of an `object`. */
  #attributesOf({ attributes, own }: Cell): [string, unknown][] {
    if (own.style) this.#into.losses.add('visual-dropped')
    return Object.entries(attributes)
      .filter(([name]) => name !== 'placeholders')
      .map(([name, text]) => [name, undeclaredValue(text, this.#into)])
  }
}

/** Attributes of an `object` never have a special meaning. */
const PLAIN = { label: null, relation: null, position: false }

/** Converts the position of a node, which is relative to the corner of its container, to an absolute one. */
function moveInto(container: Node, node: Node, { geometry }: Cell) {
  if (node.x === undefined || node.y === undefined || container.x === undefined || container.y === undefined) return
  node.x += container.x - (numberOf(geometry?.width ?? '') ?? 0) / 2
  node.y += container.y - (numberOf(geometry?.height ?? '') ?? 0) / 2
}

/** Returns a property's value from a style such as `html=1;endArrow=none`. */
function styleOf(style: string, name: string) {
  const start = `;${style}`.indexOf(`;${name}=`)
  if (start < 0) return undefined
  return style.slice(start + name.length + 1).split(';', 1)[0]
}

/** Decompresses a diagram: base64 of deflated, URL-encoded text. */
function decompressed(text: string, into: GraphBuilder) {
  const bytes = Buffer.from(text.trim(), 'base64')
  const maxOutputLength = unpackedAtMost(bytes.length, into.limits.bodyLimit)
  try {
    return decodeURIComponent(uninterruptible(() => inflateRawSync(bytes, { maxOutputLength })).toString('utf8'))
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    if (isLarge)
      throw new Unreadable(0, 'too-large', `has a diagram that unpacks to more than ${maxOutputLength} bytes`)
    throw new Unreadable(0, 'malformed', 'has a compressed diagram that is damaged')
  }
}
