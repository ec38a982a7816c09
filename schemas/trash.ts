import { type Static, Type } from '@sinclair/typebox'
import { GraphRecord, graphSorts } from './graph.ts'
import { Time } from './types.ts'

/** A graph in the trash. */
export const TrashedGraph = Type.Object(
  {
    ...GraphRecord.properties,
    trashedAt: { ...Time, description: 'When it was deleted.' },
    trashedBy: Type.String({ description: 'Who deleted it.', examples: ['ada'] }),
    expiresAt: { ...Time, description: 'From when on it may be gone for good.' }
  },
  {
    $id: 'TrashedGraph',
    title: 'TrashedGraph',
    description: 'A graph that was deleted, and can be had back until it expires.'
  }
)
export type TrashedGraph = Static<typeof TrashedGraph>

export const trashSorts = [...graphSorts, 'trashedAt', 'trashedBy'] as const
