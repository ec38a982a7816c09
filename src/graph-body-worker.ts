import { parentPort, workerData } from 'node:worker_threads'
import { type ContentLimits, contentChecker } from './content.ts'
import { ProblemError } from './errors.ts'
import { parseGraphBody } from './graph-body.ts'
import type { Outcome } from './graph-body-reader.ts'

// Runs in a thread of its own: takes bodies, one after another, and gives each back parsed and prepared.
const check = contentChecker(workerData as ContentLimits)

parentPort?.on('message', (bytes: Uint8Array) => {
  parentPort?.postMessage(parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)))
})

function parse(bytes: Buffer): Outcome {
  try {
    return { body: parseGraphBody(bytes, check) }
  } catch (error) {
    if (error instanceof ProblemError) return { code: error.code, circumstances: error.circumstances }
    throw error
  }
}
