import { type Static, Type } from '@sinclair/typebox'
import { GraphRecord, Message, Version } from './graph.ts'
import { IdParameter } from './parameters.ts'
import { closedComponent, component, Id, idDigits, Time } from './types.ts'

/** A version of a graph, as lists show it. */
export const GraphVersion = component('GraphVersion', 'A version of a graph, with its author, time and message.', {
  version: Version,
  timestamp: { ...Time, description: 'The time of the change.' },
  principal: Type.String({
    description: 'The author: a login, or `system`; empty if the login was erased.',
    examples: ['ada']
  }),
  message: Type.Optional(Message),
  name: GraphRecord.properties.name,
  nodeCount: GraphRecord.properties.nodeCount,
  edgeCount: GraphRecord.properties.edgeCount,
  auditEventId: Type.Optional({
    ...Id,
    description: 'The event of the change. It may have been removed; absent if that of the first version was.'
  }),
  restoredFrom: Type.Optional({ ...Version, description: 'The version that this one restored.' })
})
export type GraphVersion = Static<typeof GraphVersion>

export const versionSorts = ['version', 'timestamp', 'principal', 'name', 'nodeCount', 'edgeCount'] as const

/** The path parameters for a graph and one of its versions. */
export const VersionParameters = Type.Object({
  ...IdParameter.properties,
  version: idDigits({ description: 'The version.', examples: ['2'] })
})

export const Restoration = closedComponent('Restoration', 'The version to restore, and a message.', {
  version: { ...Version, description: 'The version to restore.' },
  message: Type.Optional(Message)
})
export type Restoration = Static<typeof Restoration>
