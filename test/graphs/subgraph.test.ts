import fc from 'fast-check'
import t from 'tap'
import { linksOf } from '../../graph/content/edges.ts'
import { LruCache } from '../../graph/jobs/lru-cache.ts'
import { adjacencyOf, sizeOfAdjacency } from '../../graph/query/adjacency.ts'
import { type Question, subgraphOf, subgraphOfKept } from '../../graph/query/subgraph.ts'
import { summaryOf } from '../../graph/query/summary.ts'
import type { Edge, GraphContent } from '../../schemas/graph-content.ts'
import { directions } from '../../schemas/graph-part.ts'
import { build, problem } from '../support/helper.ts'

const oddIds = ['a', 'b', '__proto__', 'constructor', 'é', '😀', '"', '\\', 'a b', 'A', '0', '10', '9']
const element = fc.record(
  {
    label: fc.string({ maxLength: 5 }),
    metadata: fc.dictionary(fc.constantFrom('__proto__', 'k', '"'), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 })
  },
  { requiredKeys: [] }
)
const graph = fc.uniqueArray(fc.constantFrom(...oddIds), { minLength: 1 }).chain((ids) =>
  fc.record({
    directed: fc.option(fc.boolean(), { nil: undefined }),
    label: fc.option(fc.string({ maxLength: 3 }), { nil: undefined }),
    nodes: fc.tuple(...ids.map((id) => element.map((rest) => ({ id, ...rest })))),
    edges: fc.array(
      fc
        .record(
          {
            source: fc.constantFrom(...ids),
            target: fc.constantFrom(...ids),
            directed: fc.boolean(),
            relation: fc.string({ maxLength: 3 })
          },
          { requiredKeys: ['source', 'target'] }
        )
        .chain((edge) => element.map((rest) => ({ ...edge, ...rest }))),
      { maxLength: 25 }
    ),
    centres: fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1, maxLength: 3 })
  })
)
const question = fc.record({
  depth: fc.nat(4),
  direction: fc.constantFrom(...directions),
  limit: fc.constantFrom(1, 2, 3, 5, 1000)
})

/** Computes the same result from sets of ids, without the compact index. */
function modelOf(content: GraphContent, { nodes, depth, direction, limit }: Question) {
  const { directed = true } = content
  const leadsTo = (edge: Edge, id: string) => {
    const isDirected = edge.directed ?? directed
    const isOut = edge.source === id && (!isDirected || direction !== 'in')
    const isIn = edge.target === id && (!isDirected || direction !== 'out')
    return [...(isOut ? [edge.target] : []), ...(isIn ? [edge.source] : [])]
  }
  const reached = new Set(nodes)
  let front = [...nodes]
  for (let step = 0; step < depth; step++) {
    const next: string[] = []
    for (const id of front) {
      for (const neighbour of content.edges.flatMap((edge) => leadsTo(edge, id))) {
        if (!reached.has(neighbour)) next.push(neighbour)
        reached.add(neighbour)
      }
    }
    front = next
  }
  const kept = new Set([...reached].slice(0, limit))
  const within = (some: Set<string>) =>
    content.edges.filter(({ source, target }) => some.has(source) && some.has(target))
  return {
    nodes: content.nodes.filter(({ id }) => kept.has(id)),
    edges: within(kept),
    left: { nodes: reached.size - kept.size, edges: within(reached).length - within(kept).length }
  }
}

t.test('random queries about random graphs match a model, both uncached and cached', async (t) => {
  let truncated = 0
  fc.assert(
    fc.property(graph, question, ({ centres, ...sent }, asked) => {
      const content = JSON.parse(JSON.stringify(sent)) as GraphContent
      const whole = { nodes: centres, ...asked }
      const expected = modelOf(content, whole)
      if (expected.left.nodes > 0) truncated++
      const { json, left, links } = subgraphOf(content, whole)
      const { directed = true, label } = content
      const wanted = { directed, ...(label !== undefined && { label }), nodes: expected.nodes, edges: expected.edges }
      t.same([JSON.parse(json.toString()), left], [wanted, expected.left])
      const kept = adjacencyOf(content, links)
      const again = subgraphOfKept(kept, whole)
      t.equal(again.json.toString(), json.toString())
      t.same(again.left, left)
    }),
    { numRuns: 500, seed: 20261123 }
  )
  t.ok(truncated > 50, `${truncated} results were truncated`)
})

