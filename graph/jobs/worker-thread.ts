import { getPriority, constants as os, setPriority } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { constants, zstdCompressSync } from 'node:zlib'
import { graphPlaces, writePositions } from '../../picture/layout/graph-layout.ts'
import { LayoutRefused } from '../../picture/layout/placed.ts'
import { drawGraph } from '../../picture/sheet/drawn-graph.ts'
import { pngOf } from '../../picture/sheet/png.ts'
import { svgOf } from '../../picture/sheet/svg.ts'
import type { PreparedContent } from '../../schemas/graph-content.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { hasContent, parseGraphBody } from '../content/body.ts'
import { type ContentLimits, contentChecker, contentOf, jsonNow } from '../content/content.ts'
import { endableBy, uninterruptible } from '../content/uninterruptible.ts'
import { writeDiff } from '../diff/document.ts'
import { patchContent } from '../diff/patch.ts'
import { readGraphFile, writeGraphFile } from '../files/conversion.ts'
import { partOf } from '../files/parts.ts'
import { writableFormatNamed } from '../formats/index.ts'
import type { WritableFormat } from '../formats/shared/format.ts'
import { type Adjacency, adjacencyOf } from '../query/adjacency.ts'
import { findInStored, wordsOfStored } from '../query/stored-words.ts'
import { subgraphOf, subgraphOfKept } from '../query/subgraph.ts'
import { summaryOf } from '../query/summary.ts'
import { type DrawnPicture, type Message, type Task, transferable, type WrittenLayout } from './scheduler.ts'

/** Chunks stay compressed only until they are read, so fast compression is sufficient. */
const QUICKLY = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** If more bytes than this are in use after a task, garbage is collected. They count towards the memory of the next task. */
const LEFT = 64 * 1024 * 1024

// Runs in a separate thread and processes tasks one at a time.

// Lowers the priority of this thread below that of the event loop. Only Linux has per-thread priorities; on other systems, this
// would affect the whole process.
const BELOW_NORMAL = os.priority.PRIORITY_BELOW_NORMAL
if (process.platform === 'linux' && getPriority() < BELOW_NORMAL) setPriority(BELOW_NORMAL)

const { limits, gate } = workerData as { limits: ContentLimits; gate: Int32Array }
endableBy(gate)
const check = contentChecker(limits)

parentPort?.on('message', async (task: Task) => {
  try {
    await run(task)
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    send({ kind: 'problem', code: error.code, circumstances: error.circumstances })
  }
  const { used_heap_size: heap, external_memory: buffers } = getHeapStatistics()
  // Garbage collection takes about 40 ms if little data remains. V8 would otherwise run it much later.
  if (heap + buffers > LEFT) globalThis.gc?.()
})

async function run(task: Task) {
  if (task.kind === 'body') {
    const body = parseGraphBody(bufferOf(task.bytes), check)
    const content = hasContent(body) ? (body.content as PreparedContent) : undefined
    send({ kind: 'result', value: body }, content?.stored?.body)
  } else if (task.kind === 'patch') {
    const { bytes, content, state } = task
    const json = content === undefined ? undefined : jsonNow(content)
    const patched = patchContent(contentOf(json), bufferOf(bytes), state, check, limits.bodyLimit)
    send({ kind: 'result', value: patched }, patched.stored.body)
  } else if (task.kind === 'read') {
    const reading = readGraphFile(bufferOf(task.bytes), task.options, limits, check)
    send({ kind: 'result', value: reading }, reading.stored?.body)
  } else if (task.kind === 'diff') {
    const [from, to] = [task.from, task.to].map((body) => (body === undefined ? undefined : jsonNow(body)))
    const bytes = writeDiff(from, to, task.request)
    send({ kind: 'result', value: bytes }, bytes)
  } else if (task.kind === 'words') {
    send({ kind: 'result', value: wordsOfStored(task.body) })
  } else if (task.kind === 'summary') {
    send({ kind: 'result', value: summaryOf(contentOf(jsonNow(task.body))) })
  } else if (task.kind === 'subgraph') {
    answer(task)
  } else if (task.kind === 'picture') {
    const { body, title, options, layout, view } = task
    const picture = drawGraph(contentOf(jsonNow(body)), title, options, { layout, view })
    const svg = svgOf(picture)
    const bytes = task.kit ? await pngOf(svg, task.kit) : new TextEncoder().encode(svg)
    const { layout: computed, isProvisional = false } = picture
    send({ kind: 'result', value: { bytes, layout: computed, isProvisional } satisfies DrawnPicture }, bytes)
  } else if (task.kind === 'layout') {
    const content = contentOf(jsonNow(task.body))
    const found = placesOf(content, task.algorithm, task)
    if (!found) return send({ kind: 'result', value: undefined })
    const { positions, ...places } = found
    const written = new TextEncoder().encode(writePositions(content, positions))
    send(
      { kind: 'result', value: { computed: undefined, ...places, positions: written } satisfies WrittenLayout },
      written
    )
  } else if (task.kind === 'find') {
    send({ kind: 'result', value: findInStored(task.bodies, task.query, task.wanted) })
  } else {
    const { name, type, body, format } = task
    const graph = { name, ...(type !== undefined && { type }), content: contentOf(jsonNow(body)) }
    const { losses, chunks } = writeGraphFile(graph, writableFormatNamed(format) as WritableFormat)
    send({ kind: 'result', value: losses })
    for (const chunk of chunks) {
      const piece = uninterruptible(() => zstdCompressSync(chunk, QUICKLY))
      send({ kind: 'piece', piece }, piece)
    }
    send({ kind: 'end' })
  }
}

/**
 * Returns the positions of the nodes; see graphPlaces. Throws `graph-too-complex` if the graph is too large for the algorithm.
 */
function placesOf(...[content, algorithm, options]: Parameters<typeof graphPlaces>) {
  try {
    return graphPlaces(content, algorithm, options)
  } catch (error) {
    if (!(error instanceof LayoutRefused)) throw error
    throw new ProblemError('graph-too-complex', { detail: `The graph is too large for the layout \`${algorithm}\`.` })
  }
}

function answer({ body, kept, keeps, question, as }: Extract<Task, { kind: 'subgraph' }>) {
  if (kept || body === undefined) {
    const part = partOf(subgraphOfKept(kept as Adjacency, question), as)
    return send({ kind: 'result', value: part }, part.bytes)
  }
  const content = contentOf(jsonNow(body))
  const { links, ...subgraph } = subgraphOf(content, question)
  const part = partOf(subgraph, as)
  send({ kind: 'result', value: part }, part.bytes)
  if (!keeps) return
  // The caller already has the result.
  send({ kind: 'kept', adjacency: adjacencyOf(content, links) })
  send({ kind: 'end' })
}

function send(message: Message, bytes?: Uint8Array | string) {
  parentPort?.postMessage(message, transferable(bytes))
}

function bufferOf(bytes: Uint8Array) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
