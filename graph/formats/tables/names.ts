import type { Row } from './csv-rows.ts'
import { areDates, areIntervals, areMeasures, areNumbersOrDates, type Ends, hasValues, shareValues } from './ends.ts'

/** Pairs of names that tools use for edge endpoints. Earlier pairs take precedence. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['source', 'target'],
  ['src', 'dst'],
  ['src', 'dest'],
  ['src', 'tgt'],
  ['src', 'trg'],
  ['src', 'target'],
  ['source', 'destination'],
  ['source', 'dest'],
  ['source', 'sink'],
  ['from', 'to'],
  ['subject', 'object'],
  ['subj', 'obj'],
  ['origin', 'destination'],
  ['orig', 'dest'],
  ['sender', 'receiver'],
  ['sender', 'recipient'],
  ['caller', 'callee'],
  ['follower', 'followee'],
  ['follower', 'followed'],
  ['citing', 'cited'],
  ['predecessor', 'successor'],
  ['parent', 'child'],
  ['ego', 'alter'],
  ['bait', 'prey'],
  ['upstream', 'downstream'],
  ['von', 'nach'],
  ['quelle', 'ziel'],
  ['source', 'cible'],
  ['origen', 'destino'],
  ['origem', 'destino'],
  ['origine', 'destinazione'],
  ['start', 'end']
]

/** Words that may precede or follow the names of a pair, as in `source_id`. Earlier words take precedence. */
const PARTS = ['', 'id', 'node', 'nodeid', 'vertex', 'vertexid', 'key', 'uri', 'url', 'ip', 'ipaddress', 'addr']
  .concat(['address', 'name', 'nodename', 'label', 'nodelabel', 'entity', 'entityid', 'host', 'user', 'userid'])
  .concat(['person', 'author', 'page', 'account', 'airport', 'airportid', 'station', 'stationid', 'stop', 'stopid'])
  .concat(['city', 'country', 'gene', 'protein', 'symbol', 'genesymbol', 'word', 'code', 'number', 'index'])

/** Names of things that edges connect, as in `node1` and `node2`, or `gene_a` and `gene_b`. */
const THINGS = ['node', 'nodeid', 'vertex', 'vertexid', 'id', 'idsinteractor', 'interactor', 'uniqueidinteractor']
  .concat(['officialsymbolinteractor', 'symbol', 'gene', 'geneid', 'genename', 'genesymbol', 'protein', 'proteinid'])
  .concat(['entity', 'entityid', 'person', 'personid', 'actor', 'actorid', 'author', 'user', 'userid', 'member'])
  .concat(['character', 'name', 'end', 'endpoint', 'item', 'word', 'term', 'concept', 'city', 'country', 'station'])
  .concat(['team', 'player', 'page', 'account', 'element', 'object', 'species', 'residue', 'atom', 'n', 'v'])
const COUNTERS = [
  ['1', '2'],
  ['a', 'b'],
  ['i', 'j'],
  ['0', '1'],
  ['x', 'y']
] as const

/**
 * Names that are just as likely to refer to times. Unless combined with another word, such a pair is used only if no other
 * names match.
 */
const TIMES = new Set(['from', 'start'])

/** Names that are just as likely to be data. They are used only if no cell below contains the same text. */
const SHORT = [
  ['u', 'v'],
  ['i', 'j']
] as const

/**
 * Reduces a name to lower-case letters and digits, so that `Source Node`, `source_node` and `~sourceNode` are treated as equal.
 */
