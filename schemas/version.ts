import { type Static, Type } from '@sinclair/typebox'
import { GraphRecord, Message, Version } from './graph.ts'
import { IdParameter } from './parameters.ts'
import { digits, Id, Time } from './types.ts'

/** A version of a graph, as lists show it. */
export const GraphVersion = Type.Object(
  {
    version: Version,
    timestamp: { ...Time, description: 'When it was made.' },
    principal: Type.String({ description: 'Who made it: a login, or `system`.', examples: ['ada'] }),
    message: Type.Optional(Message),
    name: GraphRecord.properties.name,
    nodeCount: GraphRecord.properties.nodeCount,
    edgeCount: GraphRecord.properties.edgeCount,
    auditEventId: { ...Id, description: 'The event that tells of it.' },
    restoredFrom: Type.Optional({ ...Version, description: 'The version whose state it has again.' })
  },
  {
    $id: 'GraphVersion',
    title: 'GraphVersion',
    description: 'A version of a graph: who made it, when, and what they say about it.'
  }
)
export type GraphVersion = Static<typeof GraphVersion>

export const versionSorts = ['version', 'timestamp', 'principal', 'name', 'nodeCount', 'edgeCount'] as const

/** A graph and one of its versions, in a path. */
export const VersionParameters = Type.Object({
  ...IdParameter.properties,
  version: digits(1n, 9223372036854775807n, { description: 'The version.', examples: ['2'] })
})

export const Restoration = Type.Object(
  {
    version: { ...Version, description: 'The version whose state the graph shall have again.' },
    message: Type.Optional(Message)
  },
  {
    $id: 'Restoration',
    title: 'Restoration',
    additionalProperties: false,
    description: 'Which version shall be restored.'
  }
)
export type Restoration = Static<typeof Restoration>
