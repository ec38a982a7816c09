import { sealEvent } from '../../audit/entry.ts'

/** Returns the log entry of a GRAPH_CREATED event, as the server would seal it. */
export function entryOf(id: number, principal = `user${id}`): Buffer {
  const salts = Buffer.alloc(48, 1)
  salts.writeUInt32BE(id)
  const open = { id, time: '2026-11-23T12:00:00.000Z', type: 'GRAPH_CREATED', outcome: 'SUCCESS' }
  return sealEvent({ ...open, target: { type: 'GRAPH', id }, principal, request: null, name: 'é', data: {} }, salts)
    .bytes
}