export function plainNameOf(cell: string) {
  return cell.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

/** Parses the name of a special Neo4j column, such as `:START_ID(Person)`, and returns its id space as `group`. */
export function neo4jColumn(cell: string) {
  const [, name = '', kind = '', group] =
    /^([^:]{0,200}):(START_ID|END_ID|ID|TYPE|LABEL)(?:\(([^()]{0,200})\))?(?:\{[^{}]{0,200}\})?$/i.exec(cell.trim()) ??
    []
  return kind === '' ? undefined : { name, kind: kind.toUpperCase(), group }
}

/**
 * Returns the columns that are edge endpoints according to their names, in any order. `isData` returns whether a column repeats
 * its name as a value. Names that may refer to times or coordinates are accepted only if the rows below are consistent with
 * endpoints.
 */
export function endsByName(
  header: readonly string[],
  isData: (index: number) => boolean,
  below: readonly Row[] = []
): Ends | undefined {
  const kinds = header.map((cell) => neo4jColumn(cell)?.kind)
  const [start, end] = [kinds.indexOf('START_ID'), kinds.indexOf('END_ID')]
  if (start >= 0 && end >= 0) return { source: start, target: end }

  const places = new Map<string, number>()
  for (const [index, cell] of header.entries()) {
    const name = plainNameOf(cell)
    if (!places.has(name)) places.set(name, index)
  }
  const isNodeTable = nodeIdIn(header) !== undefined
  const find = (a: string, b: string): Ends | undefined => {
    const [source, target] = [places.get(a), places.get(b)]
    return source === undefined || target === undefined || source === target ? undefined : { source, target }
  }
  for (const [a, b] of PAIRS) {
    for (const part of PARTS) {
      const ends = find(a + part, b + part) ?? find(part + a, part + b)
      if (!ends) continue
      if (part !== '' || !TIMES.has(a) || header[ends.source]?.startsWith('~')) return ends
      // If there are also columns such as `from_name` and `to_name`, they are attributes of `from` and `to`.
      const isBeside = PARTS.some((other) => other !== '' && (find(a + other, b + other) ?? find(other + a, other + b)))
      if (isBeside && !mayBeTimes(a, ends, header, below)) return ends
    }
  }
  // The head of a triple is its subject, while the head of an arc is its target. Either way, the source column comes first.
  const triple = find('head', 'tail') ?? find('headid', 'tailid') ?? find('headentity', 'tailentity')
  if (triple) {
    const [source = 0, target = 0] = [triple.source, triple.target].sort((a, b) => a - b)
    return { source, target }
  }
  const isPlain = (ends: Ends, counter: string) =>
    !isData(ends.source) &&
    !isData(ends.target) &&
    !areMeasures(below, ends) &&
    // Columns `x` and `y` with numbers are coordinates.
    (counter !== 'x' || !areNumbersOrDates(below, ends) || shareValues(below, ends))
  for (const thing of THINGS) {
    // In a table of nodes, a node may have two names.
    if (thing === 'name' && isNodeTable) continue
    for (const [a, b] of COUNTERS) {
      const ends = find(thing + a, thing + b) ?? find(a + thing, b + thing)
      if (ends && isPlain(ends, a)) return ends
    }
  }
  for (const [a, b] of SHORT) {
    const ends = find(a, b)
    if (ends && isPlain(ends, a)) return ends
  }
  for (const [a, b] of PAIRS) {
    const ends = TIMES.has(a) ? find(a, b) : undefined
    if (ends && !mayBeTimes(a, ends, header, below)) return ends
  }
  return undefined
}

/** Names of columns that contain measurements. Such columns are never identified as endpoints by their content. */
const MEASURES = new Set(['time', 'timestamp', 'date', 'datetime', 'year', 'month', 'day', 'hour', 'minute', 'second'])
for (const name of [
  'value',
  'weight',
  'count',
  'amount',
  'price',
  'size',
  'length',
  'width',
  'height',
  'score',
  'rank'
])
  MEASURES.add(name)
for (const name of ['x', 'y', 'z', 'lat', 'lon', 'lng', 'long', 'latitude', 'longitude', 'elevation', 'altitude'])
  MEASURES.add(name)

/** Returns the columns that are named like measurements and contain numbers or dates. */
export function measuresIn(header: readonly string[], below: readonly Row[]): number[] {
  return header.flatMap((name, index) =>
    MEASURES.has(plainNameOf(name)) && areNumbersOrDates(below, { source: index, target: index }) ? index : []
  )
}

/**
 * Returns the columns `from` and `to`, or `start` and `end`, if they contain times. Such columns are never identified as
 * endpoints by their content.
 */
export function timesIn(header: readonly string[], below: readonly Row[]): number[] {
  const names = header.map(plainNameOf)
  return PAIRS.filter(([a]) => TIMES.has(a)).flatMap(([a, b]) => {
    const ends = { source: names.indexOf(a), target: names.indexOf(b) }
    return ends.source >= 0 && ends.target >= 0 && mayBeTimes(a, ends, header, below) ? [ends.source, ends.target] : []
  })
}

/** Returns whether the columns `from` and `to`, or `start` and `end`, may be times rather than edge endpoints. */
function mayBeTimes(name: string, ends: Ends, header: readonly string[], below: readonly Row[]) {
  const isNodeTable = nodeIdIn(header) !== undefined
  // A node with a start and an end exists only during that time.
  if (name === 'start' && isNodeTable) return true
  if (isNodeTable && below.length > 0 && !hasValues(below, ends)) return true
  if (!areNumbersOrDates(below, ends)) return false
  // Decimal numbers are coordinates or measurements.
  if (areDates(below, ends) || (areMeasures(below, ends) && !shareValues(below, ends))) return true
  if (header.length === 2) return name === 'start' && !shareValues(below, ends)
  return areIntervals(below, ends, name === 'from') || ((name === 'start' || isNodeTable) && !shareValues(below, ends))
}

/** Returns the column with the node ids, such as `Id` in Gephi, `~id` in Neptune or `:ID` in Neo4j. */
export function nodeIdIn(header: readonly string[]): number | undefined {
  const neo4j = header.findIndex((cell) => neo4jColumn(cell)?.kind === 'ID')
  if (neo4j >= 0) return neo4j
  for (const name of ['id', 'nodeid', 'vertexid']) {
    const index = header.findIndex((cell) => plainNameOf(cell) === name)
    if (index >= 0) return index
  }
  return undefined
}

/** Column names that other tools use for edge relations. */
const RELATIONS = new Set(['relation', 'relationship', 'relationshiptype', 'relationtype', 'predicate', 'interaction'])
  .add('interactiontype')
  .add('edgetype')
  .add('rel')

/** Returns the column with the edge relations in tables from other tools. */
export function relationIn(header: readonly string[]): number | undefined {
  const index = header.findIndex(
    (cell) => neo4jColumn(cell)?.kind === 'TYPE' || /^~label$/i.test(cell) || RELATIONS.has(plainNameOf(cell))
  )
  return index >= 0 ? index : undefined
}
