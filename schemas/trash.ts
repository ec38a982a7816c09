import { type Static, Type } from '@sinclair/typebox'
import { GraphRecord, graphSorts } from './graph.ts'
import { component, Time } from './types.ts'

/** A graph in the trash. */
export const TrashedGraph = component('TrashedGraph', 'A deleted graph, which can be restored until it expires.', {
  ...GraphRecord.properties,
  trashedAt: { ...Time, description: 'When the graph was deleted.' },
  trashedBy: Type.String({
    description: 'The login of the user who deleted the graph; empty if it was erased.',
    examples: ['ada']
  }),
  expiresAt: { ...Time, description: 'The time after which the server can permanently delete the graph.' }
})
export type TrashedGraph = Static<typeof TrashedGraph>

export const trashSorts = [...graphSorts, 'trashedAt', 'trashedBy'] as const
