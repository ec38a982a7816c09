import { ProblemError } from '../schemas/errors.ts'
import { NewGraph } from '../schemas/graph.ts'
import type { GraphContent, PreparedContent, StoredContent } from '../schemas/graph-content.ts'
import type { ImportReport, Loss } from '../schemas/graph-file.ts'
import type { Fault } from '../schemas/problem.ts'
import { lazyValidatorOf } from '../schemas/validation.ts'
import { type CheckContent, type ContentLimits, prepareContent } from './content.ts'
import { put } from './formats/attributes.ts'
import type { Format, GraphToWrite } from './formats/format.ts'
import { GraphBuilder, Unreadable } from './formats/graph-builder.ts'
import { formatNamed, formats, recognise } from './formats/index.ts'
import { Losses, losses as meanings } from './formats/losses.ts'
import { jsonValue } from './json.ts'

/** How a file is to be read. */
export interface FileOptions {
  /** The formats that come into question, by their names; all of them by default. */
  formats?: string[] | undefined
  /** The encoding of its text, where that is known. */
  charset?: string | undefined
}

/** What is in a file, and the content ready for the store if there are no faults. */
export interface FileReading {
  report: ImportReport
  stored?: StoredContent
}

/** Names and types of graphs are what requests may say of them, too. */
const isName = lazyValidatorOf(NewGraph.properties.name)
const isType = lazyValidatorOf(NewGraph.properties.type)

/**
 * Reads a file in one of the formats. Throws `format-unknown`, and TakesLong where it has more nodes and edges than
 * there is patience for; whatever else is wrong with it is in the report.
 */
export function readGraphFile(
  bytes: Buffer,
  options: FileOptions,
  limits: ContentLimits,
  check: CheckContent,
  patience?: number
): FileReading {
  const candidates = options.formats?.flatMap((name) => formatNamed(name) ?? []) ?? formats
  const format = candidates.length === 1 ? candidates[0] : recognise(bytes, candidates)
  if (!format) {
    const titles = candidates.map(({ title }) => title).join(', ')
    const detail = bytes.length === 0 ? 'It is empty.' : `It looks like none of ${titles}.`
    throw new ProblemError('format-unknown', { detail })
  }
  const into = new GraphBuilder(limits, options.charset, patience)
  const isWhole = readInto(into, format, bytes)
  keepDescription(into)
  // Where a file breaks off, it is not the content that is wrong; and a graph with faults need not be stored.
  let { faultCount } = into
  let ofContent: Fault[] = []
  let stored: StoredContent | undefined
  if (isWhole) {
    const prepared: PreparedContent =
      faultCount > 0 ? check(into.content) : prepareContent(into.content, check, limits.bodyLimit)
    faultCount += prepared.faultCount
    ofContent = prepared.faults
    stored = prepared.stored
  }
  const { version, name, type, content } = into
  return {
    report: {
      format: format.name,
      ...(version !== undefined && { version }),
      ...(name !== undefined && { name }),
      ...(type !== undefined && { type }),
      nodeCount: content.nodes.length,
      edgeCount: content.edges.length,
      valid: faultCount === 0,
      faultCount,
      faults: into.locatedFaults(ofContent),
      losses: described(into.losses)
    },
    ...(stored && { stored })
  }
}

/** Whether the file could be read to its end. */
function readInto(into: GraphBuilder, format: Format, bytes: Buffer): boolean {
  if (bytes.length === 0) {
    into.fault(undefined, 'empty', 'is empty')
    return false
  }
  try {
    format.read(bytes, into)
    into.finish()
    return true
  } catch (error) {
    if (error instanceof Unreadable) into.fault(error.place, error.code, error.message)
    else if (error instanceof ProblemError) {
      const { errors = [{ code: error.code, detail: error.message }] } = error.circumstances
      for (const { pointer, line, column = 1, code, detail } of errors) {
        into.fault(line === undefined ? pointer : { line, column }, code, detail)
      }
    } else throw error
    return false
  }
}

/** A name or type that a graph cannot have stays with the content. */
function keepDescription(into: GraphBuilder) {
  const { content, name, type } = into
  if (name !== undefined && !isName(name)) {
    content.metadata = put(content.metadata ?? {}, 'name', name)
    into.name = undefined
  }
  if (type !== undefined && !isType(type)) {
    content.metadata = put(content.metadata ?? {}, 'type', type)
    into.type = undefined
  }
}

/** A graph as a file: what it loses, and its pieces, in UTF-8. */
export function writeGraphFile(graph: GraphToWrite, format: Format): { losses: Loss[]; chunks: Iterable<Buffer> } {
  const losses = new Losses()
  const pieces = format.write(graph, losses)
  return { losses: described(losses), chunks: chunksOf(pieces) }
}

/** The content of a graph, from JSON as it is stored; a graph without content is an empty one. */
export function contentOf(json: Buffer | undefined): GraphContent {
  return json ? (jsonValue(json.toString('utf8')) as GraphContent) : { nodes: [], edges: [] }
}

const CHUNK = 256 * 1024

function* chunksOf(pieces: Iterable<string>): Generator<Buffer> {
  let text = ''
  for (const piece of pieces) {
    text += piece
    if (text.length < CHUNK) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(text)
}

function described(losses: Losses): Loss[] {
  return losses.list.map(({ code, count }) => ({ code, count, detail: meanings[code] }))
}