t.test('a query for many nodes of a cached graph parses each node only once', async (t) => {
  const nodes = Array.from({ length: 1023 }, (_, index) => ({
    id: `n${String(index).padStart(4, '0')}`,
    // Every binary search visits the middle node.
    ...(index === 511 && { metadata: { text: 'x'.repeat(256 * 1024) } })
  }))
  const content = { nodes, edges: [] }
  const kept = adjacencyOf(content, linksOf(content).links)
  const ids = nodes.map(({ id }) => id).filter((id) => id !== 'n0511')
  const { parse } = JSON
  let parsed = 0
  t.intercept(JSON, 'parse', {
    value: (text: string) => {
      parsed += text.length
      return parse(text)
    }
  })
  const { json } = subgraphOfKept(kept, { nodes: ids, depth: 0, direction: 'both', limit: 100_000 })
  t.same(
    parse(json.toString()).nodes,
    nodes.filter((_, index) => index !== 511)
  )
  t.ok(parsed < 512 * 1024, `${parsed} characters`)
})

t.test('a cached graph of 100,000 nodes and 500,000 edges is about as large as its JSON', async (t) => {
  const nodes = Array.from({ length: 100_000 }, (_, index) => ({ id: `n${index}` }))
  const edges = Array.from({ length: 500_000 }, (_, index) => ({
    source: `n${index % 100_000}`,
    target: `n${(index * 7919) % 100_000}`
  }))
  const content = { nodes, edges }
  const size = JSON.stringify(content).length
  const kept = adjacencyOf(content, linksOf(content).links)
  t.ok(sizeOfAdjacency(kept) < 1.8 * size, `${sizeOfAdjacency(kept)} of ${size}`)
})

const chain = {
  directed: true,
  nodes: ['a', 'b', 'c', 'd'].map((id) => ({ id })),
  edges: [
    { source: 'a', target: 'b' },
    { source: 'b', target: 'c' },
    { source: 'd', target: 'c', directed: false },
    { source: 'b', target: 'b' }
  ]
}

t.test('a subgraph can be requested by GET and POST', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', { name: 'Chain', content: chain })
  const ids = ({ body }: { body: { nodes: { id: string }[] } }) => body.nodes.map(({ id }) => id).join('')
  const cases: [string, string, number][] = [
    ['node=a', 'ab', 2],
    ['node=a&depth=0', 'a', 0],
    ['node=b&depth=0', 'b', 1],
    ['node=a&depth=5', 'abcd', 4],
    ['node=b&direction=out', 'bc', 2],
    ['node=b&direction=in', 'ab', 2],
    ['node=c&direction=out', 'cd', 1],
    ['node=c&direction=in&depth=2', 'abcd', 4],
    ['node=b&limit=2', 'ab', 2]
  ]
  for (const [query, nodes, edges] of cases) {
    const reply = await ada.get(`/api/graphs/1/subgraph?${query}`)
    t.same([reply.status, ids(reply), reply.body.edges.length], [200, nodes, edges], query)
  }
  const part = await ada.get('/api/graphs/1/subgraph?node=a')
  t.same(part.body, { directed: true, nodes: chain.nodes.slice(0, 2), edges: [chain.edges[0], chain.edges[3]] })
  t.match(part.headers, {
    'content-type': 'application/json; charset=utf-8',
    vary: 'Accept',
    'graphstead-truncated': undefined
  })
  const cut = await ada.get('/api/graphs/1/subgraph?node=a&depth=3&limit=2')
  t.equal(cut.headers['graphstead-truncated'], 'nodes=2, edges=2')

  const several = await ada.post('/api/graphs/1/subgraph', { nodes: ['d', 'a'], depth: 1, direction: 'out' })
  t.same([several.status, ids(several)], [200, 'abcd'])
  t.same(ids(await ada.post('/api/graphs/1/subgraph', { nodes: ['d', 'a', 'd'], depth: 0, limit: 1 })), 'd')
  t.match(
    await ada.post('/api/graphs/1/subgraph', { nodes: ['x', 'a', '__proto__'] }),
    problem(404, 'node-not-found', [{ pointer: '#/nodes/0' }, { pointer: '#/nodes/2' }])
  )
  t.match(await ada.get('/api/graphs/1/subgraph?node=x'), problem(404, 'node-not-found', [{ parameter: 'node' }]))

  const refused: [string, string][] = [
    ['', 'node'],
    ['node=', 'node'],
    ['node=a&depth=6', 'depth'],
    ['node=a&depth=-1', 'depth'],
    ['node=a&limit=0', 'limit'],
    ['node=a&limit=100001', 'limit'],
    ['node=a&direction=up', 'direction'],
    ['node=a&node=b', 'node'],
    ['node=a&x=1', 'x']
  ]
  for (const [query, parameter] of refused) {
    const { status, body } = await ada.get(`/api/graphs/1/subgraph?${query}`)
    t.same([status, body.errors?.[0]?.parameter], [400, parameter], query)
  }
  for (const body of [{}, { nodes: [] }, { nodes: [1] }, { nodes: ['a'], depth: 6 }, { nodes: ['a'], more: 1 }, []]) {
    t.equal((await ada.post('/api/graphs/1/subgraph', body)).status, 400, JSON.stringify(body))
  }
  const many = Array.from({ length: 1001 }, () => 'a')
  t.equal((await ada.post('/api/graphs/1/subgraph', { nodes: many })).status, 400)
  t.equal((await ada.post('/api/graphs/1/subgraph', { nodes: many.slice(1) })).status, 200)
})

