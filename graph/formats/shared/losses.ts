/** The conversion losses by code. Each description says what the number counts. */
export const lossMeanings = {
  'aspects-dropped': 'parts of the file that are not nodes, edges or attributes',
  'attribute-renamed': 'attributes renamed because the format reserves their names',
  'attributes-dropped': 'node and edge attributes that the format cannot store',
  'characters-replaced': 'strings with characters that the format cannot store',
  'datatype-dropped': 'language tags of RDF literals, and datatypes other than numbers and booleans',
  'decimal-comma': 'numbers with a decimal comma, read as numbers',
  'direction-assumed': 'graphs that do not specify whether their edges are directed, read as undirected',
  'direction-changed': 'edges whose direction was changed as requested',
  'doctype-ignored': 'external document type definitions, which are not loaded',
  'dynamics-dropped': 'nodes, edges and values whose time range was removed',
  'edge-id-dropped': 'edge ids that the format cannot store',
  'edge-id-moved': 'edge ids that are not unique, moved to metadata.id',
  'edge-merged': 'edges that the file marks as identical to an earlier edge',
  'edge-per-direction': 'undirected edges written as two directed edges',
  'edge-without-end': 'edges that are not connected to two nodes, omitted',
  'empty-row-dropped': 'rows with only empty cells',
  'empty-text-dropped': 'empty strings, which the format cannot distinguish from missing values',
  'encoding-guessed': 'files in an unknown encoding, read as Windows-1252',
  'faulty-dropped': 'nodes and edges with faults, and edges of such nodes, omitted as requested',
  'files-skipped': 'other files in the archive',
  'formula-escaped': 'strings that a spreadsheet would run as formulas, prefixed with an apostrophe',
  'formula-unescaped': 'strings whose apostrophe, added to prevent formulas, was removed',
  'graph-attributes-dropped': 'graph attributes that the format cannot store',
  'header-guessed': 'tables whose header or columns were guessed: check them',
  'header-repeated': 'rows that repeat the header, omitted',
  'id-as-text': 'ids that were numbers or lists, converted to text',
  'id-replaced': 'ids that the format cannot store, replaced',
  'isolated-node-dropped': 'nodes without edges, which the format cannot store',
  'key-undeclared': 'values of attributes that are undeclared or share a name, kept under the attribute ids',
  'label-dropped': 'labels that the format cannot store',
  'label-moved': 'labels that are too long, moved to metadata.label',
  'list-as-text': 'lists converted to text',
  'nested-metadata': 'nested values and nulls, encoded as JSON text',
  'network-dropped': 'additional networks in the file; only the first is read',
  'node-not-in-table': 'nodes that appear in edges but not in the node table',
  'node-order-changed': 'graphs whose nodes were reordered to follow the edges',
  'null-dropped': 'placeholders such as null, NA or NaN in place of a number or boolean, omitted',
  'number-as-text': 'numbers that are too large, ambiguous or invalid, kept as text',
  'oversize-dropped': 'metadata values that exceed the limits, omitted as requested',
  'partition-dropped': 'partitions, vectors and similar data whose length differs from the number of nodes',
  'ports-dropped': 'declared ports, except for their names on edges',
  'position-dropped': 'positions or coordinates that the format cannot store',
  'quotes-unescaped': 'files with backslash-escaped quotes, which the format does not define',
  'relation-dropped': 'edge relations that the format cannot store',
  'sheets-skipped': 'other sheets in the workbook',
  'spaces-dropped': 'unquoted cells whose surrounding spaces were removed',
  'subgraph-flattened': 'subgraphs, groups and clusters, merged into the main graph',
  'text-changed': 'strings that the format cannot store exactly',
  'text-unquoted': 'strings with missing quotes',
  'thousands-separator': 'numbers with thousands separators, read as numbers',
  'titles-dropped': 'rows above the table that contain a single cell',
  'type-changed': 'values whose type changed to text or number',
  'type-unknown': 'declared types that the format does not define; their values are kept as text',
  'type-widened': 'values converted to text or another number type to match other values of the attribute',
  'visual-dropped': 'visual attributes, styles and drawings'
} as const

export type LossCode = keyof typeof lossMeanings

/** One type of loss and its count. */
export interface Loss {
  code: LossCode
  count: number
  /** The meaning of the count, and the first names. */
  detail: string
}

/** The maximum number of names to list. */
const NAMED = 3

/** Counts the losses of a conversion. */
export class Losses {
  readonly #counts = new Map<LossCode, number>()
  readonly #names = new Map<LossCode, string[]>()

  add(code: LossCode, count = 1) {
    if (count > 0) this.#counts.set(code, (this.#counts.get(code) ?? 0) + count)
  }

  /** Counts the loss of the element with this name. */
  addNamed(code: LossCode, name: string) {
    this.add(code)
    const names = this.#names.get(code) ?? []
    if (names.length < NAMED) this.#names.set(code, [...names, name])
  }

  remove(code: LossCode) {
    this.#counts.delete(code)
  }

  /** The losses, sorted by code. */
  get list(): Loss[] {
    return [...this.#counts]
      .map(([code, count]) => ({ code, count, detail: this.#detailOf(code, count) }))
      .sort((a, b) => (a.code < b.code ? -1 : 1))
  }

  #detailOf(code: LossCode, count: number) {
    const names = this.#names.get(code)
    if (!names) return lossMeanings[code]
    return `${lossMeanings[code]}: ${names.join(', ')}${count > names.length ? ', …' : ''}`
  }
}
