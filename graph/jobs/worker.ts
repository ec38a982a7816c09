import type { Readable } from 'node:stream'
import type { Layout } from '../../picture/layout/places.ts'
import type { Body, PreparedContent, StoredContent } from '../../schemas/graph-content.ts'
import type { Loss } from '../../schemas/graph-file.ts'
import type { GraphSummary } from '../../schemas/graph-part.ts'
import type { LayoutAlgorithm } from '../../schemas/layout.ts'
import type { PictureOptions } from '../../schemas/picture.ts'
import { hasContent, parseGraphBody } from '../content/body.ts'
import { type CheckContent, type ContentLimits, contentChecker, contentOf, jsonOf } from '../content/content.ts'
import type { WordQuery } from '../content/words.ts'
import { type DiffRequest, writeDiff } from '../diff/document.ts'
import { type PatchedContent, type PatchedState, patchContent } from '../diff/patch.ts'
import { type FileOptions, type FileReading, readGraphFile, writeGraphFile } from '../files/conversion.ts'
import { type Part, type PartForm, partOf } from '../files/parts.ts'
import { packingOf } from '../files/unpack.ts'
import type { GraphToWrite, WritableFormat } from '../formats/shared/format.ts'
import { TakesLong } from '../formats/shared/graph-builder.ts'
import { unpackedAtMost } from '../packing/inflate.ts'
import { type Adjacency, sizeOfAdjacency } from '../query/adjacency.ts'
import type { FoundElement, Wanted } from '../query/find-elements.ts'
import { findInStored, wordsOfStored } from '../query/stored-words.ts'
import { type Question, subgraphOf } from '../query/subgraph.ts'
import { summaryOf } from '../query/summary.ts'
import { Budget } from './budget.ts'
import { LruCache } from './lru-cache.ts'
import { alone } from './peers.ts'
import { type DrawnPicture, Jobs, type JobsSettings, type Task, type WrittenLayout } from './scheduler.ts'
import { Spool } from './spool.ts'
import { type Reason, resourceLimitsFor, type StartThread } from './thread.ts'
import { takeTurn } from './turns.ts'

/**
 * The size in bytes from which bodies and content are processed in another thread. Smaller ones block the event loop for less
 * than about 3 ms.
 */
const LARGE = 32 * 1024

/** The threshold for files, in bytes. It is lower, since tables and text formats take longer to read than JSON. */
const LARGE_FILE = 16 * 1024

/** The size in bytes up to which bodies and content are processed without waiting for a turn. */
const TINY = 4096

/** Small content may produce a large file. A file with more characters than this is written in another thread. */
const SMALL_FILE = 128 * 1024

/**
 * A small file may contain a large graph. A graph with at least this many nodes and edges is also processed in another thread.
 */
const SMALL_GRAPH = 3000

/** The size from which a graph's adjacency is cached for further queries, in bytes of JSON. */
const KEPT_FROM = 1024 * 1024

/** The sizes of the caches for adjacencies and summaries, in bytes. */
const ADJACENCIES = 128 * 1024 * 1024
const SUMMARIES = 4 * 1024 * 1024

/** The maximum number of compressed bytes buffered for readers. Files already being transferred may use up to twice as much. */
const SPOOL = 128 * 1024 * 1024

/** Settings of the worker and its jobs. */
export interface WorkerSettings extends Partial<JobsSettings> {
  startThread: StartThread
  /** The maximum number of compressed bytes buffered for readers. */
  spool?: number
}

/** Content in its stored form, which takes less memory than the parsed form. */
export type Content = Pick<StoredContent, 'body' | 'size'>

/** Stored content that is loaded on demand. Content with a given id never changes. */
export interface LoadableContent {
  id: number
  /** The size of the JSON, in bytes. */
  size: number
  load(): Promise<Content | null>
}

/** A written file: its bytes and the conversion losses. */
interface WrittenFile {
  losses: Loss[]
  bytes: Buffer | Readable
}

/**
 * Reads and writes graphs. Small graphs are processed immediately. Large graphs are processed by jobs in threads, so they delay
 * only their own request. Their buffers are transferred, which detaches them from the caller.
 */
export class GraphWorker {
  readonly #limits: ContentLimits
  readonly #jobs: Jobs
  /** The layouts of large graphs, which take up to a minute each and must not delay other jobs. */
  readonly #layouts: Jobs
  readonly #spool: Budget
  readonly #adjacencies = new LruCache<Adjacency>(ADJACENCIES)
  readonly #summaries = new LruCache<GraphSummary>(SUMMARIES)
  #checker: CheckContent | undefined