t.test('a subgraph is available in any format', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', { name: 'Chain', content: chain })
  const url = '/api/graphs/1/subgraph?node=a'
  const file = await ada.get(`${url}&format=gml`)
  t.match(file.headers, {
    'content-type': 'text/x-gml; charset=utf-8',
    'content-disposition': 'attachment; filename="subgraph of 1.gml"'
  })
  t.match(file.text, /^graph \[/m)
  t.match((await ada.get(url, { accept: 'application/graphml+xml' })).text, '<graphml')
  t.match((await ada.get(`${url}&format=node-link`)).body, { multigraph: false, nodes: [{ id: 'a' }, { id: 'b' }] })
  t.match((await ada.get(url, { accept: 'text/html, */*;q=0.1' })).body, { directed: true })
  const posted = await ada.post('/api/graphs/1/subgraph?format=pajek', { nodes: ['a'] })
  t.match(posted.text, /^\*Vertices 2/m)
  t.match(await ada.get(`${url}&format=nothing`), problem(406, 'format-not-acceptable'))
  t.match(await ada.get(url, { accept: 'image/png' }), problem(406, 'format-not-acceptable'))
})

t.test('a large graph is read once, and its subgraphs follow changes to its content and rights', async (t) => {
  const { as } = await build(t)
  const [ada, bob] = [as('ada'), as('bob')]
  const content = (word: string) => ({
    nodes: Array.from({ length: 20_000 }, (_, index) => ({
      id: `n${index}`,
      label: `${word} ${'x'.repeat(40)} ${index}`
    })),
    edges: Array.from({ length: 19_999 }, (_, index) => ({ source: `n${index}`, target: `n${index + 1}` }))
  })
  await ada.post('/api/graphs', { name: 'Long', shared: true, content: content('first') })
  const labels = async (user = ada) => {
    const { status, body } = await user.get('/api/graphs/1/subgraph?node=n7&depth=1')
    return status === 200 ? body.nodes.map(({ label }: { label: string }) => label.split(' ')[0]) : status
  }
  for (const time of ['once', 'again', 'and again']) t.same(await labels(), ['first', 'first', 'first'], time)
  t.same(await labels(bob), ['first', 'first', 'first'])
  const before = await ada.get('/api/graphs/1/summary')
  t.equal(
    (await ada.put('/api/graphs', { id: 1, name: 'Long', shared: false, content: content('second') })).status,
    200
  )
  t.same(await labels(), ['second', 'second', 'second'], 'the subgraphs have the new content')
  t.equal(await labels(bob), 404, 'other users cannot see the graph')
  t.equal((await bob.get('/api/graphs/1/summary')).status, 404)
  t.equal((await bob.post('/api/graphs/1/subgraph', { nodes: ['n1'] })).status, 404)
  t.same((await ada.get('/api/graphs/1/summary')).body, before.body, 'the summary is unchanged')
  await ada.delete('/api/graphs/1')
  t.equal(await labels(), 404, 'a trashed graph has no subgraphs')
})

