import type { ValidateFunction } from 'ajv'
import { ContentPatch, EdgeEnds, EdgePatch, NodePatch } from '../../schemas/content-patch.ts'
import { Edge, type GraphContent, Node, type StoredContent } from '../../schemas/graph-content.ts'
import { type Fault, MAX_FAULTS } from '../../schemas/problem.ts'
import { ProblemError, versionConflict } from '../../schemas/problem-catalogue.ts'
import { faultOf, quickValidatorOf, validatorOf } from '../../schemas/validation.ts'
import { type CheckContent, prepareContent } from '../content/content.ts'
import { setDirection } from '../content/direction.ts'
import { parseJson } from '../content/json.ts'
import { faultPointer, type Path, shortened } from '../content/pointers.ts'
import { keyOfEnds } from './matches.ts'

// Patches individual nodes and edges of a graph, in time linear in the size of the graph and the patch.

/** The stored state to which a patch applies. */
export interface PatchedState {
  version: number
  /** Whether `If-Match` matches this state; undefined without the header. Evaluated only after the body has been validated. */
  isNamed: boolean | undefined
}

/** The patched content, ready for the store. */
export interface PatchedContent {
  stored: StoredContent
  message: string | null | undefined
}

/**
 * Applies a ContentPatch in JSON to the content. Throws the same errors as parseJson, or `precondition-failed`,
 * `precondition-required`, `version-conflict`, `element-not-found`, `edge-ambiguous`, or `validation-failed` with pointers into
 * the patch.
 */
export function patchContent(
  content: GraphContent,
  bytes: Buffer,
  { version, isNamed }: PatchedState,
  check: CheckContent,
  maxBytes: number
): PatchedContent {
  const patch = readPatch(bytes, check)
  if (isNamed === false) throw new ProblemError('precondition-failed')
  if (patch.version === undefined && isNamed === undefined) {
    throw new ProblemError('precondition-required', {
      detail: 'Send the version in the body or in the If-Match header.',
      errors: [{ pointer: '#/version', code: 'required', detail: 'is required unless If-Match is sent' }]
    })
  }
  if (patch.version !== undefined && patch.version !== version) throw versionConflict(version, patch.version)

  const faults = new Faults()
  const before =
    patch.directed === undefined ? content : { ...content, edges: content.edges.map((edge) => ({ ...edge })) }
  const nodes = changeElements('nodes', before.nodes, patch.nodes ?? {}, new NodeFinder(before.nodes), faults)
  const edges = changeElements('edges', before.edges, patch.edges ?? {}, new EdgeFinder(before), faults)
  if (faults.problem) throw faults.problem
  // Edges were looked up by their previous direction. Edges that the patch adds or replaces keep their own direction.
  if (patch.directed !== undefined) setDirection(before, patch.directed)
  const changed = { ...before, nodes: nodes.elements, edges: edges.elements }
  const { stored, ...found } = prepareContent(changed, check, maxBytes)
  if (stored) return { stored, message: patch.message }
  const errors = found.faults.map(placer(patch, changed.edges, { nodes, edges }))
  throw new ProblemError('validation-failed', { errors, errorCount: found.faultCount })
}

let isShell: ValidateFunction | undefined
let isNodeId: ((value: unknown) => boolean) | undefined
let isEdgeId: ((value: unknown) => boolean) | undefined
let isEnds: ((value: unknown) => boolean) | undefined