  constructor(limits: ContentLimits, settings: WorkerSettings) {
    const { startThread, timeout = 60_000, memory = 768, spool = SPOOL, peers = alone } = settings
    this.#limits = limits
    this.#spool = new Budget(spool, 'Too many large files are being processed. Try again shortly.')
    const start = (gate: Int32Array) =>
      startThread('worker-thread', import.meta.url, {
        workerData: { limits, gate },
        resourceLimits: resourceLimitsFor(memory)
      })
    this.#jobs = new Jobs(start, { timeout, memory, peers })
    this.#layouts = new Jobs(start, { timeout, memory, peers, threads: 1, kept: 0 })
  }

  /** Sets a function that is called for each job stopped without a result. */
  set onEnded(listener: (reason: Reason) => void) {
    this.#jobs.onEnded = listener
    this.#layouts.onEnded = listener
  }

  /** Created on first use to speed up startup. */
  get #check() {
    this.#checker ??= contentChecker(this.#limits)
    return this.#checker
  }

  /**
   * Parses a request body and prepares its content. Throws the same errors as parseGraphBody, or `file-too-complex` or
   * `server-busy`.
   */
  async readBody(bytes: Buffer): Promise<unknown> {
    if (bytes.length < LARGE) return parseGraphBody(bytes, this.#check)
    const body = await this.#jobs.ask({ kind: 'body', bytes })
    if (hasContent(body)) restore((body.content as PreparedContent).stored)
    return body
  }

  /**
   * Applies a ContentPatch in JSON to the content; null means an empty graph. Throws the same errors as patchContent, or
   * `file-too-complex` or `server-busy`.
   */
  async patch(bytes: Buffer, content: Content | null, state: PatchedState): Promise<PatchedContent> {
    const size = bytes.length + (content?.size ?? 0)
    if (size < LARGE) {
      const json = content ? await jsonOf(content.body) : undefined
      await turnFor(size)
      return patchContent(contentOf(json), bytes, state, this.#check, this.#limits.bodyLimit)
    }
    const task = { kind: 'patch', bytes, content: content?.body, state } as const
    const patched = (await this.#jobs.ask(task, { size })) as PatchedContent
    restore(patched.stored)
    return patched
  }

  /** Reads a file. Throws the same errors as readGraphFile, or `file-too-complex`, `server-busy` or `request-aborted`. */
  async readFile(bytes: Buffer, options: FileOptions): Promise<FileReading> {
    const isPacked = packingOf(bytes) !== undefined
    if (bytes.length < LARGE_FILE && !isPacked) {
      try {
        return readGraphFile(bytes, options, this.#limits, this.#check, SMALL_GRAPH)
      } catch (error) {
        if (!(error instanceof TakesLong)) throw error
      }
    }
    // For a packed file, assumes the maximum size it may unpack to.
    const size = isPacked ? unpackedAtMost(bytes.length, this.#limits.bodyLimit) : bytes.length
    const reading = (await this.#jobs.ask({ kind: 'read', bytes, options }, { size })) as FileReading
    restore(reading.stored)
    return reading
  }

  /**
   * Writes the graph as a file. A large file is returned as a stream that buffers until it is read. Throws `graph-too-complex`
   * or `server-busy`.
   */
  async writeFile(
    { name, type }: Omit<GraphToWrite, 'content'>,
    content: Content | null,
    format: WritableFormat
  ): Promise<WrittenFile> {
    if (!content || content.size < LARGE) {
      const json = content ? await jsonOf(content.body) : undefined
      await turnFor(content?.size ?? 0)
      const graph = { name, ...(type !== undefined && { type }), content: contentOf(json) }
      try {
        const { losses, chunks } = writeGraphFile(graph, format, content ? SMALL_FILE : undefined)
        return { losses, bytes: Buffer.concat([...chunks]) }
      } catch (error) {
        if (!content || !(error instanceof TakesLong)) throw error
      }
    }
    const file = new Spool(this.#spool)
    // The stream may fail before it has a reader, and an unhandled error would end the process.
    file.on('error', () => {})
    const task = { kind: 'write', body: content.body, name, type, format: format.name } as const
    const losses = (await this.#jobs.ask(task, { size: content.size, file })) as Loss[]
    return { losses, bytes: file }
  }

  /** Compares the content of two versions; null means an empty graph. Returns bytes in the requested format. */
  async diff(from: Content | null, to: Content | null, request: DiffRequest): Promise<Buffer> {
    const size = (from?.size ?? 0) + (to?.size ?? 0)
    if (size < LARGE) {
      const [before, after] = await Promise.all([from, to].map((content) => content && jsonOf(content.body)))
      await turnFor(size)
      return writeDiff(before ?? undefined, after ?? undefined, request)
    }
    const task = { kind: 'diff', from: from?.body, to: to?.body, request } as const
    const bytes = (await this.#jobs.ask(task, { size })) as Uint8Array
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Returns the summary of the content (see graph/query/summary.ts). For an empty graph, pass null. */
  async summary(content: LoadableContent | null): Promise<GraphSummary> {
    if (!content) return summaryOf(contentOf(undefined))
    const known = this.#summaries.get(content.id)
    if (known) return known
    const { size } = content
    const body = await bodyOf(content)
    if (size < LARGE) {
      const json = await jsonOf(body)
      await turnFor(size)
      return summaryOf(contentOf(json))
    }
    const summary = (await this.#jobs.ask({ kind: 'summary', body }, { size })) as GraphSummary
    this.#summaries.set(content.id, summary, JSON.stringify(summary).length)
    return summary
  }

  /**
   * Returns the requested part of the content, as GraphContent in JSON or as a file. The adjacency of large content is cached for
   * later queries. Throws `node-not-found`.
   */
  async subgraph(content: LoadableContent | null, question: Question, as: PartForm): Promise<Part> {
    if (!content) return partOf(subgraphOf(contentOf(undefined), question), as)
    const { id, size } = content
    const kept = this.#adjacencies.get(id)
    const body = kept ? undefined : await bodyOf(content)
    if (body !== undefined && size < LARGE) {
      const json = await jsonOf(body)
      await turnFor(size)
      return partOf(subgraphOf(contentOf(json), question), as)
    }
    const keeps = !kept && size >= KEPT_FROM
    const keep = keeps
      ? (adjacency: Adjacency) => this.#adjacencies.set(id, adjacency, sizeOfAdjacency(adjacency))
      : undefined
    const task = { kind: 'subgraph', body, kept, keeps, question, as } as const
    const part = (await this.#jobs.ask(task, { size: kept ? 0 : size, ...(keep && { keep }) })) as Part
    return { ...part, bytes: Buffer.from(part.bytes.buffer, part.bytes.byteOffset, part.bytes.byteLength) }
  }

  /**
   * Draws the content in the given view as an SVG, or as a PNG if `kit` is given. `layout` is the known layout of the content.
   * Also returns the layout that was computed for the picture, if any, and whether the picture would show the nodes if the layout
   * were known. Throws `graph-too-complex` or `server-busy`.
   */
  async picture(
    content: Content | null,
    title: string,
    options: PictureOptions,
    { kit, layout, view }: Pick<Extract<Task, { kind: 'picture' }>, 'kit' | 'layout' | 'view'>
  ): Promise<DrawnPicture & { bytes: Buffer }> {
    const { body, size } = content ?? EMPTY
    const task = { kind: 'picture', body, title, options, kit, layout, view } as const
    const { bytes, ...drawn } = (await this.#jobs.ask(task, { size })) as DrawnPicture
    return { ...drawn, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) }
  }

  /**
   * Returns the positions of the content's nodes; see picture/layout/graph-layout.ts. `kept` is the known force layout. Unless
   * `isPatient`, returns undefined if the force layout of a large graph would have to be computed. Throws `graph-too-complex` or
   * `server-busy`.
   */
  async layout(
    content: Content | null,
    algorithm: LayoutAlgorithm | undefined,
    { kept, isPatient = false }: { kept?: Layout | undefined; isPatient?: boolean } = {}
  ): Promise<WrittenLayout | undefined> {
    const { body, size } = content ?? EMPTY
    const task = { kind: 'layout', body, algorithm, kept, isPatient } as const
    const written = await (isPatient ? this.#layouts : this.#jobs).ask(task, { size })
    return written as WrittenLayout | undefined
  }

  /** Returns the words of the content; see graph/query/stored-words.ts. */
  async words({ body, size }: Content): Promise<string> {
    if (size < LARGE) return wordsOfStored(body)
    return (await this.#jobs.ask({ kind: 'words', body }, { size })) as string
  }

  /**
   * Finds the elements that match the query in each graph's content; null means an empty graph. See
   * graph/query/find-elements.ts.
   */
  async find(contents: (Content | null)[], query: WordQuery, wanted: Wanted): Promise<FoundElement[][]> {
    const bodies = contents.map((content) => content?.body)
    const size = contents.reduce((total, content) => total + (content?.size ?? 0), 0)
    if (size < LARGE) {
      await turnFor(size)
      return findInStored(bodies, query, wanted)
    }
    return (await this.#jobs.ask({ kind: 'find', bodies, query, wanted }, { size })) as FoundElement[][]
  }

  /** Stops all running and waiting jobs. */
  async close() {
    await Promise.all([this.#jobs.close(), this.#layouts.close()])
  }
}

/** The content of an empty graph. */
const EMPTY: Content = { body: JSON.stringify(contentOf(undefined)), size: 2 }

/** Waits for a turn, unless the work takes less than a millisecond. `size` is in bytes. */
async function turnFor(size: number) {
  if (size > TINY) await takeTurn()
}

async function bodyOf({ load }: LoadableContent): Promise<Body> {
  return (await load())?.body ?? '{}'
}

/** Converts the Uint8Array in a message back into a Buffer. */
function restore(stored: StoredContent | undefined) {
  if (typeof stored?.body !== 'object') return
  stored.body = Buffer.from(stored.body.buffer, stored.body.byteOffset, stored.body.byteLength)
}
