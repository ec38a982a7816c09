import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { measures } from '../../picture/measures/functions.ts'
import { areEqual, haveSameEdges, type Links, linksOf } from '../../picture/measures/links.ts'
import { type MeasureName, measureNames, measuresAmong, usesWeights } from '../../picture/measures/names.ts'
import { palette } from '../../picture/model/palettes.ts'
import { colourScale, hasKinds } from '../../picture/model/scales.ts'
import { networkOf } from '../../ui/src/graph/network/network.ts'
import { measureAttributes, withStored } from '../../ui/src/measures/measure-attributes.ts'
import { inputsOf, validValues } from '../../ui/src/measures/valid-values.ts'

// The node measures of the web app, compared with networkx. `.ci/measures.py` writes the expected values.

interface Case {
  name: string
  directed: boolean
  ids: string[]
  /** The edges, each with source, target, weight, and its direction if that differs from the graph's. */
  edges: [number, number, number | null, boolean?][]
  /** The best modularity of ten runs of the Louvain method; null if no edges have a positive weight. */
  modularity: number | null
  /** The same with other resolutions. Each is a resolution and the modularity with it. */
  resolved: [number, number | null][]
  /** Null for measures that are undefined. */
  measures: Record<Exclude<MeasureName, 'community'>, number[] | null>
}

