import { type Static, Type } from '@sinclair/typebox'
import { Description, GraphCreate, GraphRecord, Message } from './graph.ts'
import { Fault, MAX_FAULTS } from './problem.ts'
import { closed, component, oneOf, optionalText, ref, TEXT } from './types.ts'

/** The names of the export formats, as used in requests. */
export const writableFormatNames = [
  'node-link',
  'jgf',
  'cytoscape',
  'cx2',
  'graphml',
  'gexf',
  'gml',
  'dot',
  'pajek',
  'mermaid',
  'xlsx',
  'csv',
  'tsv'
] as const
/** All formats that can be imported. */
const formatNames = [
  ...writableFormatNames,
  'cx',
  'neo4j',
  'adjacency',
  'cyclonedx',
  'spdx',
  'npm',
  'pipdeptree',
  'dbt',
  'canvas',
  'vosviewer',
  'gephi-lite',
  'records',
  'xgmml',
  'gdf',
  'sif',
  'edge-list',
  'turtle',
  'n-triples',
  'tgf',
  'maven-tree',
  'metis',
  'ucinet',
  'vna',
  'drawio'
] as const
export type FormatName = (typeof formatNames)[number]

export const Loss = component('Loss', 'A change made by a conversion, and how often it occurs.', {
  code: Type.String({ description: 'A stable, machine-readable code.', examples: ['nested-metadata'] }),
  count: Type.Integer({ minimum: 1, description: 'How often the change occurs.', examples: [12] }),
  detail: Type.String({
    description: 'A description of the change.',
    examples: ['nested values and nulls, encoded as JSON text']
  })
})
export type Loss = Static<typeof Loss>

export const ImportTable = component('ImportTable', 'How a table was read.', {
  kind: oneOf(['edges', 'nodes', 'matrix'], {
    description: 'Whether the rows are edges, nodes or a matrix.'
  }),
  columns: Type.Array(Type.String({ examples: ['from'] }), {
    maxItems: 200,
    description: 'The column names, at most 200; `column 1` and so on for columns without a name.'
  }),
  sourceColumn: optionalText({ description: 'The column with the sources of the edges.', examples: ['from'] }),
  targetColumn: optionalText({ description: 'The column with the targets of the edges.', examples: ['to'] }),
  idColumn: optionalText({
    description:
      'The column of the node table that contains the node ids. Without `sourceColumn`, the column that may contain them: the import needs the choice of columns.',
    examples: ['id']
  }),
  basis: Type.Optional(
    oneOf(['choice', 'names', 'content', 'order'], {
      description:
        'Why these columns were used: the caller chose them, their names were recognized, they share values, or they are the first two.'
    })
  )
})
export type ImportTable = Static<typeof ImportTable>

export const ImportReport = component('ImportReport', 'The contents of a file and the result of its import.', {
  format: oneOf(formatNames, { description: 'The detected format.', examples: ['gexf'] }),
  version: optionalText({ description: 'The version of the format, if the file specifies one.', examples: ['1.3'] }),
  name: optionalText({
    description: 'The name of the graph in the file, or else the name of a file inside an archive.',
    examples: ['Les Misérables']
  }),
  type: optionalText({ description: 'The type of the graph in the file.', examples: ['co-occurrence'] }),
  nodeCount: Type.Integer({
    minimum: 0,
    description: 'The number of nodes read, excluding those omitted by `lenient`.',
    examples: [77]
  }),
  edgeCount: Type.Integer({
    minimum: 0,
    description: 'The number of edges read, excluding those omitted by `lenient`.',
    examples: [254]
  }),
  table: Type.Optional(ref(ImportTable)),
  valid: Type.Boolean({
    description: 'Whether the file can be imported: it has no faults, or `lenient` omitted all elements with faults.'
  }),
  faultCount: Type.Integer({ minimum: 0, description: 'The number of faults.', examples: [0] }),
  faults: Type.Array(ref(Fault), { maxItems: MAX_FAULTS, description: `The first ${MAX_FAULTS} faults.` }),
  droppable: Type.Optional(
    Type.Boolean({ description: 'Whether only nodes and edges have faults, so that `lenient` can omit them.' })
  ),
  losses: Type.Array(ref(Loss), { description: 'The changes and losses during import.' })
})
export type ImportReport = Static<typeof ImportReport>

/** The response when a file replaces the content: the graph, or the report of a dry run. */
export const ImportResult = Type.Unsafe<GraphRecord | ImportReport>({
  oneOf: [ref(GraphRecord), ref(ImportReport)],
  $id: 'ImportResult',
  title: 'ImportResult',
  description: 'The graph with its new content or, with `dryRun`, the report on the file.'
})

/**
 * The name of a format. An unknown name fails with 415 `format-unknown` or 406 `format-not-acceptable`, not with a validation
 * error.
 */
const formatOf = (names: readonly string[]) => {
  const described = { description: 'The name of the format.', examples: ['graphml'] }
  return optionalText({ maxLength: 32, shown: oneOf(names, described) })
}
const dryRun = Type.Optional(
  Type.Boolean({ description: 'Returns the report without storing anything.', examples: [false] })
)

const endColumn = (end: string) =>
  optionalText({
    minLength: 1,
    maxLength: 255,
    description: `For tables: the column with the ${end} of the edges, by name or by number from 1. Give both columns or neither.`,
    examples: ['from']
  })
const idColumn = optionalText({
  minLength: 1,
  maxLength: 255,
  description: 'For node tables: the column with the node ids, by name or by number from 1.',
  examples: ['id']
})
const oversize = Type.Optional(
  oneOf(['refuse', 'drop'], {
    default: 'refuse',
    description:
      'How to handle metadata values that exceed the limits of an element: `refuse` refuses the file; `drop` omits and counts the values.',
    examples: ['drop']
  })
)
const directed = Type.Optional(
  Type.Boolean({
    description: 'Makes all edges directed or undirected, whatever the file specifies. By default, the file decides.',
    examples: [true]
  })
)
const encoding = optionalText({
  minLength: 1,
  maxLength: 40,
  description:
    'The text encoding of the file: a label of the WHATWG Encoding Standard. It overrides the `charset` in `Content-Type`, but not a byte order mark.',
  examples: ['windows-1251']
})
const lenient = Type.Optional(
  Type.Boolean({
    description:
      'Omits nodes and edges with faults, and the edges of such nodes, instead of rejecting the file. The report counts and lists the faults.',
    examples: [false]
  })
)
const columns = { sourceColumn: endColumn('sources'), targetColumn: endColumn('targets'), idColumn }

export const ExportQuery = closed({ format: formatOf(writableFormatNames) })

const message = Type.Optional({
  ...Message,
  description: 'A comment on the change, shown with its version and its event.'
})

/** The parameters for reading a file. */
export const readingParameters = { format: formatOf(formatNames), ...columns, directed, encoding, oversize, lenient }

export const ContentQuery = closed({ ...readingParameters, message, dryRun })

/** The fields of a graph that is created from a file. */
const creation = {
  name: Type.Optional({ ...GraphCreate.properties.name, description: 'The name of the graph.' }),
  type: optionalText({ minLength: 1, maxLength: 64, pattern: TEXT, description: 'The type of the graph.' }),
  description: Type.Optional(Description),
  shared: Type.Optional(
    Type.Boolean({ description: 'Whether all logged-in users can read the graph.', examples: [false] })
  )
}

export const ImportQuery = closed({ ...creation, ...readingParameters, message, dryRun })
