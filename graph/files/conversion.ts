import { GraphCreate } from '../../schemas/graph.ts'
import { METADATA_BYTES, type PreparedContent, type StoredContent } from '../../schemas/graph-content.ts'
import type { FormatName, ImportReport, Loss } from '../../schemas/graph-file.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { lazyValidatorOf } from '../../schemas/validation.ts'
import { type CheckContent, type ContentLimits, type FoundFault, prepareContent } from '../content/content.ts'
import { shortened } from '../content/pointers.ts'
import { formatNamed, formats, formatsOfFile, recognise, textToRecognise } from '../formats/index.ts'
import { put } from '../formats/shared/attributes.ts'
import { foreignName } from '../formats/shared/foreign.ts'
import { foreignJsonName, foreignTextName } from '../formats/shared/foreign-text.ts'
import type { Format, GraphToWrite, WritableFormat } from '../formats/shared/format.ts'
import { GraphBuilder, TakesLong, Unreadable } from '../formats/shared/graph-builder.ts'
import { isOfElement } from '../formats/shared/located-faults.ts'
import { Losses } from '../formats/shared/losses.ts'
import { readTables } from '../formats/tables/join.ts'
import { xlsx } from '../formats/workbook/xlsx.ts'
import { leaveOutFaulty } from './lenient.ts'
import { fileStem } from './names.ts'
import { dropOversize } from './oversize.ts'
import type { PackedTable } from './packed-tables.ts'
import { SeveralGraphs, type Unpacked, unpack } from './unpack.ts'

/** Options for reading a file. */
export interface FileOptions {
  /** The names of the candidate formats; all formats by default. */
  formats?: string[] | undefined
  /** The text encoding of the file, if known. */
  charset?: string | undefined
  /** For tables: the columns with the edge endpoints, by name or number. */
  sourceColumn?: string | undefined
  targetColumn?: string | undefined
  /** For tables of nodes: the column with the node ids. */
  idColumn?: string | undefined
  /** Whether to drop metadata values that exceed an element's limits or to reject the file. */
  oversize?: 'refuse' | 'drop' | undefined
  /** Whether to make all edges directed or undirected; as in the file by default. */
  directed?: boolean | undefined
  /** Whether to omit nodes and edges with faults instead of rejecting the file. */
  lenient?: boolean | undefined
  /** The compression that the file must have; detected from its first bytes by default. */
  encoding?: 'gzip' | 'zstd' | undefined
}

/** The report on a file, with the content to store if there are no faults. */
export interface FileReading {
  report: ImportReport
  stored?: StoredContent
}

/** The maximum length of a version in reports, in characters. A file may claim any version. */
const VERSION_LENGTH = 64

// Names and types from files have the same limits as those in requests.
const isName = lazyValidatorOf(GraphCreate.properties.name)
const isType = lazyValidatorOf(GraphCreate.properties.type)

/**
 * Reads a file in one of the formats, compressed or not. Throws `format-unknown`, the same problems as `unpack`, and TakesLong
 * if the file has more than `patience` nodes and edges. The report contains all other faults, including those of omitted
 * elements.
 */
