import { type Static, Type } from '@sinclair/typebox'
import { GraphRecord, graphSorts } from './graph.ts'
import { component, Time } from './types.ts'

/** A graph in the trash. */
export const TrashedGraph = component('TrashedGraph', 'A deleted graph, which can be restored until it expires.', {
  ...GraphRecord.properties,
  trashedAt: { ...Time, description: 'The time of its deletion.' },
  trashedBy: Type.String({
    description: 'The actor that deleted it; empty if the login was erased.',
    examples: ['ada']
  }),
  expiresAt: { ...Time, description: 'From this time on the server may remove it permanently.' }
})
export type TrashedGraph = Static<typeof TrashedGraph>

export const trashSorts = [...graphSorts, 'trashedAt', 'trashedBy'] as const
