import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompressSync, zstdDecompress } from 'node:zlib'
import type { ValidateFunction } from 'ajv'
import {
  Edge,
  GraphContent,
  METADATA_BYTES,
  METADATA_DEPTH,
  Node,
  type PreparedContent,
  type StoredContent
} from '../schemas/graph-content.ts'
import { type Fault, MAX_FAULTS } from '../schemas/problem.ts'
import { type Path, pointerTo } from './json.ts'
import { faultOf, newAjv } from './validation.ts'

/** How large a graph may be. */
export interface ContentLimits {
  maxNodes: number
  maxEdges: number
}

/** Looks at what shall be GraphContent, and returns what is wrong with it: the first 50 faults. */
export type CheckContent = (content: unknown) => Fault[]

/**
 * Checks content against its schema and against itself: ids are unique, ends exist, metadata is small, limits hold.
 * Element by element, so that a hostile file of a million faults costs no more than its first fifty.
 */
export function contentChecker({ maxNodes, maxEdges }: ContentLimits): CheckContent {
  const ajv = newAjv()
  const isNode = ajv.compile(Node)
  const isEdge = ajv.compile(Edge)
  const elements = { type: 'array' }
  const isShell = ajv.compile({
    ...GraphContent,
    $id: undefined,
    properties: { ...GraphContent.properties, nodes: elements, edges: elements }
  })

  return (content) => {
    const faults = new Faults()
    if (!isShell(content)) faults.addAll([], isShell)
    if (typeof content !== 'object' || content === null) return faults.list
    const { nodes, edges, metadata } = content as Record<string, unknown>
    checkMetadata(metadata, ['metadata'], faults)
    const ids = Array.isArray(nodes) ? checkNodes(nodes, faults) : undefined
    if (Array.isArray(edges)) checkEdges(edges, ids, faults)
    return faults.list
  }

  /** Returns the ids that edges may name. */
  function checkNodes(nodes: unknown[], faults: Faults) {
    if (nodes.length > maxNodes) faults.add(['nodes'], 'too-many-nodes', `has more than ${maxNodes} nodes`)
    const ids = new Set<unknown>()
    for (let index = 0; index < nodes.length && !faults.full; index++) {
      const node = nodes[index]
      const path = ['nodes', index]
      if (!isNode(node)) faults.addAll(path, isNode)
      if (!isRecord(node)) continue
      if (ids.has(node.id)) faults.add([...path, 'id'], 'duplicate-id', 'is the id of an earlier node')
      ids.add(node.id)
      checkMetadata(node.metadata, [...path, 'metadata'], faults)
    }
    return ids
  }

  function checkEdges(edges: unknown[], nodeIds: Set<unknown> | undefined, faults: Faults) {
    if (edges.length > maxEdges) faults.add(['edges'], 'too-many-edges', `has more than ${maxEdges} edges`)
    const ids = new Set<unknown>()
    for (let index = 0; index < edges.length && !faults.full; index++) {
      const edge = edges[index]
      const path = ['edges', index]
      if (!isEdge(edge)) faults.addAll(path, isEdge)
      if (!isRecord(edge)) continue
      if (edge.id !== undefined) {
        if (ids.has(edge.id)) faults.add([...path, 'id'], 'duplicate-id', 'is the id of an earlier edge')
        ids.add(edge.id)
      }
      for (const end of ['source', 'target']) {
        if (typeof edge[end] === 'string' && nodeIds && !nodeIds.has(edge[end])) {
          faults.add([...path, end], 'unknown-node', 'is not the id of a node')
        }
      }
      checkMetadata(edge.metadata, [...path, 'metadata'], faults)
    }
  }
}

/** The first fifty, and of each place the first: an id that is too short is not told to be a duplicate as well. */
class Faults {
  readonly list: Fault[] = []

  get full() {
    return this.list.length >= MAX_FAULTS
  }

  add(path: Path, code: string, detail: string) {
    const pointer = pointerTo(path)
    if (this.full || this.list.some((fault) => fault.pointer === pointer)) return
    this.list.push({ pointer, code, detail })
  }

  addAll(path: Path, { errors }: ValidateFunction) {
    for (const error of errors ?? []) {
      const { segments, code, detail } = faultOf(error)
      this.add([...path, ...segments], code, detail)
    }
  }
}

function checkMetadata(metadata: unknown, path: Path, faults: Faults) {
  if (!isRecord(metadata)) return
  if (depthOf(metadata) > METADATA_DEPTH) {
    faults.add(path, 'too-deep', `nests deeper than ${METADATA_DEPTH} levels`)
  } else if (Buffer.byteLength(JSON.stringify(metadata)) > METADATA_BYTES) {
    faults.add(path, 'too-large', `is larger than ${METADATA_BYTES} bytes as JSON`)
  }
}

/** How many arrays and objects stand inside one another. Bounded by what parseJson lets through. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let deepest = 0
  for (const item of Object.values(value)) deepest = Math.max(deepest, depthOf(item))
  return deepest + 1
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Checks the content, and makes it ready for the store if it is valid. */
export function prepareContent(content: unknown, check: CheckContent): PreparedContent {
  const faults = check(content)
  return faults.length > 0 ? { faults } : { faults, stored: toStored(content as GraphContent) }
}

/** From this size on, in bytes, content is compressed: below, it costs more time than the disk does. */
const PACKED_FROM = 4096

function toStored({ directed = true, label, metadata, nodes, edges }: GraphContent): StoredContent {
  const json = Buffer.from(JSON.stringify({ directed, label, metadata, nodes, edges }))
  const hash = createHash('sha256').update(json).digest('hex')
  const isPacked = json.length >= PACKED_FROM
  return {
    hash,
    body: isPacked ? zstdCompressSync(json) : json,
    encoding: isPacked ? 'zstd' : 'identity',
    nodeCount: nodes.length,
    edgeCount: edges.length
  }
}

const decompress = promisify<Buffer, object, Buffer>(zstdDecompress)

/** Each chunk is a way to another thread and back: by the default of 16 KiB most of the time goes into that. */
const CHUNK = 1024 * 1024

/** Stored content as JSON in UTF-8. */
export async function jsonOf({ body, encoding }: Pick<StoredContent, 'body' | 'encoding'>): Promise<Buffer> {
  return encoding === 'zstd' ? decompress(body, { chunkSize: CHUNK }) : body
}
