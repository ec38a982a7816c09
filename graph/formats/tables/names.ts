import { ENGLISH_ENDS } from '../shared/column-names.ts'
import type { Row } from './csv-rows.ts'
import {
  areAdjoining,
  areBands,
  areDates,
  areIntervals,
  areMeasures,
  areNumbersOrDates,
  type Ends,
  hasValues,
  shareValues
} from './ends.ts'
import { confirmEnds } from './evidence.ts'
import { FOREIGN_ENDS, isForeignWeight, plainNameOf } from './languages.ts'

/** The names of edge endpoints. Earlier pairs take precedence, and `start` and `end` come last. */
const PAIRS: readonly (readonly [string, string])[] = [...ENGLISH_ENDS, ...FOREIGN_ENDS, ['start', 'end']]

/** Pairs of names that are just as likely to denote measurements. They count only if the cells below confirm them. */
const WEAK = new Set(['parent', 'upstream', '起点', '起點', '始点'])

/** Words that may precede or follow the names of a pair, as in `source_id`. Earlier words take precedence. */
const PARTS = ['', 'id', 'node', 'nodeid', 'vertex', 'vertexid', 'key', 'uri', 'url', 'ip', 'ipaddress', 'addr']
  .concat(['address', 'entity', 'entityid', 'host', 'user', 'userid', 'person', 'author', 'page', 'account'])
  .concat(['airport', 'airportid', 'station', 'stationid', 'stop', 'stopid', 'city', 'country', 'gene', 'protein'])
  .concat(['symbol', 'genesymbol', 'word', 'code', 'number', 'index'])

/** Words for labels, as in `source_label`. Such columns are endpoints only if no other names match. */
const LABELS = ['name', 'nodename', 'label', 'nodelabel']

/** Names of things that edges connect, as in `node1` and `node2`, or `gene_a` and `gene_b`. */
const THINGS = ['node', 'nodeid', 'vertex', 'vertexid', 'id', 'idsinteractor', 'interactor', 'uniqueidinteractor']
  .concat(['officialsymbolinteractor', 'symbol', 'gene', 'geneid', 'genename', 'genesymbol', 'protein', 'proteinid'])
  .concat(['entity', 'entityid', 'person', 'personid', 'actor', 'actorid', 'author', 'user', 'userid', 'member'])
  .concat(['participant', 'character', 'name', 'end', 'endpoint', 'item', 'word', 'term', 'concept', 'city'])
  .concat(['country', 'station', 'team', 'player', 'page', 'account', 'element', 'object', 'species', 'residue'])
  .concat(['atom', 'n', 'v'])

/** The names of columns in which numbers are ids. All other numbers may be measurements, such as the goals of two teams. */
const IDENTIFIED = /^(?:node|vertex|.*interactor)$|id$/

/** The names of columns whose text may be anything, such as first and last names or the answers to two questions. */
const VAGUE = new Set(['name', 'item', 'end', 'object', 'member', 'n', 'v'])

/** The names of columns in which numbers are never ids, such as the goals of two teams or the sizes of two samples. */
const COUNTED = new Set(['name', 'item', 'end', 'object', 'team', 'player', 'n', 'word', 'term'])

/**
 * Pairs of counters in column names, each with the counter that comes next. If a column name contains that one too, all of
 * these columns contain the same kind of data.
 */
const COUNTERS = [
  ['1', '2', '3'],
  ['a', 'b', 'c'],
  ['i', 'j', 'k'],
  ['0', '1', '2'],
  ['x', 'y', 'z']
] as const

/**
 * Names that are just as likely to refer to times. Unless combined with another word, such a pair is used only if no other
 * names match.
 */
const TIMES = new Set(['from', 'start'])

/**
 * Names that are just as likely to be data. They are used only if no cell below contains the same text, and no column is named
 * with the preceding or following letter.
 */
