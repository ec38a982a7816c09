import { isNumber } from '../shared/cell-types.ts'
import type { Format } from '../shared/format.ts'
import type { GraphBuilder } from '../shared/graph-builder.ts'
import { linesOf, nodesOf } from '../shared/lines.ts'
import { decodeText } from '../shared/text.ts'
import { readTables } from './blocks.ts'
import { tableIn } from './csv.ts'
import { endsByName } from './names.ts'

/**
 * SIF, the simple interaction format of Cytoscape: `a pp b c` means an edge from a to b and an edge from a to c.
 * https://manual.cytoscape.org/en/stable/Supported_Network_File_Formats.html#sif-format
 */
export const sif: Format = {
  name: 'sif',
  title: 'SIF',
  mediaType: 'text/x-sif',
  endings: ['.sif'],
  recognises,
  read
}

/** The relations of CausalPath, whose lines have five columns: the mediators and the sites follow the target. */
const CAUSAL =
  /^(?:(?:de)?(?:phosphorylates|acetylates|methylates)|(?:up|down)regulates-expression|(?:activates|inhibits)-gtpase)$/

/** The two-letter relations that Cytoscape uses, such as pp, pd and cc. */
const SHORT = /^[a-z]{2}$/

/** The maximum number of lines and of characters to examine for detection. */
const LINES = 200
const CHARACTERS = 20_000

/**
 * Returns whether lines begin with a node and a relation. There must be few distinct second words, and none of them may be a
 * number or a node. Tab-separated lines of three cells are treated as a table, unless the relations are Cytoscape's. Numbers
 * after names are weights rather than nodes. Unless all lines are short and have Cytoscape's relations, some edge must begin
 * where another ends; otherwise the file may be a log.
 */
function recognises(text: string) {
  const lines = text.slice(0, CHARACTERS).split(/\r\n?|\n/)
  if (text.length > CHARACTERS) lines.pop()
  const words = lines
    .slice(0, LINES)
    .filter((line) => line.trim() !== '')
    .map((line) => wordsOf(line, line.includes('\t')))
  const edges = words.filter(({ length }) => length > 1)
  const [first] = edges
  if (areCausal(text.slice(0, CHARACTERS))) return true
  if (!first || words.length < 2 || edges.some(({ length }) => length < 3) || endsByName(first, () => false))
    return false
  const relations = new Map<string, number>()
  for (const [, relation = ''] of edges) relations.set(relation, (relations.get(relation) ?? 0) + 1)
  const nodes = new Set(words.flatMap(([node = '', , ...others]) => [node, ...others]))
  const areNames = [...relations.keys()].every(
    (relation) => /[\p{L}\p{N}]/u.test(relation) && !isNumber(relation) && !nodes.has(relation)
  )
  const areShort = [...relations.keys()].every((relation) => SHORT.test(relation))
  const isTable = text.slice(0, CHARACTERS).includes('\t') && words.every(({ length }) => length === 3)
  const isRepeated = relations.size <= edges.length / 2 && (relations.get(first[1] as string) ?? 0) > 1
  if (!areNames || !(areShort || (isRepeated && !isTable)) || haveWeights(edges)) return false
  const sources = new Set(edges.map(([source]) => source))
  const isPlain = areShort && edges.every(({ length }) => length === 3)
  return isPlain || edges.some(([, , ...targets]) => targets.some((target) => sources.has(target)))
}

/** Returns whether lines end with a weight or a dictionary, as in networkx's files. */
function haveWeights(edges: readonly string[][]) {
  if (edges.some((words) => words.some((word, index) => index > 1 && word.startsWith('{')))) return true
  if (edges.some(([source = '']) => isNumber(source))) return false
  const last = edges.map((words) => words.at(-1) ?? '')
  return last.every(isNumber) || last.some((word) => isNumber(word) && word.includes('.'))
}

function wordsOf(line: string, hasTabs: boolean) {
  const words = hasTabs ? line.split('\t') : line.trim().split(/ +/)
  return words.map((word) => word.trim()).filter((word) => word !== '')
}

/** Returns whether every line with a relation uses one of CausalPath's relations. */
function areCausal(text: string) {
  const relations = text.split(/\r\n?|\n/).flatMap((line) => line.split('\t')[1] ?? [])
  return relations.length > 0 && relations.every((relation) => CAUSAL.test(relation))
}

/** Reads the file, as a table if the first line contains the names of the columns, as in Pathway Commons' extended SIF. */
function read(bytes: Buffer, into: GraphBuilder) {
  const text = decodeText(bytes, into, { isOld: true })
  const hasTabs = text.includes('\t')
  const isTable = endsByName(text.slice(0, text.search(/[\r\n]|$/)).split('\t'), () => false)
  if (isTable) return readTables(tableIn(bytes, into, '\t'), into)
  if (hasTabs && areCausal(text)) return readCausal(text, into)
  const nodeOf = nodesOf(into)
  for (const [line, at] of linesOf(text)) {
    const [source, relation, ...targets] = wordsOf(line, hasTabs)
    if (source === undefined) continue
    nodeOf(source, at)
    if (relation !== undefined && targets.length === 0) into.fault(at, 'required', 'a relation has no target')
    for (const target of targets) into.addEdge(source, nodeOf(target, at).id, at, [['relation', relation]])
  }
}

/** Reads a CausalPath file. A line without a relation is a node. */
function readCausal(text: string, into: GraphBuilder) {
  const nodeOf = nodesOf(into)
  for (const [line, at] of linesOf(text)) {
    const [source = '', relation = '', target = '', mediators = '', sites = ''] = line
      .split('\t')
      .map((cell) => cell.trim())
    if (source === '') continue
    nodeOf(source, at)
    if (relation === '') continue
    if (target === '') into.fault(at, 'required', 'a relation has no target')
    else {
      const others = Object.entries({ mediators, sites }).filter(([, value]) => value !== '')
      into.addEdge(source, nodeOf(target, at).id, at, [['relation', relation], ...others])
    }
  }
}
