import { type Static, Type } from '@sinclair/typebox'
import { Message, NewGraph } from './graph.ts'
import { Fault, MAX_FAULTS } from './problem.ts'
import { ref, TEXT } from './types.ts'

export const Loss = Type.Object(
  {
    code: Type.String({ description: 'A stable word for machines.', examples: ['nested-metadata'] }),
    count: Type.Integer({ minimum: 1, description: 'How often it happens.', examples: [12] }),
    detail: Type.String({
      description: 'What the count counts.',
      examples: ['nested values and nulls, encoded as JSON text']
    })
  },
  { $id: 'Loss', title: 'Loss', description: 'Something that a conversion changes, and how often.' }
)
export type Loss = Static<typeof Loss>

export const ImportReport = Type.Object(
  {
    format: Type.String({ description: 'The format that was found.', examples: ['gexf'] }),
    version: Type.Optional(Type.String({ description: 'Its version, where the file tells.', examples: ['1.3'] })),
    name: Type.Optional(Type.String({ description: 'What the file calls the graph.', examples: ['Les Misérables'] })),
    type: Type.Optional(Type.String({ description: 'The kind of graph, by the file.', examples: ['co-occurrence'] })),
    nodeCount: Type.Integer({ minimum: 0, description: 'How many nodes were read.', examples: [77] }),
    edgeCount: Type.Integer({ minimum: 0, description: 'How many edges were read.', examples: [254] }),
    valid: Type.Boolean({ description: 'Whether it can be taken in: it has no faults.' }),
    faultCount: Type.Integer({ minimum: 0, description: 'How many faults it has.', examples: [0] }),
    faults: Type.Array(ref(Fault), { maxItems: MAX_FAULTS, description: 'The first 50 of them.' }),
    losses: Type.Array(ref(Loss), { description: 'What is changed or lost on the way in.' })
  },
  { $id: 'ImportReport', title: 'ImportReport', description: 'What is in a file, and what becomes of it.' }
)
export type ImportReport = Static<typeof ImportReport>

const format = Type.String({ maxLength: 32, description: 'The format, by its name.', examples: ['graphml'] })
const dryRun = Type.Optional(
  Type.Boolean({ description: 'Stores nothing, and answers with the report.', examples: [false] })
)

export const ExportQuery = Type.Object({ format: Type.Optional(format) }, { additionalProperties: false })

const message = Type.Optional({
  ...Message,
  description: 'What there is to say about the change; its version and its event show it.'
})

export const ContentQuery = Type.Object(
  { format: Type.Optional(format), message, dryRun },
  { additionalProperties: false }
)

export const ImportQuery = Type.Object(
  {
    format: Type.Optional(format),
    name: Type.Optional({ ...NewGraph.properties.name, description: 'What the graph shall be called.' }),
    type: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, pattern: TEXT, description: 'What kind of graph it is.' })
    ),
    shared: Type.Optional(
      Type.Boolean({ description: 'Whether every logged-in user may read it.', examples: [false] })
    ),
    message,
    dryRun
  },
  { additionalProperties: false }
)
