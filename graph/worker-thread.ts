import { constants as os, setPriority } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { constants, zstdCompressSync } from 'node:zlib'
import { ProblemError } from '../schemas/errors.ts'
import type { PreparedContent } from '../schemas/graph-content.ts'
import { hasContent, parseGraphBody } from './body.ts'
import { type ContentLimits, contentChecker, jsonNow } from './content.ts'
import { writeDiff } from './diff-document.ts'
import { contentOf, readGraphFile, writeGraphFile } from './files.ts'
import type { Format } from './formats/format.ts'
import { formatNamed } from './formats/index.ts'
import { endableBy, uncut } from './uncut.ts'
import { type Message, owned, type Task } from './worker.ts'

/** What is written is packed only until it is read. */
const QUICKLY = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** So much may stay from one task to the next, in bytes. What a task leaves behind would count as memory of the next one. */
const LEFT = 64 * 1024 * 1024

// Runs in a thread of its own: takes tasks, one after another, and answers each.

// Where cores are short, the event loop goes first. Linux gives threads their own priority; elsewhere it is the process's.
if (process.platform === 'linux') setPriority(os.priority.PRIORITY_BELOW_NORMAL)

const { limits, gate } = workerData as { limits: ContentLimits; gate: Int32Array }
endableBy(gate)
const check = contentChecker(limits)

parentPort?.on('message', (task: Task) => {
  try {
    run(task)
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    say({ kind: 'problem', code: error.code, circumstances: error.circumstances })
  }
  const { used_heap_size: heap, external_memory: buffers } = getHeapStatistics()
  // Takes some 40 ms where little is left. V8 itself is in no hurry.
  if (heap + buffers > LEFT) globalThis.gc?.()
})

function run(task: Task) {
  if (task.kind === 'body') {
    const body = parseGraphBody(bufferOf(task.bytes), check)
    const content = hasContent(body) ? (body.content as PreparedContent) : undefined
    say({ kind: 'result', value: body }, content?.stored?.body)
  } else if (task.kind === 'read') {
    const reading = readGraphFile(bufferOf(task.bytes), task.options, limits, check)
    say({ kind: 'result', value: reading }, reading.stored?.body)
  } else if (task.kind === 'diff') {
    const [from, to] = [task.from, task.to].map((body) => (body === undefined ? undefined : jsonNow(body)))
    const bytes = writeDiff(from, to, task.request)
    say({ kind: 'result', value: bytes }, bytes)
  } else {
    const { name, type, body, format } = task
    const graph = { name, ...(type !== undefined && { type }), content: contentOf(jsonNow(body)) }
    const { losses, chunks } = writeGraphFile(graph, formatNamed(format) as Format)
    say({ kind: 'result', value: losses })
    for (const chunk of chunks) {
      const piece = uncut(() => zstdCompressSync(chunk, QUICKLY))
      say({ kind: 'piece', piece }, piece)
    }
    say({ kind: 'end' })
  }
}

function say(message: Message, bytes?: Uint8Array | string) {
  parentPort?.postMessage(message, owned(bytes))
}

function bufferOf(bytes: Uint8Array) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