const SHORT = [
  ['u', 'v', ['t']],
  ['i', 'j', ['h', 'k']]
] as const

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
  // Most of the words do not occur in any name. Skipping them saves many thousands of lookups in a table without known names.
  const all = [...places.keys()].join(' ')
  const pairs = PAIRS.filter(([a, b]) => all.includes(a) && all.includes(b))
  const isNodeTable = nodeIdIn(header) !== undefined
  const find = (a: string, b: string): Ends | undefined => {
    const [source, target] = [places.get(a), places.get(b)]
    return source === undefined || target === undefined || source === target ? undefined : { source, target }
  }
  const findPart = (a: string, b: string, part: string) => find(a + part, b + part) ?? find(part + a, part + b)
  for (const [a, b] of pairs) {
    for (const part of PARTS) {
      const ends = findPart(a, b, part)
      if (!ends || (WEAK.has(a) && part === '' && !confirmEnds(below, ends))) continue
      if (part !== '' || !TIMES.has(a) || header[ends.source]?.startsWith('~')) return ends
      // If there are also columns such as `from_name` and `to_name`, they are attributes of `from` and `to`.
      const isBeside = [...PARTS, ...LABELS].some((other) => other !== '' && findPart(a, b, other))
      if (isBeside && !mayBeTimes(a, ends, header, below)) return ends
    }
  }
  // The head of a triple is its subject, while the head of an arc is its target. Either way, the source column comes first.
  const triple = find('head', 'tail') ?? find('headid', 'tailid') ?? find('headentity', 'tailentity')
  if (triple && confirmEnds(below, triple)) {
    const [source = 0, target = 0] = [triple.source, triple.target].sort((a, b) => a - b)
    return { source, target }
  }
  const isPlain = (ends: Ends) => !isData(ends.source) && !isData(ends.target) && !areMeasures(below, ends)
  const named = [...places.keys()].slice(0, WIDE)
  const stems = named.flatMap((name) => /^(.*id)[1ai0]$/.exec(name)?.[1] ?? [])
  for (const thing of [...THINGS, ...stems].filter((thing) => all.includes(thing))) {
    // In a table of nodes, a node may have two names.
    if (thing === 'name' && isNodeTable) continue
    for (const [a, b, c] of COUNTERS) {
      const ends = find(thing + a, thing + b) ?? find(a + thing, b + thing)
      if (!ends || !isPlain(ends) || places.has(thing + c) || places.has(c + thing)) continue
      // Columns `x` and `y` with numbers are coordinates.
      const isKnown = IDENTIFIED.test(thing) && (a !== 'x' || !areNumbersOrDates(below, ends))
      if (COUNTED.has(thing) && areNumbersOrDates(below, ends)) continue
      if (isKnown || confirmEnds(below, ends, VAGUE.has(thing))) return ends
    }
  }
  for (const [a, b] of pairs) {
    for (const part of LABELS) {
      const ends = findPart(a, b, part)
      if (ends) return ends
    }
    // Any other word may follow or precede, as in `from_bus`, unless it denotes a measurement.
    for (const name of TIMES.has(a) && a !== 'from' ? [] : named) {
      const part = name.startsWith(a) ? name.slice(a.length) : name.endsWith(a) ? name.slice(0, -a.length) : ''
      const ends = part === '' || MEASURES.has(part) ? undefined : findPart(a, b, part)
      if (ends && isPlain(ends) && confirmEnds(below, ends, true)) return ends
    }
  }
  for (const [a, b, others] of SHORT) {
    const ends = find(a, b)
    if (ends && isPlain(ends) && !others.some((name) => places.has(name)) && confirmEnds(below, ends)) return ends
  }
  for (const [a, b] of pairs) {
    const ends = TIMES.has(a) ? find(a, b) : undefined
    if (ends && !mayBeTimes(a, ends, header, below)) return ends
  }
  return undefined
}

/** The maximum number of columns whose names are split into parts. */
const WIDE = 100

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

/** Pairs of names for two measurements of the same thing. The values may be words such as low and high. */
const TWICE = [
  ['before', 'after'],
  ['pre', 'post'],
  ['baseline', 'followup'],
  ['test', 'retest'],
  ['expected', 'actual'],
  ['expected', 'observed'],
  ['predicted', 'actual'],
  ['predicted', 'observed'],
  ['q1', 'q2'],
  ['answer1', 'answer2'],
  ['ref', 'alt'],
  ['allele1', 'allele2']
] as const

/** Returns the columns that are named like measurements and contain numbers or dates, or are named like repeated measurements. */
export function measuresIn(header: readonly string[], below: readonly Row[]): number[] {
  const names = header.map(plainNameOf)
  const twice = new Set(TWICE.filter((pair) => pair.every((name) => names.includes(name))).flat() as string[])
  return names.flatMap((name, index) => {
    const isMeasure = MEASURES.has(name) || isForeignWeight(header[index] as string)
    const isNumeric = isMeasure && areNumbersOrDates(below, { source: index, target: index })
    return isNumeric || twice.has(name) ? index : []
  })
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
  // An edge list may have two columns, or a third with weights.
  const isWide = header.length > 2 && !header.some((cell) => isForeignWeight(cell) || plainNameOf(cell) === 'weight')
  if ((isWide || name === 'start') && areAdjoining(below, ends)) return true
  if (header.length === 2) return name === 'start' && !shareValues(below, ends)
  if (areBands(below, ends)) return true
  return areIntervals(below, ends, name === 'from') || ((name === 'start' || isNodeTable) && !shareValues(below, ends))
}

/** Returns the column with the node ids, such as `Id` in Gephi, `~id` in Neptune or `:ID` in Neo4j. */
export function nodeIdIn(header: readonly string[]): number | undefined {
  const neo4j = header.findIndex((cell) => neo4jColumn(cell)?.kind === 'ID')
  if (neo4j >= 0) return neo4j
  const names = header.map(plainNameOf)
  for (const name of ['id', 'nodeid', 'vertexid']) {
    const index = names.indexOf(name)
    if (index >= 0) return index
  }
  return undefined
}

/** Returns the only column that is named like an id, such as `person_id` or `personId`, and has a different value in each row. */
export function uniqueIdIn(header: readonly string[], below: readonly Row[]): number | undefined {
  const found = header.flatMap((name, index) => {
    if (!/(?:^|[^a-z])id$/i.test(name.trim()) && !/[a-z]I[dD]$/.test(name.trim())) return []
    const values = new Set(below.map(({ cells }) => cells[index] ?? ''))
    return values.size === below.length && !values.has('') ? [index] : []
  })
  return found.length === 1 ? found[0] : undefined
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
