import { parentPort } from 'node:worker_threads'
import type { AuditEventRow } from '../tables.ts'
import { type LogEnd, sealBatch } from './batch.ts'
import { giveWay } from './priority.ts'
import { unpackRows } from './rows.ts'

// The entry point of a thread that seals batches of events one at a time.

giveWay()

parentPort?.on('message', ({ end, rows }: { end: LogEnd; rows: AuditEventRow[] | string }) => {
  parentPort?.postMessage(sealBatch(end, typeof rows === 'string' ? unpackRows(rows) : rows))
})