const cases: Case[] = readFileSync(join(import.meta.dirname, '../known-answers/measures.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

function linksOfCase({ directed: byDefault, ids, edges }: Case, name = 'weight', key?: string): Links {
  const content = {
    directed: byDefault,
    nodes: ids.map((id) => ({ id })),
    edges: edges.map(([source, target, weight, directed = byDefault]) => ({
      source: ids[source] as string,
      target: ids[target] as string,
      directed,
      ...(weight !== null && { metadata: { [name]: weight } })
    }))
  }
  return linksOf(networkOf(content), key)
}

const compute = (name: MeasureName, links: Links) => measures[name](links, () => {})

t.test('measures match networkx', async (t) => {
  t.ok(cases.length > 10)
  for (const known of cases) {
    const links = linksOfCase(known)
    for (const [name, expected] of Object.entries(known.measures) as [MeasureName, number[] | null][]) {
      if (!expected) {
        t.throws(() => compute(name, links), { name: 'UndefinedMeasure' }, `${name} of ${known.name} is undefined`)
        continue
      }
      const actual = [...compute(name, links)]
      const isNear = (value: number, index: number) => Math.abs(value - (actual[index] as number)) < 1e-9
      const isSame = actual.length === expected.length && expected.every(isNear)
      t.ok(isSame, `${name} of ${known.name}`, { actual, expected })
    }
  }
})

t.test('communities are as good as the best from networkx, and deterministic', async (t) => {
  for (const known of cases) {
    const links = linksOfCase(known)
    const found = compute('community', links)
    t.same(compute('community', links), found, `${known.name}: the result is deterministic`)
    if (known.modularity === null)
      t.same(
        [...found],
        known.ids.map((_, index) => index + 1),
        `${known.name}: each node is its own community`
      )
    else
      t.ok(
        modularityOf(links, found) > known.modularity - 0.01,
        `${known.name}: ${modularityOf(links, found)} of ${known.modularity}`
      )
  }
})

t.test('communities with other resolutions are as good as the best from networkx', async (t) => {
  for (const known of cases) {
    const links = linksOfCase(known)
    for (const [resolution, modularity] of known.resolved) {
      if (modularity === null) continue
      const found = modularityOf(
        links,
        measures.community(links, () => {}, resolution),
        resolution
      )
      t.ok(found > modularity - 0.01, `${known.name} with ${resolution}: ${found} of ${modularity}`)
    }
    t.same(
      measures.community(links, () => {}, 1),
      compute('community', links),
      `${known.name}: 1 is the default`
    )
  }
})

/**
 * Returns the modularity of groups (Newman 2006): the fraction of the weight within groups, minus the fraction expected by
 * chance.
 */
function modularityOf({ source, target, weights }: Links, groups: Float64Array, resolution = 1): number {
  const [within, ends] = [new Map<number, number>(), new Map<number, number>()]
  let sum = 0
  const add = (sums: Map<number, number>, group: number, weight: number) =>
    sums.set(group, (sums.get(group) ?? 0) + weight)
  weights.forEach((weight, edge) => {
    if (weight <= 0) return
    const [from, to] = [groups[source[edge] as number] as number, groups[target[edge] as number] as number]
    sum += weight
    add(ends, from, weight)
    add(ends, to, weight)
    if (from === to) add(within, from, weight)
  })
  return [...ends].reduce(
    (total, [group, end]) => total + (within.get(group) ?? 0) / sum - resolution * (end / (2 * sum)) ** 2,
    0
  )
}

t.test('any attribute can contain the weights', async (t) => {
  for (const known of cases) {
    t.same(
      linksOfCase(known, 'value', 'metadata.value'),
      linksOfCase(known),
      `${known.name}: a value missing counts as 1`
    )
    const equal = new Array(known.edges.length).fill(1)
    t.same([...linksOfCase(known, 'value').weights], equal, `${known.name}: the default is weight`)
    t.same([...linksOfCase(known, 'weight', 'none').weights], equal, `${known.name}: none means 1`)
  }
})

t.test('only some measures depend on weights', async (t) => {
  const depends = (name: MeasureName) =>
    cases.some((known) => {
      if (name !== 'community' && !known.measures[name]) return false
      const links = linksOfCase(known)
      const others = { ...links, weights: links.weights.map((_, edge) => 1 + (edge % 7)) }
      return compute(name, links).join() !== compute(name, others).join()
    })
  t.same(measureNames.filter(depends), measureNames.filter(usesWeights))
})

t.test('measures are valid until an input that they use changes', async (t) => {
  const links = linksOfCase(cases[0] as Case)
  const before = { links, edges: links, resolution: undefined }
  const computed = new Map(
    (['community', 'pageRank', 'betweenness'] as const).map((name) => [
      name,
      { ...inputsOf(name, before), values: Float64Array.of(1) }
    ])
  )
  const valid = (inputs: Partial<typeof before> | { resolution: number }) => [
    ...validValues(computed, { ...before, ...inputs }).keys()
  ]
  t.same(valid({}), ['community', 'pageRank', 'betweenness'])
  t.same(valid({ resolution: 2 }), ['pageRank', 'betweenness'])
  t.same(valid({ links: { ...links } }), ['betweenness'], 'the weights have changed')
  t.same(valid({ links: { ...links }, edges: { ...links } }), [], 'the edges have changed')
})

t.test('groups are numbered by size', async (t) => {
  const pairs = ['bc', 'de', 'ef', 'fd', 'gh', 'hg']
  const links = linksOf(
    networkOf({
      directed: true,
      nodes: [...'abcdefgh'].map((id) => ({ id })),
      edges: pairs.map((pair) => ({ source: pair[0] as string, target: pair[1] as string }))
    })
  )
  t.same([...compute('component', links)], [4, 2, 2, 1, 1, 1, 3, 3])
  t.same([...compute('community', links)], [4, 2, 2, 1, 1, 1, 3, 3])
})

t.test('betweenness and closeness report progress', async (t) => {
  const known = cases.find(({ name }) => name === 'karate club') as Case
  for (const name of ['betweenness', 'closeness'] as const) {
    const shares: number[] = []
    measures[name](linksOfCase(known), (share) => shares.push(share))
    t.same(
      shares,
      known.ids.map((_, index) => index / known.ids.length),
      name
    )
  }
})

t.test('measures become node attributes that are distinct from stored ones', async (t) => {
  const values = new Map<MeasureName, Float64Array>([
    ['core', Float64Array.of(1, 2, 2)],
    ['community', Float64Array.of(2, 1, 1)]
  ])
  const attributes = measureAttributes(values)
  const shown = attributes.map(({ key, title, isNumber, isComputed, read }) => [
    key,
    title,
    isNumber,
    isComputed,
    read(0)
  ])
  t.same(shown, [
    ['measure.community', 'Community', false, true, 'Community 2'],
    ['measure.core', 'Core number', true, true, 1]
  ])
  t.same(
    attributes.map((attribute) => hasKinds(attribute, 3)),
    [true, false],
    'measures are amounts, however few values they have'
  )
  t.same(measuresAmong(['measure.core', 'metadata.core', undefined, 'measure.nothing']), ['core'])
})

t.test('the largest communities have colours in numerical order; the others are muted', async (t) => {
  const groups = Array.from({ length: 15 }, (_, group) => Array<number>(15 - group).fill(group + 1)).flat()
  const [community] = measureAttributes(new Map([['community', Float64Array.from(groups)]]))
  if (!community) return t.fail('no attribute')
  const { legend, colourOf } = colourScale(community, groups.length, () => undefined)
  t.same(
    legend.kinds,
    palette.map((colour, index) => ({ value: `Community ${index + 1}`, count: 15 - index, colour }))
  )
  t.equal(legend.others, 3)
  t.equal(colourOf(groups.length - 1), '#c5a573')
})

t.test('a measure is stored only once in the metadata of nodes', async (t) => {
  const [core] = measureAttributes(new Map([['core', Float64Array.of(1, 2)]]))
  if (!core) return t.fail('no attribute')
  const content = { directed: false, nodes: [{ id: 'a', metadata: { age: 7 } }, { id: '__proto__' }], edges: [] }
  const stored = withStored(content, core)
  t.strictSame(stored, {
    directed: false,
    nodes: [
      { id: 'a', metadata: { age: 7, 'Core number': 1 } },
      { id: '__proto__', metadata: { 'Core number': 2 } }
    ],
    edges: []
  })
  t.equal(withStored(stored, core), stored)
})

t.test('links are unchanged if only other parts of a graph change', async (t) => {
  const of = (x: number, weight: number) =>
    linksOf(
      networkOf({
        directed: true,
        nodes: [{ id: 'a', x }, { id: 'b' }],
        edges: [{ source: 'a', target: 'b', metadata: { weight } }]
      })
    )
  t.equal(areEqual(of(1, 2), of(3, 2)), true)
  t.equal(areEqual(of(1, 2), of(1, 3)), false)
  t.equal(haveSameEdges(of(1, 2), of(1, 3)), true)
  t.equal(haveSameEdges(of(1, 2), { ...of(1, 2), source: Uint32Array.of(1) }), false)
  t.equal(areEqual(of(1, 2), { ...of(1, 2), count: 3 }), false)
  t.equal(areEqual(of(1, 2), { ...of(1, 2), directed: Uint8Array.of(0) }), false)
  t.equal(areEqual(of(1, 2), { ...of(1, 2), source: Uint32Array.of(1) }), false)
  t.equal(areEqual(of(1, 2), { ...of(1, 2), target: Uint32Array.of(1, 0) }), false, 'links of another length differ')
})
