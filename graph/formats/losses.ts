/** What a conversion can change, by its code: what the count of a code counts. */
export const losses = {
  'attribute-renamed': 'values under another name, since theirs means something else in the format',
  'attributes-dropped': 'attributes of nodes and edges that the format has no place for',
  'aspects-dropped': 'parts of the file that say something else than nodes, edges and their attributes',
  'characters-replaced': 'texts with characters that the format cannot hold',
  'dynamics-dropped': 'nodes, edges and values that hold for some time only, which is not kept',
  'edge-id-dropped': 'ids of edges that the format has no place for',
  'edge-id-moved': 'ids of edges that are not unique, kept in metadata.id',
  'edge-merged': 'edges that the file itself declares to be the same as an earlier one',
  'edge-per-direction': 'edges without a direction that became two, one for each direction',
  'empty-text-dropped': 'empty texts, which the format cannot tell from absent ones',
  'encoding-guessed': 'files in no known encoding, read as Windows-1252',
  'formula-escaped': 'texts that a spreadsheet would run as formulas, which got an apostrophe in front',
  'formula-unescaped': 'texts that lost the apostrophe that kept a spreadsheet from running them as formulas',
  'graph-attributes-dropped': 'attributes of the graph as a whole that the format has no place for',
  'header-guessed': 'files whose first line names no column that is known, and was taken by its looks',
  'id-as-text': 'ids that were numbers or lists and became text',
  'id-replaced': 'ids that the format cannot hold, replaced by others',
  'isolated-node-dropped': 'nodes without edges, which the format has no place for',
  'label-dropped': 'labels that the format has no place for',
  'label-moved': 'labels too long to be one, kept in metadata.label',
  'nested-metadata': 'nested values and nulls, encoded as JSON text',
  'node-order-changed': 'graphs whose nodes are now in the order in which edges name them',
  'number-as-text': 'numbers that are too large or no numbers, kept as text',
  'ports-dropped': 'ports that are declared, beyond their names at edges',
  'position-dropped': 'positions, or single coordinates, that the format has no place for',
  'relation-dropped': 'relations of edges that the format has no place for',
  'subgraph-flattened': 'graphs, groups and clusters within the graph, whose nodes now stand beside the others',
  'text-changed': 'texts that the format cannot hold to the letter',
  'type-changed': 'values that became another type: text, or a number',
  'type-widened': 'values that became text or another number, since others of the same name are',
  'visual-dropped': 'visual attributes, styles and drawings'
} as const

export type LossCode = keyof typeof losses

/** One kind of change and how often it happened. */
export interface Loss {
  code: LossCode
  count: number
}

/** Counts what a conversion changes. */
export class Losses {
  readonly #counts = new Map<LossCode, number>()

  add(code: LossCode, count = 1) {
    if (count > 0) this.#counts.set(code, (this.#counts.get(code) ?? 0) + count)
  }

  /** By code. */
  get list(): Loss[] {
    return [...this.#counts].map(([code, count]) => ({ code, count })).sort((a, b) => (a.code < b.code ? -1 : 1))
  }
}
