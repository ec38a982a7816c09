import { parentPort } from 'node:worker_threads'
import { type LeavesToWrite, writeLeaves } from './lines.ts'
import { giveWay } from './priority.ts'

// The entry of a thread that writes lines of exports, one job after another.

giveWay()

parentPort?.on('message', (leaves: LeavesToWrite) => {
  const written = writeLeaves(leaves)
  parentPort?.postMessage(written, [written.bytes.buffer])
})
