import { type Static, Type } from '@sinclair/typebox'
import { GraphRecord, Message, Version } from './graph.ts'
import { IdParameter } from './parameters.ts'
import { closedComponent, component, Id, idDigits, Time } from './types.ts'

/** A version of a graph, without its content. */
export const GraphVersion = component('GraphVersion', 'A version of a graph, with its author, time and comment.', {
  version: Version,
  timestamp: { ...Time, description: 'The time of the change.' },
  principal: Type.String({
    description: 'The login of the author, or `system`; empty if it was erased.',
    examples: ['ada']
  }),
  message: Type.Optional(Message),
  name: GraphRecord.properties.name,
  nodeCount: GraphRecord.properties.nodeCount,
  edgeCount: GraphRecord.properties.edgeCount,
  auditEventId: Type.Optional({
    ...Id,
    description:
      'The id of the event that records the change. The event may have been removed since. Absent if the event of the first version was removed.'
  }),
  restoredFrom: Type.Optional({
    ...Version,
    description: 'The version that was restored, if this version restores one.'
  })
})
export type GraphVersion = Static<typeof GraphVersion>

export const versionSorts = ['version', 'timestamp', 'principal', 'name', 'nodeCount', 'edgeCount'] as const

/** The path parameters for a graph and one of its versions. */
export const VersionParameters = Type.Object({
  ...IdParameter.properties,
  version: idDigits({ description: 'The version.', examples: ['2'] })
})

export const Restoration = closedComponent('Restoration', 'The version to restore and a comment.', {
  version: { ...Version, description: 'The version to restore.' },
  message: Type.Optional(Message)
})
export type Restoration = Static<typeof Restoration>
