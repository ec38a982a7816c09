import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { type LogEnd, sealBatch } from './audit-batch.ts'
import { unpackRows } from './audit-rows.ts'
import type { AuditEventRow } from './tables.ts'

// The entry of a thread that seals batches of events, one after another.

/** The thread gets a quarter of a core that is busy with requests: checkpoints have to keep up. Only Linux has priorities per thread. */
const NICENESS = 5
if (process.platform === 'linux') setPriority(NICENESS)

parentPort?.on('message', ({ end, rows }: { end: LogEnd; rows: AuditEventRow[] | string }) => {
  parentPort?.postMessage(sealBatch(end, typeof rows === 'string' ? unpackRows(rows) : rows))
})