export function readGraphFile(
  sent: Buffer,
  options: FileOptions,
  limits: ContentLimits,
  check: CheckContent,
  patience?: number
): FileReading {
  const unpacked = unpack(sent, limits.bodyLimit, options.encoding)
  const { name: fileName, others } = unpacked
  const { format, read } = readerFor(unpacked, options)
  const into = new GraphBuilder(limits, options.charset, patience)
  into.direction = options.directed
  into.columns = { source: options.sourceColumn, target: options.targetColumn, id: options.idColumn }
  const isWhole = readInto(into, read)
  keepDescription(into)
  if (fileName !== undefined) into.name ??= fileStem(fileName)
  into.losses.add('files-skipped', others)
  // The content of a truncated file is not checked. A graph with faults is not prepared for the store.
  const leftOut = isWhole && options.lenient ? leaveOutFaulty(into, check) : undefined
  let faultCount = leftOut ? 0 : into.faultCount
  let ofContent: FoundFault[] = []
  let stored: StoredContent | undefined
  if (isWhole && options.oversize === 'drop') {
    into.losses.add('oversize-dropped', dropOversize(into.content, limits.metadataLimit ?? METADATA_BYTES))
  }
  if (isWhole) {
    const prepared: PreparedContent =
      faultCount > 0
        ? check(into.content, { byCause: true })
        : prepareContent(into.content, check, limits.bodyLimit, true)
    faultCount += prepared.faultCount
    ofContent = prepared.faults
    stored = prepared.stored
  }
  const isDroppable =
    isWhole &&
    !options.lenient &&
    faultCount > 0 &&
    !into.isFaulty &&
    ofContent.every(isOfElement) &&
    into.content.nodes.length > 0
  const { faults } = stored && leftOut ? leftOut : { faults: into.locatedFaults(ofContent) }
  const { version, name, type, content, table } = into
  return {
    report: {
      format,
      ...(version !== undefined && { version: version.slice(0, VERSION_LENGTH).replace(/[\ud800-\udbff]$/, '') }),
      ...(name !== undefined && { name }),
      ...(type !== undefined && { type }),
      nodeCount: content.nodes.length,
      edgeCount: content.edges.length,
      ...(table && { table }),
      valid: stored !== undefined,
      faultCount: faultCount + (leftOut?.faultCount ?? 0),
      faults,
      ...(isDroppable && { droppable: true }),
      losses: into.losses.list
    },
    ...(stored && { stored })
  }
}

/** A function that reads a file, and the format to report. */
interface Reader {
  format: FormatName
  read: (into: GraphBuilder) => void
}

/** Returns the reader for a file, or for the tables of an archive. Throws `format-unknown`. */
function readerFor({ bytes, name, tables, isWorkbook }: Unpacked, { formats: names, charset }: FileOptions): Reader {
  if (isWorkbook) {
    if (names?.includes(xlsx.name) === false) {
      throw new ProblemError('format-unknown', { detail: 'This is an Excel workbook. Choose the format xlsx.' })
    }
    const read = (into: GraphBuilder) => {
      into.fileSize = bytes.length
      xlsx.read(bytes, into)
    }
    return { format: xlsx.name, read }
  }
  for (const file of tables ?? [{ bytes }]) {
    const foreign = foreignName(file.bytes, charset)
    if (foreign !== undefined) throw new ProblemError('format-unknown', { detail: foreign })
  }
  if (tables) return readerForTables(tables, names)
  const candidates = candidatesFor(names, name)
  const text = textToRecognise(bytes, charset)
  const isNamed = candidates.length === 1
  const other = isNamed ? undefined : foreignTextName(text)
  if (other !== undefined) throw new ProblemError('format-unknown', { detail: other })
  const format = isNamed ? candidates[0] : recognise(text, candidates)
  const actual = isNamed && format ? otherFormat(text, format) : undefined
  if (actual && format) {
    const detail = `This is ${actual.title}, not ${format.title}. Change its extension to ${actual.endings[0]}, or specify the format.`
    throw new ProblemError('format-unknown', { detail })
  }
  if (!format) {
    const json = foreignJsonName(text)
    if (json !== undefined) throw new ProblemError('format-unknown', { detail: json })
    const titles = candidates.map(({ title }) => title).join(', ')
    const detail =
      bytes.length === 0
        ? 'The file is empty.'
        : `The file begins with ${beginning(bytes)} and matches none of these formats: ${titles}.`
    throw new ProblemError('format-unknown', { detail })
  }
  const read = (into: GraphBuilder) => {
    if (bytes.length === 0) throw new Unreadable(undefined, 'empty', 'is empty')
    into.growsDown = format.growsDown === true
    into.fileSize = bytes.length
    format.read(bytes, into)
  }
  return { format: format.name, read }
}

