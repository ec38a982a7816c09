import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib'
import type { ErrorObject } from 'ajv'
import {
  type Body,
  Edge,
  GraphContent,
  METADATA_BYTES,
  METADATA_DEPTH,
  Node,
  type PreparedContent,
  type StoredContent
} from '../../schemas/graph-content.ts'
import { type Fault, MAX_FAULTS } from '../../schemas/problem.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { faultOf, quickValidatorOf, validatorOf } from '../../schemas/validation.ts'
import { wordsOfContent } from './element-words.ts'
import { isRecord, jsonValue, toJson } from './json.ts'
import { faultPointer, type Path } from './pointers.ts'
import { uninterruptible } from './uninterruptible.ts'

/** Limits on the size of a graph. */
export interface ContentLimits {
  maxNodes: number
  maxEdges: number
  /** The maximum size as JSON, in bytes. */
  bodyLimit: number
  /** The maximum size of one element's metadata as JSON, in bytes; 256 KiB by default. */
  metadataLimit?: number | undefined
}

/** The indexes of nodes and edges to omit. */
export interface Indexes {
  nodes: Set<number>
  edges: Set<number>
}

/**
 * Checks a value against GraphContent and returns its faults. With `byCause`, faults with the same cause are merged. With
 * `isPart`, edges may refer to nodes outside the part. With `leftOut`, the check treats these elements as missing, and adds
 * every element in which it finds a fault.
 */
export type CheckContent = (
  content: unknown,
  options?: { byCause?: boolean; isPart?: boolean; leftOut?: Indexes }
) => FoundFaults

/** A fault. If faults are grouped by cause, it also has the number of occurrences and pointers to the next nine. */
export interface FoundFault extends Fault {
  others?: string[]
}

/** The first 50 faults, and the total number. */
interface FoundFaults {
  faults: FoundFault[]
  faultCount: number
}

/**
 * Returns a function that checks content against its schema and invariants: ids are unique, edge endpoints exist, metadata is
 * small enough, and no limit is exceeded. The check stops at the maximum number of elements, so a hostile file takes no longer
 * to check than a large valid one.
 */
export function contentChecker({ maxNodes, maxEdges, metadataLimit = METADATA_BYTES }: ContentLimits): CheckContent {
  const [isNode, isEdge] = [elementValidator(Node), elementValidator(Edge)]
  const elements = { type: 'array' }
  const isShell = validatorOf({
    ...GraphContent,
    $id: undefined,
    properties: { ...GraphContent.properties, nodes: elements, edges: elements }
  })

  return (content, { byCause = false, isPart = false, leftOut } = {}) => {
    const faults = new Faults(byCause)
    if (!isShell(content)) faults.addAll([], isShell.errors ?? [])
    if (typeof content !== 'object' || content === null) return faults.found
    const { nodes, edges, metadata } = content as Record<string, unknown>
    checkMetadata(metadata, [], metadataLimit, faults)
    const ids = Array.isArray(nodes) ? checkNodes(nodes, faults, leftOut?.nodes) : undefined
    if (Array.isArray(edges)) checkEdges(edges, isPart ? undefined : ids, faults, leftOut?.edges)
    return faults.found
  }

  /** Returns the ids of the nodes. */
  function checkNodes(nodes: unknown[], faults: Faults, leftOut?: Set<number>) {
    if (nodes.length > maxNodes) faults.add([], 'nodes', 'too-many-nodes', `has more than ${maxNodes} nodes`)
    const ids = new Set<unknown>()
    for (let index = 0; index < Math.min(nodes.length, maxNodes); index++) {
      if (leftOut?.has(index)) continue
      faults.startElement()
      const node = nodes[index]
      const path = ['nodes', index]
      if (isElement(node, path, isNode, faults)) {
        if (ids.has(node.id)) faults.add(path, 'id', 'duplicate-id', 'duplicates the id of an earlier node', node.id)
        checkMetadata(node.metadata, path, metadataLimit, faults)
        if (!leftOut || !faults.isInElement) ids.add(node.id)
      }
      if (faults.isInElement) leftOut?.add(index)
    }
    return ids
  }

  function checkEdges(edges: unknown[], nodeIds: Set<unknown> | undefined, faults: Faults, leftOut?: Set<number>) {
    if (edges.length > maxEdges) faults.add([], 'edges', 'too-many-edges', `has more than ${maxEdges} edges`)
    const ids = new Set<unknown>()
    for (let index = 0; index < Math.min(edges.length, maxEdges); index++) {
      if (leftOut?.has(index)) continue
      faults.startElement()
      const edge = edges[index]
      const path = ['edges', index]
      if (isElement(edge, path, isEdge, faults)) {
        if (edge.id !== undefined) {
          if (ids.has(edge.id)) faults.add(path, 'id', 'duplicate-id', 'duplicates the id of an earlier edge', edge.id)
          ids.add(edge.id)
        }
        for (const end of ['source', 'target']) {
          if (typeof edge[end] === 'string' && nodeIds && !nodeIds.has(edge[end])) {
            faults.add(path, end, 'unknown-node', 'is not the id of a node', edge[end])
          }
        }
        checkMetadata(edge.metadata, path, metadataLimit, faults)
      }
      if (faults.isInElement) leftOut?.add(index)
    }
  }
}

