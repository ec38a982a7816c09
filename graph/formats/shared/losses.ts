/** The losses of conversions by code. Each text says what the number counts. */
export const lossMeanings = {
  'aspects-dropped': 'parts of the file other than nodes, edges and their attributes',
  'attribute-renamed': 'values whose name has another meaning in the format, kept under another name',
  'attributes-dropped': 'attributes of nodes and edges that the format has no place for',
  'characters-replaced': 'texts with characters that the format cannot hold',
  'decimal-comma': 'numbers with a decimal comma, read as numbers',
  'direction-assumed': 'graphs that do not say whether their edges are directed, read as undirected',
  'doctype-ignored': 'document types whose declarations stand in another file, which is not fetched',
  'dynamics-dropped': 'nodes, edges and values limited in time, kept without their times',
  'edge-id-dropped': 'ids of edges that the format has no place for',
  'edge-id-moved': 'ids of edges that are not unique, kept in metadata.id',
  'edge-merged': 'edges that the file itself declares to be the same as an earlier one',
  'edge-per-direction': 'edges without a direction that became two, one for each direction',
  'empty-row-dropped': 'rows with empty cells only',
  'empty-text-dropped': 'empty texts, which the format cannot distinguish from absent ones',
  'encoding-guessed': 'files in no known encoding, read as Windows-1252',
  'files-skipped': 'other files beside the graph in an archive',
  'formula-escaped': 'texts that a spreadsheet would run as formulas, prefixed with an apostrophe',
  'formula-unescaped': 'texts without the apostrophe that kept a spreadsheet from running them as formulas',
  'graph-attributes-dropped': 'attributes of the graph as a whole that the format has no place for',
  'header-guessed': 'tables without known column names, which were interpreted by their looks',
  'id-as-text': 'ids that were numbers or lists and became text',
  'id-replaced': 'ids that the format cannot hold, replaced by others',
  'isolated-node-dropped': 'nodes without edges, which the format has no place for',
  'key-undeclared': 'values of attributes that the file does not declare, kept under their ids',
  'label-dropped': 'labels that the format has no place for',
  'label-moved': 'labels that are too long, kept in metadata.label',
  'list-as-text': 'lists, kept as text',
  'nested-metadata': 'nested values and nulls, encoded as JSON text',
  'network-dropped': 'further networks of the file, of which the first is read',
  'node-not-in-table': 'nodes that edges name and the table of nodes lacks',
  'node-order-changed': 'graphs whose nodes now have the order of their first edges',
  'null-dropped': 'words such as null or NA in place of numbers and booleans, left out',
  'number-as-text': 'numbers that are too large or invalid, kept as text',
  'oversize-dropped': 'values of metadata above the limits of an element, left out as asked',
  'partition-dropped': 'partitions, vectors and the like for another number of nodes than the network has',
  'ports-dropped': 'declared ports, except for their names at edges',
  'position-dropped': 'positions, or single coordinates, that the format has no place for',
  'quotes-unescaped': 'files with backslashes in front of quotes within texts, which the format does not have',
  'relation-dropped': 'relations of edges that the format has no place for',
  'spaces-dropped': 'cells without quotes that had spaces around their text',
  'subgraph-flattened': 'graphs, groups and clusters within the graph, whose nodes now stand beside the others',
  'text-changed': 'texts that the format cannot hold exactly',
  'text-unquoted': 'texts without their quotes',
  'type-changed': 'values that changed their type to text or number',
  'type-unknown': 'declared types that the format does not know, whose values are kept as text',
  'type-widened': 'values that became text or another type of number, like others of the same name',
  'visual-dropped': 'visual attributes, styles and drawings'
} as const

export type LossCode = keyof typeof lossMeanings

/** One type of loss and its count. */
export interface Loss {
  code: LossCode
  count: number
}

/** Counts the losses of a conversion. */
export class Losses {
  readonly #counts = new Map<LossCode, number>()

  add(code: LossCode, count = 1) {
    if (count > 0) this.#counts.set(code, (this.#counts.get(code) ?? 0) + count)
  }

  /** The losses, sorted by code. */
  get list(): Loss[] {
    return [...this.#counts].map(([code, count]) => ({ code, count })).sort((a, b) => (a.code < b.code ? -1 : 1))
  }
}