/**
 * Returns the actual format if the text is XML or CX2 that is clearly not in the named format. Other JSON may be valid in
 * several formats.
 */
function otherFormat(text: string, named: Format): Format | undefined {
  if (!/^[<[]/.test(text) || named.recognises(text)) return undefined
  const actual = recognise(text)
  // N-Triples files also begin with <, and are valid Turtle.
  if (actual?.name === 'n-triples') return undefined
  return text.startsWith('<') || actual?.name === 'cx2' ? actual : undefined
}

function readerForTables(tables: readonly PackedTable[], names: string[] | undefined): Reader {
  const several = new SeveralGraphs(tables)
  const format = tables[0]?.format
  if (format === undefined || tables.some((table) => names && !names.includes(table.format))) throw several
  const read = (into: GraphBuilder) => {
    into.fileSize = tables.reduce((size, { bytes }) => size + bytes.length, 0)
    if (!readTables(tables, into)) throw several
  }
  return { format, read }
}

/**
 * Returns the formats with these names; all formats by default. If the extension of a packed file belongs to some of them,
 * returns only those.
 */
function candidatesFor(names: string[] | undefined, fileName = ''): readonly Format[] {
  const allowed = names?.flatMap((name) => formatNamed(name) ?? []) ?? formats
  const byName = formatsOfFile(fileName).filter((format) => allowed.includes(format))
  return byName.length > 0 ? byName : allowed
}

/** Returns the first characters of a file, in quotes. */
function beginning(bytes: Buffer) {
  return JSON.stringify(shortened(bytes.toString('utf8', 0, 64).trim(), 40))
}

/** The problems that affect the whole file rather than one place in it. */
const REFUSALS = new Set(['format-unknown', 'body-too-large', 'file-too-complex'])

/** Reads the file. Returns whether the reader reached the end. */
function readInto(into: GraphBuilder, read: Reader['read']): boolean {
  try {
    read(into)
    into.finish()
    if (into.growsDown) {
      for (const node of into.content.nodes) if (node.y !== undefined) node.y = opposite(node.y)
    }
    return true
  } catch (error) {
    if (error instanceof Unreadable) into.fault(error.place, error.code, error.message)
    else if (error instanceof ProblemError && !REFUSALS.has(error.code)) {
      const { errors = [{ code: error.code, detail: error.message }] } = error.circumstances
      for (const { pointer, line, column = 1, code, detail } of errors) {
        into.fault(line === undefined ? pointer : { line, column }, code, detail)
      }
    } else throw error
    return false
  }
}

/** Returns the graph with the y axis flipped. */
function turnedOver(graph: GraphToWrite): GraphToWrite {
  const nodes = graph.content.nodes.map((node) => (node.y === undefined ? node : { ...node, y: opposite(node.y) }))
  return { ...graph, content: { ...graph.content, nodes } }
}

/** Returns -y, or 0 instead of -0. */
function opposite(y: number) {
  return 0 - y
}

/** Moves a name or type that is invalid for a graph into the metadata. */
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

/**
 * Writes a graph as a file. Text is in UTF-8. All losses are counted before the first chunk. Iterating over the chunks throws
 * TakesLong after more than `patience` characters.
 */
export function writeGraphFile(
  graph: GraphToWrite,
  format: WritableFormat,
  patience?: number
): { losses: Loss[]; chunks: Iterable<Buffer> } {
  const losses = new Losses()
  const pieces = format.write(format.growsDown ? turnedOver(graph) : graph, losses)
  return { losses: losses.list, chunks: chunksOf(pieces, patience) }
}

const CHUNK = 256 * 1024

function* chunksOf(pieces: Iterable<string | Buffer>, patience = Number.POSITIVE_INFINITY): Generator<Buffer> {
  let text = ''
  let written = 0
  for (const piece of pieces) {
    written += piece.length
    if (written > patience) throw new TakesLong()
    if (typeof piece !== 'string') {
      yield piece
      continue
    }
    text += piece
    if (text.length < CHUNK) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(text)
}