interface ElementValidator {
  isValid: (element: unknown) => boolean
  /** Finds all faults except unknown members. Ajv would create an object for each unknown member, and there may be many. */
  findFaults: (element: unknown) => ErrorObject[]
  names: ReadonlySet<string>
}

function elementValidator(schema: typeof Node | typeof Edge): ElementValidator {
  const { properties, required } = schema
  const known = { type: 'object', properties, ...(required && { required }) }
  const validate = validatorOf(known)
  const findFaults = (element: unknown) => (validate(element) ? [] : (validate.errors ?? []))
  return { isValid: quickValidatorOf(schema), findFaults, names: new Set(Object.keys(properties)) }
}

/** Returns whether the value is an object, and adds the faults found by the schema. */
function isElement(
  element: unknown,
  path: Path,
  { isValid, findFaults, names }: ElementValidator,
  faults: Faults
): element is Record<string, unknown> {
  if (isValid(element)) return true
  if (!isRecord(element)) {
    faults.add(path, undefined, 'wrong-type', 'must be an object')
    return false
  }
  faults.addAll(path, findFaults(element))
  for (const name in element) if (!names.has(name)) faults.add(path, name, 'unknown-field', 'is not a known field')
  return true
}

/** The number of additional pointers to keep per cause. */
const OTHERS = 9

/** Collects the first fault of each member, so that an id that is too short is not also reported as a duplicate. */
class Faults {
  readonly #list: FoundFault[] = []
  /** The faults by cause, if requested. */
  readonly #causes: Map<string, FoundFault> | undefined
  #count = 0
  /** The members of the current element that have a fault. */
  readonly #places = new Set<string | undefined>()

  constructor(byCause: boolean) {
    if (byCause) this.#causes = new Map()
  }