t.test('the summary of a graph is returned', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  const content = {
    directed: false,
    nodes: [
      { id: 'a', label: 'A', x: 1, y: 2, metadata: { kind: 'enzyme', weight: 1, label: 'own', tags: ['x'] } },
      { id: 'b', label: 'B', metadata: { kind: 'enzyme', weight: 2.5, isKnown: true } },
      { id: 'c', metadata: { kind: 'gene', weight: 'heavy', none: null, __proto__x: {} } },
      { id: 'd' },
      { id: 'e' }
    ],
    edges: [
      { id: 'e1', source: 'a', target: 'b', relation: 'binds', metadata: { score: 1 } },
      { source: 'a', target: 'b', relation: 'binds' },
      { source: 'c', target: 'c', label: 'loop' }
    ]
  }
  await ada.post('/api/graphs', { name: 'Summed', content })
  await ada.post('/api/graphs', { name: 'Empty' })
  const { status, body } = await ada.get('/api/graphs/1/summary')
  t.equal(status, 200)
  t.same(body, {
    nodeCount: 5,
    edgeCount: 3,
    components: { count: 4, largest: 2 },
    degree: { min: 0, median: 2, p90: 2, max: 2, mean: 1.2 },
    attributes: {
      nodes: [
        { name: 'label', type: 'string', count: 2, values: [one('A'), one('B')] },
        { name: 'x', type: 'number', count: 1, values: [one(1)] },
        { name: 'y', type: 'number', count: 1, values: [one(2)] },
        { name: 'kind', type: 'string', count: 3, values: [{ value: 'enzyme', count: 2 }, one('gene')] },
        { name: 'weight', type: 'mixed', count: 3, values: [one(1), one(2.5), one('heavy')] },
        { name: 'metadata.label', type: 'string', count: 1, values: [one('own')] },
        { name: 'tags', type: 'array', count: 1 },
        { name: 'isKnown', type: 'boolean', count: 1, values: [one(true)] },
        { name: 'none', type: 'null', count: 1 },
        { name: '__proto__x', type: 'object', count: 1 }
      ],
      edges: [
        { name: 'id', type: 'string', count: 1, values: [one('e1')] },
        { name: 'relation', type: 'string', count: 2, values: [{ value: 'binds', count: 2 }] },
        { name: 'label', type: 'string', count: 1, values: [one('loop')] },
        { name: 'score', type: 'number', count: 1, values: [one(1)] }
      ]
    }
  })
  t.same((await ada.get('/api/graphs/2/summary')).body, {
    nodeCount: 0,
    edgeCount: 0,
    components: { count: 0, largest: 0 },
    degree: { min: 0, median: 0, p90: 0, max: 0, mean: 0 },
    attributes: { nodes: [], edges: [] }
  })
  t.match(await ada.get('/api/graphs/2/subgraph?node=a'), problem(404, 'node-not-found'))
})

const one = (value: unknown) => ({ value, count: 1 })

t.test('a summary lists attribute values within limits', (t) => {
  const summaryOfValues = (values: unknown[]) => {
    const nodes = values.map((value, index) => ({ id: `n${index}`, metadata: { key: value } }))
    const [attribute] = summaryOf({ nodes, edges: [] }).attributes.nodes
    return { type: attribute?.type, values: attribute?.values }
  }
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
  const text = (length: number) => 'x'.repeat(length)
  t.same(summaryOfValues(['b', 'a', 'b']), { type: 'string', values: [{ value: 'b', count: 2 }, one('a')] })
  t.same(summaryOfValues([1, true, 'x']), { type: 'mixed', values: [1, true, 'x'].map(one) })
  t.same(summaryOfValues(numbers(100)).values, numbers(20).map(one), 'the top twenty of a hundred values are listed')
  t.same(summaryOfValues(numbers(101)), { type: 'number', values: undefined }, 'no values are listed if there are more')
  t.same(summaryOfValues([text(255)]).values, [one(text(255))])
  t.equal(summaryOfValues([text(256)]).values, undefined, 'long texts are not listed')
  for (const [type, value] of Object.entries({ null: null, array: [], object: {} }))
    t.same(summaryOfValues([value]), { type, values: undefined }, type)
  const keys = Object.fromEntries(numbers(250).map((index) => [`k${index}`, 1]))
  const many = { nodes: [{ id: 'a', label: 'A', metadata: keys }], edges: [] }
  const names = summaryOf(many).attributes.nodes.map(({ name }) => name)
  t.same(names, ['label', ...numbers(199).map((index) => `k${index}`)], 'at most two hundred attributes are listed')
  t.end()
})

t.test('the least recently used values are evicted first, within the byte limit', (t) => {
  const used = new LruCache<string>(10)
  const kept = () => [1, 2, 3, 4].filter((key) => used.get(key) !== undefined)
  used.set(1, 'a', 4)
  used.set(2, 'b', 4)
  used.get(1)
  used.set(3, 'c', 4)
  t.same(kept(), [1, 3])
  used.set(4, 'd', 11)
  t.same(kept(), [1, 3], 'a value over the limit is not cached')
  used.set(1, 'e', 6)
  t.equal(used.get(1), 'e')
  t.same(kept(), [1, 3], 'a replaced value counts once')
  used.set(1, 'f', 11)
  t.same(kept(), [3], 'an oversized new value removes the previous one')
  used.set(2, 'g', 10)
  t.same(kept(), [2])
  t.end()
})