/** Parses a patch and checks everything that can be checked without the content. */
function readPatch(bytes: Buffer, check: CheckContent): ContentPatch {
  const list = { type: 'array' }
  const shellOf = (schema: typeof NodePatch | typeof EdgePatch) => ({
    ...schema,
    $id: undefined,
    properties: { put: list, remove: list }
  })
  isShell ??= validatorOf({
    ...ContentPatch,
    $id: undefined,
    properties: { ...ContentPatch.properties, nodes: shellOf(NodePatch), edges: shellOf(EdgePatch) }
  })
  const patch = parseJson(bytes)
  const faults = new Faults()
  if (!isShell(patch)) {
    for (const error of isShell.errors ?? []) {
      const { segments, code, detail } = faultOf(error)
      faults.add(segments, code, detail)
    }
    throw faults.problem
  }

  const { nodes = {}, edges = {} } = patch as ContentPatch
  isNodeId ??= quickValidatorOf(Node.properties.id)
  checkNames(nodes.remove, ['nodes', 'remove'], isNodeId, 'an id', faults)
  checkNames(
    edges.remove,
    ['edges', 'remove'],
    isEdgeName,
    'an id, or an object with source, target and optionally relation',
    faults
  )
  if (faults.problem) throw faults.problem
  const found = check({ nodes: nodes.put ?? [], edges: edges.put ?? [] }, { isPart: true })
  if (found.faultCount === 0) return patch as ContentPatch
  const errors = found.faults.map((fault) => ({
    ...fault,
    pointer: fault.pointer?.replace(/^#\/(nodes|edges)(?=\/|$)/, '#/$1/put')
  }))
  throw new ProblemError('validation-failed', { errors, errorCount: found.faultCount })
}

function checkNames(
  names: unknown[] = [],
  path: Path,
  isName: (value: unknown) => boolean,
  form: string,
  faults: Faults
) {
  for (const [place, name] of names.entries()) {
    if (!isName(name)) faults.add([...path, place], 'wrong-type', `must be ${form}`)
  }
}

function isEdgeName(value: unknown) {
  isEdgeId ??= quickValidatorOf(Edge.properties.id)
  isEnds ??= quickValidatorOf(EdgeEnds)
  return isEdgeId(value) || isEnds(value)
}

/** Finds the nodes or edges that a patch refers to. */
interface Finder<Value> {
  /**
   * Returns the indexes of the elements that match the value, which is a name or an element. May return only two, which is
   * enough to detect ambiguity.
   */
  find(value: Value): readonly number[]
}

const NONE: readonly number[] = []

class NodeFinder implements Finder<string | Node> {
  readonly #nodes: readonly Node[]
  #byId: Map<string, number> | undefined

  constructor(nodes: readonly Node[]) {
    this.#nodes = nodes
  }

  find(value: string | Node) {
    this.#byId ??= new Map(this.#nodes.map(({ id }, index) => [id, index]))
    const place = this.#byId.get(typeof value === 'string' ? value : value.id)
    return place === undefined ? NONE : [place]
  }
}

class EdgeFinder implements Finder<string | EdgeEnds | Edge> {
  readonly #edges: readonly Edge[]
  readonly #isDirected: boolean
  #byId: Map<string, number> | undefined
  /** At most two indexes for each key of an edge without an id. */
  #byEnds: Map<string, number[]> | undefined

  constructor({ edges, directed = true }: GraphContent) {
    this.#edges = edges
    this.#isDirected = directed
  }

  find(value: string | EdgeEnds | Edge) {
    const id = typeof value === 'string' ? value : 'id' in value ? value.id : undefined
    if (typeof value !== 'string' && id === undefined) return this.#findByEnds(value)
    this.#byId ??= new Map(
      this.#edges.flatMap(({ id }, index): [string, number][] => (id === undefined ? [] : [[id, index]]))
    )
    const place = this.#byId.get(id as string)
    return place === undefined ? NONE : [place]
  }

  #findByEnds(ends: EdgeEnds) {
    this.#byEnds ??= this.#groupByEnds()
    const byEnds = this.#byEnds
    return [true, false].flatMap((isDirected) => byEnds.get(keyOf(ends, isDirected)) ?? [])
  }

  #groupByEnds() {
    const groups = new Map<string, number[]>()
    for (const [index, edge] of this.#edges.entries()) {
      if (edge.id !== undefined) continue
      const key = keyOf(edge, edge.directed ?? this.#isDirected)
      const group = groups.get(key)
      if (!group) groups.set(key, [index])
      else if (group.length < 2) group.push(index)
    }
    return groups
  }
}

/**
 * Returns a key for an edge without an id, from its endpoints and relation. The endpoints of an undirected edge may be in either
 * order.
 */
function keyOf({ source, target, relation }: EdgeEnds, isDirected: boolean) {
  if (isDirected) return `directed ${keyOfEnds(source, target, relation)}`
  return source < target ? keyOfEnds(source, target, relation) : keyOfEnds(target, source, relation)
}

