import { parentPort } from 'node:worker_threads'
import { type LeavesToWrite, writeLeaves } from './lines.ts'
import { giveWay } from './priority.ts'

// The entry point of a thread that writes export lines, one job at a time.

giveWay()

parentPort?.on('message', (leaves: LeavesToWrite) => {
  const written = writeLeaves(leaves)
  parentPort?.postMessage(written, [written.bytes.buffer])
})