  get found(): FoundFaults {
    return { faults: this.#list, faultCount: this.#count }
  }

  startElement() {
    if (this.#places.size > 0) this.#places.clear()
  }

  /** Whether the current element has a fault. */
  get isInElement() {
    return this.#places.size > 0
  }

  /**
   * Adds a fault in the element or in one of its members. `about` is the id that causes it. Only the first faults become
   * objects, since there may be millions.
   */
  add(path: Path, member: string | undefined, code: string, detail: string, about: unknown = '') {
    if (this.#places.has(member)) return
    this.#places.add(member)
    this.#count++
    const cause = this.#causes && `${path[0]} ${member} ${code} ${detail} ${about}`
    const known = cause === undefined ? undefined : this.#causes?.get(cause)
    if (!known && this.#list.length >= MAX_FAULTS) return
    const pointer = () => faultPointer(member === undefined ? path : [...path, member])
    if (known) {
      known.count = (known.count ?? 1) + 1
      known.others ??= []
      if (known.others.length < OTHERS) known.others.push(pointer())
      return
    }
    const fault = { pointer: pointer(), code, detail }
    this.#list.push(fault)
    if (cause !== undefined) this.#causes?.set(cause, fault)
  }

  addAll(path: Path, errors: ErrorObject[]) {
    for (const error of errors) {
      const { segments, code, detail } = faultOf(error)
      this.add(path, segments[0], code, detail)
    }
  }
}

function checkMetadata(metadata: unknown, path: Path, limit: number, faults: Faults) {
  if (!isRecord(metadata) || isSmall(metadata, limit)) return
  if (depthOf(metadata) > METADATA_DEPTH) {
    return faults.add(path, 'metadata', 'too-deep', `nests deeper than ${METADATA_DEPTH} levels`)
  }
  const size = jsonSizeOf(metadata)
  if (size <= limit) return
  faults.add(path, 'metadata', 'too-large', `is ${size} bytes of JSON; the limit is ${limit}`)
}

/** The maximum number of bytes of a UTF-16 code unit in JSON, and of the rest of a member, such as a number or quotes. */
const [UNIT, REST] = [6, 32]

/** Returns whether metadata has no nested values and is certainly within the limit. Serializing it would take twice as long. */
function isSmall(metadata: Record<string, unknown>, limit: number): boolean {
  let most = 0
  for (const name in metadata) {
    const value = metadata[name]
    if (typeof value === 'object' && value !== null) return false
    most += (name.length + (typeof value === 'string' ? value.length : 0)) * UNIT + REST
  }
  return most <= limit
}

/** Returns the size of the value as JSON in UTF-8, in bytes. */
export function jsonSizeOf(value: object) {
  return Buffer.byteLength(JSON.stringify(value))
}

/** Returns the nesting depth of arrays and objects. The recursion is safe because parseJson limits the depth. */
export function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let deepest = 0
  for (const item of Object.values(value)) deepest = Math.max(deepest, depthOf(item))
  return deepest + 1
}

/** Checks the content. Prepares it for the store if it is valid and its JSON has at most `maxBytes` bytes. */
export function prepareContent(
  content: unknown,
  check: CheckContent,
  maxBytes = Number.POSITIVE_INFINITY,
  byCause = false
): PreparedContent {
  const found = check(content, { byCause })
  if (found.faultCount > 0) return found
  const { nodes, edges } = content as GraphContent
  const json = jsonWithin(content as GraphContent, maxBytes)
  if (!json) {
    const detail = `is larger than ${maxBytes} bytes as GraphContent`
    return { faults: [{ pointer: '#', code: 'too-large', detail }], faultCount: 1 }
  }
  const words = [...wordsOfContent(content as GraphContent)].join(' ')
  return { ...found, stored: { ...toStored(json), nodeCount: nodes.length, edgeCount: edges.length, words } }
}

/** The number of nodes or edges to serialize at once, usually a few megabytes. */
const SLICE = 32_768

/** Serializes the content as JSON in UTF-8, or returns undefined once it exceeds `maxBytes`. */
function jsonWithin(
  { directed = true, label, metadata, nodes, edges }: GraphContent,
  maxBytes: number
): Buffer | undefined {
  const pieces: Buffer[] = []
  let size = 0
  const add = (text: string) => {
    const piece = Buffer.from(text)
    pieces.push(piece)
    size += piece.length
    return size <= maxBytes
  }
  const addAll = (elements: object[]) => {
    for (let at = 0; at < elements.length; at += SLICE) {
      const slice = toJson(elements.slice(at, at + SLICE)).slice(1, -1)
      if (!add(at === 0 ? slice : `,${slice}`)) return false
    }
    return true
  }
  const isWhole =
    add(`${toJson({ directed, label, metadata }).slice(0, -1)},"nodes":[`) &&
    addAll(nodes) &&
    add('],"edges":[') &&
    addAll(edges) &&
    add(']}')
  return isWhole ? Buffer.concat(pieces, size) : undefined
}

/** The minimum size to compress, in bytes. Compressing smaller content takes longer than writing it to disk. */
const PACKED_FROM = 4096

/** The checksum lets readers detect damage. */
const WITH_CHECKSUM = { params: { [constants.ZSTD_c_checksumFlag]: 1 } }

function toStored(json: Buffer): Pick<StoredContent, 'hash' | 'body' | 'size'> {
  const body =
    json.length < PACKED_FROM ? json.toString() : uninterruptible(() => zstdCompressSync(json, WITH_CHECKSUM))
  return { hash: hash('sha256', json), body, size: json.length }
}

const decompress = promisify<Buffer, object, Buffer>(zstdDecompress)

/**
 * The chunk size for decompression, in bytes. Each chunk takes a round trip to the thread pool, which would dominate at the
 * default of 16 KiB.
 */
const CHUNK = 1024 * 1024

/** Returns stored content as JSON in UTF-8. Throws `store-unavailable` if it is damaged. */
export async function jsonOf(body: Body): Promise<Buffer> {
  return typeof body === 'string' ? Buffer.from(body) : decompress(body, { chunkSize: CHUNK }).catch(throwDamaged)
}

/** A synchronous version of jsonOf, for threads other than the main one. */
export function jsonNow(body: Body): Buffer {
  if (typeof body === 'string') return Buffer.from(body)
  try {
    return uninterruptible(() => zstdDecompressSync(body))
  } catch (error) {
    throwDamaged(error)
  }
}

/** Parses stored content. Returns an empty graph for undefined. */
export function contentOf(json: Buffer | undefined): GraphContent {
  return json ? (jsonValue(json.toString('utf8')) as GraphContent) : { nodes: [], edges: [] }
}

function throwDamaged(cause: unknown): never {
  throw new ProblemError('store-unavailable', { cause: new Error('the stored content is damaged', { cause }) })
}