/** The elements after a patch. `origins` maps the indexes of elements that the patch puts to their indexes in `put`. */
interface Changed<Element> {
  elements: Element[]
  origins: Map<number, number>
}

/** Marks an element as removed. */
const GONE = -1

/** Removes and puts elements. Existing elements keep their order; new ones are added at the end. */
function changeElements<Element, Name>(
  kind: 'nodes' | 'edges',
  elements: readonly Element[],
  { put = [], remove = [] }: { put?: Element[]; remove?: Name[] },
  finder: Finder<Element | Name>,
  faults: Faults
): Changed<Element> {
  /** Maps an element's index to the index in `put` of its replacement, or to GONE. */
  const fates = new Map<number, number>()
  for (const [place, name] of remove.entries()) {
    const path = [kind, 'remove', place]
    const found = finder.find(name)
    if (found.length === 0) faults.add(path, 'element-not-found', 'is not in the graph')
    else decide(found, GONE, path)
  }
  const added: number[] = []
  for (const [place, element] of put.entries()) {
    const found = finder.find(element)
    if (found.length === 0) added.push(place)
    else decide(found, place, [kind, 'put', place])
  }

  const changed: Changed<Element> = { elements: [], origins: new Map() }
  const putAt = (place: number) => {
    changed.origins.set(changed.elements.length, place)
    changed.elements.push(put[place] as Element)
  }
  for (const [index, element] of elements.entries()) {
    const fate = fates.get(index)
    if (fate === undefined) changed.elements.push(element)
    else if (fate !== GONE) putAt(fate)
  }
  for (const place of added) putAt(place)
  return changed

  function decide([index, other]: readonly number[], fate: number, path: Path) {
    if (other !== undefined) faults.add(path, 'edge-ambiguous', 'matches several edges without an id')
    else if (fates.has(index as number)) faults.add(path, 'duplicate-id', 'appears more than once in the patch')
    else fates.set(index as number, fate)
  }
}

/** Returns a function that maps faults in the changed content to their positions in the patch. */
function placer(
  { nodes: { remove = [] } = {} }: ContentPatch,
  edges: readonly Edge[],
  origins: Record<string, Changed<unknown>>
) {
  return (fault: Fault): Fault => {
    const [, kind = '', index, rest = ''] = fault.pointer?.match(/^#\/(nodes|edges)\/(\d+)(.*)$/s) ?? []
    if (index === undefined) return fault
    const place = origins[kind]?.origins.get(Number(index))
    if (place !== undefined) return { ...fault, pointer: `#/${kind}/put/${place}${rest}` }
    const { source = '', target = '' } = edges[Number(index)] ?? {}
    const removed = remove.indexOf(rest === '/source' ? source : target)
    if (fault.code !== 'unknown-node' || removed < 0) {
      return { ...fault, pointer: '#', detail: `leaves one of the ${kind} invalid: it ${fault.detail}` }
    }
    return {
      pointer: faultPointer(['nodes', 'remove', removed]),
      code: fault.code,
      detail: `is an endpoint of the edge from "${shortened(source, LONGEST)}" to "${shortened(target, LONGEST)}"`
    }
  }
}

/** The maximum length of ids in error details, in UTF-16 units. */
const LONGEST = 50

/** Collects the first faults and counts all of them. */
class Faults {
  readonly #list: Fault[] = []
  #count = 0

  add(path: Path, code: string, detail: string) {
    this.#count++
    if (this.#list.length < MAX_FAULTS) this.#list.push({ pointer: faultPointer(path), code, detail })
  }

  /**
   * The problem that reports the faults, or undefined if there are none. Uses the first fault's code if that is also a problem
   * code.
   */
  get problem() {
    const [first] = this.#list
    if (!first) return undefined
    const code = problems.find((code) => code === first.code) ?? 'validation-failed'
    return new ProblemError(code, { errors: this.#list, errorCount: this.#count })
  }
}

/** The fault codes that are also problem codes. */
const problems = ['element-not-found', 'edge-ambiguous'] as const
