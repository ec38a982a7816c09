import { constants as os, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { type LogEnd, sealBatch } from './audit-batch.ts'
import { unpackRows } from './audit-rows.ts'
import type { AuditEventRow } from './tables.ts'

// The entry of a thread that seals batches of events, one after another. Requests come first: on Linux threads have priorities of their
// own.
if (process.platform === 'linux') setPriority(os.priority.PRIORITY_BELOW_NORMAL)

parentPort?.on('message', ({ end, rows }: { end: LogEnd; rows: AuditEventRow[] | string }) => {
  parentPort?.postMessage(sealBatch(end, typeof rows === 'string' ? unpackRows(rows) : rows))
})
