import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { adjacencyOf, type Links, linksOf } from '../../picture/measures/links.ts'
import { networkOf } from '../../ui/src/graph/network/network.ts'
import { distances } from '../../ui/src/statistics/distances.ts'
import { partOfLinks } from '../../ui/src/statistics/part-of-links.ts'
import { statistics } from '../../ui/src/statistics/statistics.ts'
import { strongComponents } from '../../ui/src/statistics/strong-components.ts'

// The statistics of the web app, compared with networkx. `.ci/measures.py` writes the expected values.

interface Case {
  name: string
  directed: boolean
  ids: string[]
  /** The edges, each with source, target, weight, and its direction if that differs from the graph's. */
  edges: [number, number, number | null, boolean?][]
  /** Null if undefined. The modularity is that of the groups of nodes with the same remainder by 3. */
  statistics: Record<Name, number | null>
}

type Name = (typeof names)[number]

const names = [
  'density',
  'components',
  'strongComponents',
  'of',
  'diameter',
  'meanDistance',
  'transitivity',
  'meanClustering',
  'reciprocity',
  'assortativity',
  'modularity'
] as const

const cases: Case[] = readFileSync(join(import.meta.dirname, '../known-answers/measures.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

function linksOfCase({ directed: byDefault, ids, edges }: Pick<Case, 'directed' | 'ids' | 'edges'>): Links {
  return linksOf(
    networkOf({
      directed: byDefault,
      nodes: ids.map((id) => ({ id })),
      edges: edges.map(([source, target, weight, directed = byDefault]) => ({
        source: ids[source] as string,
        target: ids[target] as string,
        directed,
        ...(weight !== null && { metadata: { weight } })
      }))
    })
  )
}

const grouped = (count: number) => ({ groups: Uint32Array.from({ length: count }, (_, node) => node % 3) })

t.test('statistics match networkx', async (t) => {
  t.ok(cases.length > 10)
  for (const known of cases) {
    const links = linksOfCase(known)
    const found = statistics(links, grouped(links.count), () => {})
    const { of = 0, diameter, mean: meanDistance } = found.distances ?? {}
    const actual: Record<Name, number | undefined> = { ...found, of, diameter, meanDistance }
    for (const name of names) {
      const [expected, value] = [known.statistics[name], actual[name]]
      if (expected === null) t.equal(value, undefined, `${name} of ${known.name} is undefined`)
      else t.ok(Math.abs((value ?? Number.NaN) - expected) < 1e-9, `${name} of ${known.name}: ${value} is ${expected}`)
    }
    t.equal(found.meanDegree, known.ids.length > 0 ? (2 * known.edges.length) / known.ids.length : undefined)
    t.equal(found.nodes, known.ids.length)
    t.equal(found.edges, known.edges.length, 'an undirected edge counts once')
    t.equal(found.distances?.starts ?? 0, of, 'distances are exact')
  }
})

t.test('the groups are the communities of the given resolution unless others are given', async (t) => {
  const known = cases.find(({ name }) => name === 'karate club') as Case
  const of = (resolution: number | undefined) => statistics(linksOfCase(known), { resolution }, () => {})
  t.equal(of(undefined).groups, 4)
  t.ok((of(undefined).modularity as number) > 0.4)
  t.ok(of(3).groups > 4)
  t.ok((of(3).modularity as number) < 0.4, 'the modularity itself has the resolution 1')
})

t.test('distances in large components are estimated from some of their nodes', async (t) => {
  const count = 300
  const ring = Array.from({ length: count }, (_, node): [number, number, null] => [node, (node + 1) % count, null])
  // A tail, whose end the sample misses.
  const tail = Array.from({ length: 40 }, (_, index): [number, number, null] => [
    count + index - 1,
    count + index,
    null
  ])
  const ids = Array.from({ length: count + 40 }, (_, node) => `n${node}`)
  const adjacency = adjacencyOf(linksOfCase({ directed: false, ids, edges: [...ring, ...tail] }), 'out')
  const shares: number[] = []
  const exact = distances(adjacency, (share) => shares.push(share))
  t.same(exact.starts, 340)
  t.same(
    shares,
    ids.map((_, index) => index / 340)
  )
  const estimated = distances(adjacency, () => {}, { mostExact: 100, sampled: 30 })
  t.equal(estimated.starts, 30)
  t.equal(estimated.diameter, 190, 'the search continues from the farthest node')
  t.equal(exact.diameter, 190)
  t.ok(Math.abs(estimated.mean / exact.mean - 1) < 0.1, `${estimated.mean} of ${exact.mean}`)
  t.same(
    distances(adjacency, () => {}, { mostExact: 100, sampled: 30 }),
    estimated,
    'the sample is always the same'
  )
})

t.test('a path of many nodes does not exhaust the call stack', async (t) => {
  const count = 100_000
  const ids = Array.from({ length: count }, (_, node) => `n${node}`)
  const edges = ids.slice(1).map((_, node): [number, number, null] => [node, node + 1, null])
  t.equal(strongComponents(adjacencyOf(linksOfCase({ directed: true, ids, edges }), 'out')).length, count)
})

t.test('statistics of a part ignore hidden nodes and edges', async (t) => {
  const edges: [number, number, number][] = [
    [0, 1, 1],
    [1, 2, 2],
    [2, 3, 3],
    [3, 1, 4]
  ]
  const links = linksOfCase({ directed: true, ids: ['a', 'b', 'c', 'd'], edges })
  t.same(partOfLinks(links, [1, 2, 3], Uint8Array.of(0, 0, 1, 0)), {
    count: 3,
    source: Uint32Array.of(0, 2),
    target: Uint32Array.of(1, 0),
    directed: Uint8Array.of(1, 1),
    weights: Float64Array.of(2, 4)
  })
})
