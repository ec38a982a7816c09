import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { edgeAttributes } from '../../ui/src/graph/network/attributes.ts'
import { type Network, networkOf } from '../../ui/src/graph/network/network.ts'
import { readView, writeView } from '../../ui/src/graph/view/view.ts'
import { edgeLengths } from '../../ui/src/paths/edge-lengths.ts'
import { NodeHeap } from '../../ui/src/paths/node-heap.ts'
import { type Path, shortestPaths } from '../../ui/src/paths/shortest-paths.ts'
import { en } from '../../ui/src/text/en.ts'

// Shortest paths in the web app, compared with networkx. `.ci/paths.py` writes the expected values.

interface Case {
  name: string
  directed: boolean
  ids: string[]
  edges: [number, number, number | null, boolean?][]
}

interface Answer {
  name: string
  isEitherWay: boolean
  from: number
  /** The distance to each node, in edges and by absolute weights; null if unreachable. */
  edges: (number | null)[]
  lengths: (number | null)[]
}

const read = <T>(file: string): T[] =>
  readFileSync(join(import.meta.dirname, '../known-answers', file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

const networks = new Map(
  read<Case>('measures.jsonl').map(({ name, directed: byDefault, ids, edges }) => [
    name,
    networkOf({
      directed: byDefault,
      nodes: ids.map((id) => ({ id })),
      edges: edges.map(([source, target, weight, directed = byDefault]) => ({
        source: ids[source] as string,
        target: ids[target] as string,
        directed,
        metadata: { weight: Math.abs(weight ?? 1) }
      }))
    })
  ])
)

const shortestPath = (...task: Parameters<typeof shortestPaths>) => shortestPaths(...task)?.pathAt(0)

const lengthsOf = ({ edges }: Network) => Float64Array.from(edges, ({ metadata }) => Number(metadata?.weight))

/** Returns whether each edge of the path connects one node to the next. */
function isConnected({ source, target, directed }: Network, { nodes, edges }: Path, isEitherWay: boolean) {
  return (
    nodes.length === edges.length + 1 &&
    edges.every((edge, index) => {
      const [from, to] = [nodes[index], nodes[index + 1]]
      const isForward = source[edge] === from && target[edge] === to
      const isBackward = source[edge] === to && target[edge] === from
      return isForward || (isBackward && (isEitherWay || directed[edge] === 0))
    })
  )
}

t.test('paths are as short as those of networkx, and their edges connect consecutive nodes', async (t) => {
  const answers = read<Answer>('paths.jsonl')
  t.ok(answers.length > 80)
  for (const { name, isEitherWay, from, ...expected } of answers) {
    const network = networks.get(name) as Network
    const lengths = lengthsOf(network)
    const wrong: string[] = []
    for (const to of network.nodes.keys()) {
      for (const [kind, known, path] of [
        ['edges', expected.edges[to], shortestPath(network, { from, to, isEitherWay })],
        ['lengths', expected.lengths[to], shortestPath(network, { from, to, isEitherWay, lengths })]
      ] as const) {
        const isSame =
          path && typeof known === 'number' ? Math.abs(path.length - known) < 1e-9 : !path && known === null
        const leads =
          !path || (path.nodes[0] === from && path.nodes.at(-1) === to && isConnected(network, path, isEitherWay))
        if (!isSame || !leads) wrong.push(`${kind} to ${to}: ${path?.length} instead of ${known}`)
      }
    }
    t.same(wrong, [], `${name} from ${from}${isEitherWay ? ', either way' : ''}`)
  }
})

t.test('a path from a node to itself has no edges', async (t) => {
  const network = networks.get('karate club') as Network
  const none = { nodes: [3], edges: [], length: 0 }
  t.same(shortestPath(network, { from: 3, to: 3, isEitherWay: false }), none)
  t.same(shortestPath(network, { from: 3, to: 3, isEitherWay: true, lengths: lengthsOf(network) }), none)
})

t.test('the shortest of parallel edges is used, and edges without a length are not', async (t) => {
  const network = networkOf({
    directed: true,
    nodes: [{ id: '__proto__' }, { id: 'b' }, { id: 'c' }],
    edges: [
      { source: '__proto__', target: 'b', metadata: { km: 5 } },
      { source: '__proto__', target: 'b', metadata: { km: 0.5 } },
      { source: '__proto__', target: 'b', metadata: { km: 'far' } },
      { source: 'b', target: 'c' },
      { source: 'b', target: 'c', metadata: { km: -1 } }
    ]
  })
  const km = edgeAttributes(network).find(({ title }) => title === 'km')
  if (!km) return t.fail('no attribute')
  const { lengths, ...counts } = edgeLengths(km, 5, false)
  t.same([[...lengths], counts], [[5, 0.5, Number.NaN, Number.NaN, Number.NaN], { missing: 2, zero: 0, negative: 1 }])
  t.same(shortestPath(network, { from: 0, to: 1, isEitherWay: false, lengths }), {
    nodes: [0, 1],
    edges: [1],
    length: 0.5
  })
  t.equal(shortestPath(network, { from: 1, to: 0, isEitherWay: false }), undefined)
  t.equal(shortestPath(network, { from: 1, to: 2, isEitherWay: false, lengths: lengths.fill(Number.NaN) }), undefined)
})

t.test('edges without a weight have weight 1, as in GEXF and networkx', async (t) => {
  const network = networkOf({
    directed: true,
    nodes: [{ id: 'a' }, { id: 'b' }],
    edges: [
      { source: 'a', target: 'b' },
      { source: 'a', target: 'b', metadata: { weight: 4 } }
    ]
  })
  const weight = edgeAttributes(network).find(({ title }) => title === 'weight')
  if (!weight) return t.fail('no attribute')
  for (const [isInverse, expected] of [
    [false, [1, 4]],
    [true, [1, 0.25]]
  ] as const) {
    const { lengths, ...counts } = edgeLengths(weight, 2, isInverse)
    t.same([[...lengths], counts], [expected, { missing: 0, zero: 0, negative: 0 }])
  }
})

t.test(
  'an edge of a larger weight is shorter if weights mean closeness, and one of weight 0 is not used',
  async (t) => {
    const weights = [1, 4, 4, 0]
    const network = networkOf({
      directed: true,
      nodes: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
      edges: [
        ['a', 'c'],
        ['a', 'b'],
        ['b', 'c'],
        ['c', 'a']
      ].map(([source = '', target = ''], index) => ({ source, target, metadata: { weight: weights[index] } }))
    })
    const weight = edgeAttributes(network).find(({ title }) => title === 'weight')
    if (!weight) return t.fail('no attribute')
    const { lengths, ...counts } = edgeLengths(weight, 4, true)
    t.same([[...lengths], counts], [[1, 0.25, 0.25, Number.NaN], { missing: 0, zero: 1, negative: 0 }])
    t.same(shortestPath(network, { from: 0, to: 2, isEitherWay: false, lengths }), {
      nodes: [0, 1, 2],
      edges: [1, 2],
      length: 0.5
    })
  }
)

/** Returns a grid whose edges lead right and down, with a parallel edge to each. */
function gridOf(width: number) {
  const ids = Array.from({ length: width * width }, (_, index) => index)
  const steps = ids.flatMap((index) => [
    ...(index % width < width - 1 ? [[index, index + 1]] : []),
    ...(index + width < ids.length ? [[index, index + width]] : [])
  ])
  const edges = [...steps, ...steps].map(([source, target]) => ({ source: String(source), target: String(target) }))
  return networkOf({ directed: true, nodes: ids.map((id) => ({ id: String(id) })), edges })
}

t.test('all shortest paths are found, and differ in their nodes', async (t) => {
  const network = gridOf(5)
  const task = { from: 0, to: 24, isEitherWay: false }
  // Equal lengths whose sums differ in their last digits.
  const lengths = Float64Array.from(network.edges, (_, edge) => [0.1, 0.1 + 2 ** -56][edge % 2] as number)
  for (const paths of [shortestPaths(network, task), shortestPaths(network, { ...task, lengths })]) {
    if (!paths) return t.fail('no path')
    t.equal(paths.count, 70, 'the binomial coefficient of 8 and 4')
    const all = Array.from({ length: paths.count }, (_, index) => paths.pathAt(index))
    t.equal(new Set(all.map(({ nodes }) => nodes.join())).size, 70)
    t.ok(all.every((path) => path.edges.length === 8 && isConnected(network, path, false)))
  }
  t.equal(shortestPaths(gridOf(40), { from: 0, to: 1599, isEitherWay: false })?.count, 1e15, 'the number is limited')
  t.equal(shortestPaths(gridOf(40), { from: 0, to: 1599, isEitherWay: false })?.pathAt(1e15 - 1).edges.length, 78)
  t.equal(en.paths.which('1', '2', true), 'Path 1 of 2, all equally short')
  t.equal(en.paths.which('1', '2', false), 'Path 1 of at least 2, all equally short')
})

t.test('edges of length 0 lead to no cycle', async (t) => {
  const network = networks.get('karate club') as Network
  const lengths = new Float64Array(network.edges.length)
  const paths = shortestPaths(network, { from: 0, to: 33, isEitherWay: true, lengths })
  const last = paths?.pathAt(paths.count - 1)
  t.ok(last && isConnected(network, last, true) && new Set(last.nodes).size === last.nodes.length)
})

t.test('a heap returns nodes by distance, even after distances decrease', async (t) => {
  const distance = Float64Array.from({ length: 500 }, (_, node) => (node * 7919) % 503)
  const heap = new NodeHeap(distance)
  for (const node of distance.keys()) heap.put(node)
  for (let node = 0; node < 500; node += 3) {
    distance[node] = (distance[node] ?? 0) / 2
    heap.put(node)
  }
  const taken = Array.from({ length: 500 }, () => heap.take() as number)
  t.equal(heap.take(), undefined)
  t.same(
    taken.map((node) => distance[node]),
    [...distance].sort((one, other) => one - other)
  )
  t.equal(new Set(taken).size, 500)
})

t.test('a URL stores a path search along with a range filter', async (t) => {
  const filters = [{ of: 'nodes' as const, attribute: 'degree', least: 1, greatest: 2 }]
  for (const path of [
    { isEitherWay: false, from: '__proto__', to: '1', by: 'metadata.km', isInverse: true as const, number: 3 },
    { isEitherWay: true, from: undefined, to: undefined, by: undefined },
    undefined
  ]) {
    const read = readView(new URLSearchParams(String(writeView({ tab: 'drawing', filters, path }))))
    t.same([read.path, read.filters], [path, filters])
  }
})
