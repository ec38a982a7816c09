import fc from 'fast-check'
import t from 'tap'
import { diffContents } from '../../graph/diff/compare.ts'
import { Matches } from '../../graph/diff/matches.ts'
import { diffText } from '../../graph/diff/text.ts'
import type { GraphDiff } from '../../schemas/diff.ts'
import type { Edge, GraphContent, Node } from '../../schemas/graph-content.ts'
import { build, problem, triangle } from '../support/helper.ts'

const diff = (from: Partial<GraphContent> | undefined, to: Partial<GraphContent> | undefined, limit = 1000) =>
  diffContents(from && { nodes: [], edges: [], ...from }, to && { nodes: [], edges: [], ...to }, limit)

const none = { count: 0, items: [] }
const unchanged = { added: none, removed: none, changed: none, reordered: false }

t.test('nodes match by id, and are compared by attribute', async (t) => {
  const from: Node[] = [
    { id: 'a', label: 'A', x: 1, metadata: { weight: 2, old: null, deep: { a: [1, 2] }, same: { b: 1, c: 2 } } },
    { id: 'b' },
    { id: '__proto__', label: 'x' },
    { id: 'constructor' }
  ]
  const to: Node[] = [
    { id: 'constructor' },
    { id: 'a', label: 'B', y: 0, metadata: { weight: 3, deep: { a: [2, 1] }, same: { c: 2, b: 1 }, 'a/b': true } },
    { id: '__proto__', label: 'y', metadata: {} },
    { id: 'c', x: 1 }
  ]
  t.same(diff({ nodes: from }, { nodes: to }), {
    fields: [],
    nodes: {
      added: { count: 1, items: [{ id: 'c', x: 1 }] },
      removed: { count: 1, items: [{ id: 'b' }] },
      changed: {
        count: 2,
        items: [
          {
            id: 'a',
            changes: [
              { pointer: '#/label', from: 'A', to: 'B' },
              { pointer: '#/x', from: 1 },
              { pointer: '#/metadata/weight', from: 2, to: 3 },
              { pointer: '#/metadata/old', from: null },
              { pointer: '#/metadata/deep', from: { a: [1, 2] }, to: { a: [2, 1] } },
              { pointer: '#/metadata/a~1b', to: true },
              { pointer: '#/y', to: 0 }
            ]
          },
          {
            id: '__proto__',
            changes: [
              { pointer: '#/label', from: 'x', to: 'y' },
              { pointer: '#/metadata', to: {} }
            ]
          }
        ]
      },
      reordered: true
    },
    edges: unchanged,
    truncated: false
  })
})

t.test('metadata may have members named like inherited properties', async (t) => {
  const own = (text: string) => JSON.parse(text) as Record<string, unknown>
  const nodes = (metadata: Record<string, unknown>): Node[] => [{ id: 'a', metadata }]
  const changed = (from: string, to: string) =>
    diff({ nodes: nodes(own(from)) }, { nodes: nodes(own(to)) }).nodes.changed.items[0]?.changes
  t.same(changed('{"__proto__": 1}', '{"__proto__": 2}'), [{ pointer: '#/metadata/__proto__', from: 1, to: 2 }])
  t.same(changed('{"__proto__": {}}', '{"x": {}}'), [
    { pointer: '#/metadata/__proto__', from: {} },
    { pointer: '#/metadata/x', to: {} }
  ])
  t.same(changed('{"toString": 1}', '{"x": 1}'), [
    { pointer: '#/metadata/toString', from: 1 },
    { pointer: '#/metadata/x', to: 1 }
  ])
  t.same(changed('{"metadata": {"a": 1}}', '{"metadata": {"a": 2}}'), [
    { pointer: '#/metadata/metadata', from: { a: 1 }, to: { a: 2 } }
  ])
})

t.test('edges match by id, or else by ends and relation', async (t) => {
  const counts = (from: Edge[], to: Edge[]) => {
    const { added, removed, changed, reordered } = diff({ edges: from }, { edges: to }).edges
    return [added.count, removed.count, changed.count, reordered]
  }
  const edge = { source: 'a', target: 'b' }
  const shown = diff(
    { edges: [{ ...edge, id: '1' }] },
    { edges: [{ source: 'b', target: 'c', id: '1', relation: 'x' }] }
  )
  t.same(shown.edges.changed.items, [
    {
      id: '1',
      source: 'b',
      target: 'c',
      relation: 'x',
      changes: [
        { pointer: '#/source', from: 'a', to: 'b' },
        { pointer: '#/target', from: 'b', to: 'c' },
        { pointer: '#/relation', to: 'x' }
      ]
    }
  ])
  t.same(counts([{ ...edge, label: 'x' }], [{ ...edge, label: 'y' }]), [0, 0, 1, false], 'edges match by their ends')
  t.same(
    counts([{ ...edge, relation: 'x' }], [{ ...edge, relation: 'y' }]),
    [1, 1, 0, false],
    'edges match by their relation'
  )
  t.same(counts([{ ...edge, relation: '' }], [edge]), [1, 1, 0, false], 'an empty relation is a relation')
  t.same(counts([{ ...edge, id: '1' }], [{ ...edge, id: '2' }]), [1, 1, 0, false], 'different ids make different edges')
  t.same(counts([edge], [{ ...edge, id: '2' }]), [0, 0, 1, false], 'an edge may get an id')
  t.same(counts([{ ...edge, id: '1' }], [edge]), [0, 0, 1, false], 'an edge may lose its id')
  t.same(counts([{ source: 'ab', target: 'c' }], [{ source: 'a', target: 'bc' }]), [1, 1, 0, false])

  const weighted = (...weights: number[]) => weights.map((weight) => ({ ...edge, metadata: { weight } }))
  t.same(counts(weighted(1, 2, 3), weighted(2, 3)), [0, 1, 0, false], 'identical edges are matched')
  t.same(counts(weighted(1, 2, 3), weighted(3, 1, 2)), [0, 0, 0, true])
  t.same(counts(weighted(1, 2), weighted(3, 2, 4)), [1, 0, 1, false])
  t.same(counts([edge, edge, edge], [edge]), [0, 2, 0, false])
  t.same(counts([edge], [edge, edge, edge]), [2, 0, 0, false])
})

t.test('identical parallel edges match first, regardless of their positions', async (t) => {
  const parallel = (metadata: object): Edge => ({ source: 'a', target: 'b', metadata: { ...metadata } })
  const others = (name: string): Edge[] =>
    Array.from({ length: 20 }, (_, i) => ({ source: name, target: `${name}${i}` }))
  const changed = (from: Edge[], to: Edge[]) => {
    const { edges } = diff({ edges: [...from, ...others('x')] }, { edges: [...others('y'), ...to] })
    return [edges.added.count - 20, edges.removed.count - 20, edges.changed.items.map(({ changes }) => changes)]
  }
  const [one, two, three] = [{ w: 1 }, { w: 2 }, { w: 3 }].map(parallel) as [Edge, Edge, Edge]
  t.same(changed([one, two], [two, one]), [0, 0, []])
  t.same(changed([one, one, two], [three, one, one]), [0, 0, [[{ pointer: '#/metadata/w', from: 2, to: 3 }]]])
  t.same(changed([one, two], [two]), [0, 1, []])
  t.same(changed([two], [one, two]), [1, 0, []])
  t.same(changed([one, two], [three, one]), [0, 0, [[{ pointer: '#/metadata/w', from: 2, to: 3 }]]])
  const [first, second] = [parallel({ a: 1, b: 2 }), parallel({ a: 3, b: 4 })]
  const reordered = [parallel({ b: 4, a: 3 }), parallel({ b: 2, a: 1 })]
  t.same(changed([first, second, one], [one, ...reordered]), [0, 0, []], 'members in any order')
  t.same(changed([{ ...one, id: 'i' }, two], [two, one]), [0, 0, [[{ pointer: '#/id', from: 'i' }]]])
})

t.test('equal elements match without an index, across up to eight added or removed elements', async (t) => {
  /** Returns, for each letter of `to`, the position in `from` at which it is found without an index. */
  const origins = (from: string, to: string) => {
    const matches = new Matches([...from], [...to])
    return Array.from(to, (_, at) => matches.originOf(at))
  }
  const none = (count: number) => Array(count).fill(-1)
  t.same(origins('', 'ab'), [-1, -1])
  t.same(origins('ab', ''), [])
  t.same(origins('abc', 'abc'), [0, 1, 2])
  t.same(origins('abc', 'axc'), [0, -1, 2], 'one changed')
  t.same(origins('abcd', 'acd'), [0, 2, 3], 'one removed')
  t.same(origins('acd', 'abcd'), [0, -1, 1, 2], 'one added')
  t.same(origins('ab', 'a'), [0], 'one removed at the end')
  t.same(origins('a', 'ab'), [0, -1], 'one added at the end')
  t.same(origins('xab', 'yab'), [-1, 1, 2], 'one changed at the beginning')
  t.same(origins('12345678ab', 'ab'), [8, 9], 'eight removed')
  t.same(origins('ab', '12345678ab'), [...none(8), 0, 1], 'eight added')
  t.same(origins('123456789ab', 'ab'), none(2), 'nine removed')
  t.same(origins('ab', '123456789ab'), none(11), 'nine added')
  t.same(origins('abxcd', 'abcdx'), [0, 1, 3, 4, -1], 'the nearest match is chosen in the order of both lists')
  t.same(origins('ba', 'ab'), [1, -1], 'a removed element is assumed before an added one')
  t.same(origins('aa', 'baa'), [-1, 0, 1])
  const matches = new Matches([...'axb'], [...'ayb'])
  t.same([...matches.unmatchedFrom()], [1])
  t.same([...matches.unmatchedTo()], [1])
  t.same(
    [0, 1, 2].map((index) => matches.isTaken(index)),
    [true, false, true]
  )
  t.same(
    [0, 2].map((index) => matches.isChanged(index)),
    [false, false]
  )
  matches.match(1, 1)
  t.equal(matches.isChanged(1), true)
})

t.test('the search through lists without equal elements is limited', async (t) => {
  // The budget is the sum of the lengths. Each failed search costs eight, and no search starts once the budget is used up.
  const origin = (differing: number) => {
    const [from, to] = [`${'x'.repeat(differing)}abcdefgh`, `${'y'.repeat(differing)}1abcdefgh`]
    return new Matches([...from], [...to]).originOf(differing + 1)
  }
  // With n differing elements the budget is 2n + 17, of which 8n is spent before the search for `a`.
  t.equal(origin(2), 2, 'a budget of 5 remains')
  t.equal(origin(3), -1, 'no budget remains')
})

t.test('changed fields of the graph are listed', async (t) => {
  t.same(diff({ directed: true, metadata: { a: 1 } }, { directed: false, label: 'x', metadata: { a: 2 } }).fields, [
    { pointer: '#/content/directed', from: true, to: false },
    { pointer: '#/content/metadata/a', from: 1, to: 2 },
    { pointer: '#/content/label', to: 'x' }
  ])
  t.same(diff(undefined, { directed: true, nodes: [{ id: 'a' }] }), {
    fields: [{ pointer: '#/content/directed', to: true }],
    nodes: { ...unchanged, added: { count: 1, items: [{ id: 'a' }] } },
    edges: unchanged,
    truncated: false
  })
})

t.test('the difference contains every random change to a graph', async (t) => {
  const metadata = fc.option(fc.dictionary(fc.constantFrom('a', '__proto__', 'b c'), fc.jsonValue({ maxDepth: 1 })), {
    nil: undefined
  })
  const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', '__proto__'), { minLength: 1 })
  const content = ids.chain((ids) =>
    fc.record({
      directed: fc.boolean(),
      nodes: fc.tuple(...ids.map((id) => fc.record({ id: fc.constant(id), metadata }))),
      edges: fc.array(
        fc.record(
          {
            source: fc.constantFrom(...ids),
            target: fc.constantFrom(...ids),
            relation: fc.constantFrom('x', 'y'),
            metadata
          },
          { requiredKeys: ['source', 'target'] }
        ),
        { maxLength: 6 }
      ),
      edgeIds: fc.uniqueArray(fc.constantFrom('1', '2', '3', '4', '5', '6'), { maxLength: 6 })
    })
  )
  // Contents from the store are plain JSON, without undefined members.
  const graphOf = ({ edgeIds, ...content }: any): GraphContent =>
    JSON.parse(
      JSON.stringify({
        ...content,
        edges: content.edges.map((edge: Edge, index: number) => ({ ...edge, id: edgeIds[index] }))
      })
    )
  const key = (edge: Edge) => [edge.source, edge.target, edge.relation]
  const idsOf = (elements: { id?: string }[]) => elements.map(({ id }) => id)
  fc.assert(
    fc.property(content, content, (one, two) => {
      const [from, to] = [graphOf(one), graphOf(two)]
      const { nodes, edges, truncated } = diffContents(from, to, 1000)
      // Compares the nodes by id in the simplest way.
      const [before, after] = [new Set(idsOf(from.nodes)), new Set(idsOf(to.nodes))]
      t.equal(truncated, false)
      const same = (is: unknown, shall: unknown) => {
        if (JSON.stringify(is) !== JSON.stringify(shall))
          throw new Error(`${JSON.stringify(is)} ≠ ${JSON.stringify(shall)}`)
      }
      same(
        idsOf(nodes.added.items),
        [...after].filter((id) => !before.has(id))
      )
      same(
        idsOf(nodes.removed.items),
        [...before].filter((id) => !after.has(id))
      )
      // The number of old edges minus removed ones equals the number of new edges minus added ones.
      same(from.edges.length - edges.removed.count, to.edges.length - edges.added.count)
      const addedIds = new Set(idsOf(edges.added.items))
      const removed = edges.removed.items.filter(({ id }) => id !== undefined && addedIds.has(id))
      same(removed, [])
      // No removed edge matches an added one.
      for (const gone of edges.removed.items) {
        for (const fresh of edges.added.items) {
          if (gone.id !== undefined && fresh.id !== undefined) continue
          if (JSON.stringify(key(gone)) === JSON.stringify(key(fresh)))
            throw new Error(`${JSON.stringify(gone)} is both removed and added`)
        }
      }
      // A graph has no differences from itself.
      const self = diffContents(from, JSON.parse(JSON.stringify(from)), 1000)
      same([self.fields, self.nodes, self.edges], [[], unchanged, unchanged])
      // The reverse difference is the mirror image.
      const back = diffContents(to, from, 1000)
      same([back.edges.added.count, back.nodes.changed.count], [edges.removed.count, nodes.changed.count])
    }),
    { numRuns: 500, seed: 7 }
  )
})

t.test('lists are limited by number and size, and counts are not', async (t) => {
  const nodes = Array.from({ length: 30 }, (_, index): Node => ({ id: `n${index}`, metadata: { weight: index } }))
  const heavier = nodes.map((node): Node => ({ ...node, metadata: { weight: -1 } }))
  const few = diff({ nodes }, { nodes: heavier }, 10)
  t.match(few, { nodes: { changed: { count: 30, items: { length: 10 } } }, truncated: true })
  t.equal(diff({ nodes }, { nodes: heavier }, 30).truncated, false)
  const none = diff({ nodes }, {}, 0)
  t.same([none.nodes.removed, none.truncated], [{ count: 30, items: [] }, true])
  const text = 'x'.repeat(15_000)
  const large = Array.from({ length: 1000 }, (_, index): Node => ({ id: `n${index}`, metadata: { text } }))
  const { nodes: found, truncated } = diff({}, { nodes: large })
  t.equal(found.added.count, 1000)
  t.ok(found.added.items.length > 100 && found.added.items.length < 300, `${found.added.items.length} of 15 kB`)
  t.equal(truncated, true)
})

t.test('a graph with only parallel edges is matched quickly', async (t) => {
  // A comparison of all pairs would take hours.
  const count = 100_000
  const edges = (weight: number) =>
    Array.from({ length: count }, (_, index) => ({ source: 'a', target: 'b', metadata: { weight: index * weight } }))
  t.equal(diff({ edges: edges(1) }, { edges: edges(-2) }, 0).edges.changed.count, count - 1)
  const equal = Array.from({ length: count }, () => ({ source: 'a', target: 'b' }))
  t.equal(diff({ edges: equal }, { edges: [{ source: 'b', target: 'a' }, ...equal] }, 0).edges.added.count, 1)
})

t.test('GET …/diff compares the previous version with the current one, or any two versions', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', { ...triangle, description: 'Three', message: 'First' })
  const content = structuredClone(triangle.content) as GraphContent
  content.nodes.push({ id: 'd' })
  content.edges[0] = { source: 'a', target: 'b', metadata: { weight: 5 } }
  await ada.put('/api/graphs', { id: 1, name: 'Square', type: 'LINE', content })
  await ada.patch('/api/graphs/1', { shared: true, description: 'Three' })

  const { status, body, headers } = await ada.get('/api/graphs/1/diff?from=1&to=2')
  t.equal(status, 200)
  t.match(headers, { 'content-type': 'application/json; charset=utf-8', vary: 'Accept' })
  t.same(body, {
    id: 1,
    from: (await ada.get('/api/graphs/1/versions')).body[2],
    to: (await ada.get('/api/graphs/1/versions')).body[1],
    fields: [
      { pointer: '#/name', from: 'Triangle', to: 'Square' },
      { pointer: '#/type', to: 'LINE' },
      { pointer: '#/description', from: 'Three' }
    ],
    nodes: { ...unchanged, added: { count: 1, items: [{ id: 'd' }] } },
    edges: {
      ...unchanged,
      changed: {
        count: 1,
        items: [{ source: 'a', target: 'b', changes: [{ pointer: '#/metadata/weight', from: 2, to: 5 }] }]
      }
    },
    truncated: false
  })
  const latest = (await ada.get('/api/graphs/1/diff')).body
  t.match(latest, { from: { version: 2 }, to: { version: 3 } })
  t.same([latest.nodes, latest.edges], [unchanged, unchanged])
  t.same(latest.fields, [
    { pointer: '#/description', to: 'Three' },
    { pointer: '#/shared', from: false, to: true }
  ])
  t.match((await ada.get('/api/graphs/1/diff?to=2')).body, { from: { version: 1 }, to: { version: 2 } })
  t.match((await ada.get('/api/graphs/1/diff?from=1')).body, { from: { version: 1 }, to: { version: 3 } })
  t.match(
    (await ada.get('/api/graphs/1/diff?from=3&to=1')).body,
    { nodes: { removed: { count: 1 } } },
    'versions can be compared backwards'
  )
  const { body: self } = await ada.get('/api/graphs/1/diff?from=2&to=2')
  t.same([self.fields, self.nodes, self.edges], [[], unchanged, unchanged])
  const first = (await ada.get('/api/graphs/1/diff?to=1')).body
  t.match(first, { to: { version: 1 }, nodes: { added: { count: 3 } }, edges: { added: { count: 3 } } })
  t.notOk('from' in first, 'nothing precedes the first version')
  t.same(first.fields, [
    { pointer: '#/name', to: 'Triangle' },
    { pointer: '#/description', to: 'Three' },
    { pointer: '#/shared', to: false },
    { pointer: '#/content/directed', to: false }
  ])
  const { body: short } = await ada.get('/api/graphs/1/diff?from=1&to=2&limit=0')
  t.same([short.nodes.added, short.truncated], [{ count: 1, items: [] }, true])

  t.match(await ada.get('/api/graphs/1/diff?from=4'), problem(404, 'version-not-found'))
  t.match(await ada.get('/api/graphs/1/diff?to=9007199254740993'), problem(404, 'version-not-found'))
  t.match(await ada.get('/api/graphs/2/diff'), problem(404, 'graph-not-found'))
  for (const query of ['from=0', 'from=x', 'to=1.5', 'limit=-1', 'limit=10001', 'size=1', 'from=1&from=2']) {
    t.match(await ada.get(`/api/graphs/1/diff?${query}`), problem(400, 'validation-failed'), query)
  }
  t.equal(
    (await as('bob').get('/api/graphs/1/diff?from=1&to=2')).status,
    200,
    'users with read access can compare versions'
  )
  await ada.patch('/api/graphs/1', { shared: false })
  t.match(await as('bob').get('/api/graphs/1/diff?from=1&to=2'), problem(404, 'graph-not-found'))
  t.match(await as('bob').get('/api/graphs/1/diff?from=1&to=9'), problem(404, 'graph-not-found'))
})

t.test('GET …/diff returns readable text on request', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', triangle)
  const content = { nodes: [{ id: 'b' }, { id: 'a' }], edges: [{ source: 'a', target: 'b' }] }
  await ada.put('/api/graphs', { id: 1, name: 'Line', message: 'Opened', content })
  const { status, text, headers } = await ada.get('/api/graphs/1/diff', { accept: 'text/plain' })
  t.equal(status, 200)
  t.equal(headers['content-type'], 'text/plain; charset=utf-8')
  t.equal(text, [...diffText((await ada.get('/api/graphs/1/diff')).body)].join(''))
  const short = await ada.get('/api/graphs/1/diff?limit=1', { accept: 'text/*' })
  t.match(short.text, /- "b" -> "c"\n- … and 1 more\n/)
  t.match((await ada.get('/api/graphs/1/diff?to=1', { accept: 'text/plain' })).text, /--- nothing\n\+\+\+ version 1/)
  t.match((await ada.get('/api/graphs/1/diff', { accept: '*/*' })).headers, { 'content-type': /json/ })
  const best = await ada.get('/api/graphs/1/diff', { accept: 'application/json;q=0.1, text/plain' })
  t.match(best.headers, { 'content-type': /^text\/plain/ })
  t.match(await ada.get('/api/graphs/1/diff', { accept: 'image/png' }), problem(406, 'format-not-acceptable'))
})

t.test('only large contents are compared in a thread', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  const nodes = Array.from({ length: 3000 }, (_, index): Node => ({ id: `n${index}`, label: `Node ${index}` }))
  await ada.post('/api/graphs', { name: 'x', content: { nodes, edges: [] } })
  await ada.put('/api/graphs', { id: 1, name: 'x', content: { nodes: nodes.slice(1), edges: [] } })
  await ada.patch('/api/graphs/1', { name: 'y' })
  const { body } = await ada.get('/api/graphs/1/diff?from=1&to=3')
  t.match(body, { nodes: { removed: { count: 1, items: [{ id: 'n0', label: 'Node 0' }] }, changed: none } })
  t.match(await ada.get('/api/graphs/1/diff?from=1&to=3', { accept: 'text/plain' }), {
    text: /- "n0" label="Node 0"\n/
  })
  t.match((await ada.get('/api/graphs/1/diff')).body, { fields: [{ pointer: '#/name' }], nodes: unchanged })
})

t.test('the text form lists each kind of change, and counts the omitted ones', async (t) => {
  const version = { timestamp: 'TIME', principal: 'ada', name: 'x', nodeCount: 0, edgeCount: 0, auditEventId: 1 }
  const edge = (id: string, label?: string): Edge => ({ id, source: 'a b', target: 'c', ...(label && { label }) })
  const { nodes, edges, fields, truncated } = diff(
    {
      nodes: [{ id: 'r1' }, { id: 'r2' }, { id: 'c1', x: 1 }, { id: 'c2' }],
      edges: [{ source: 'a b', target: 'c', relation: 'to' }, edge('r2'), edge('c1'), edge('c2')]
    },
    {
      metadata: { 'a~/b': 1, '%41': 2, 'a.b': 3 },
      nodes: [
        { id: 'a1', label: 'A', metadata: { w: 1, 'two words': 2 } },
        { id: 'a2' },
        { id: 'c1' },
        { id: 'c2', y: 2 }
      ],
      edges: [{ ...edge('a1', 'A'), metadata: { w: 1 } }, edge('a2'), edge('c1', 'C'), edge('c2', 'C')]
    },
    1
  )
  const from = { ...version, version: 1 }
  const to = { ...version, version: 2, message: 'New\u200e' }
  const text = (diff: Partial<GraphDiff>) =>
    [...diffText({ id: 7, from, to, fields, nodes, edges, truncated, ...diff })].join('')
  t.equal(
    text({}),
    `graph 7
--- version 1, TIME, ada
+++ version 2, TIME, ada: "New\\u200e"

~ content.metadata."a~/b": (none) -> 1
~ content.metadata."%41": (none) -> 2
~ content.metadata."a.b": (none) -> 3

nodes: 2 added, 2 removed, 2 changed
- "r1"
- … and 1 more
+ "a1" label="A" metadata.w=1 metadata."two words"=2
+ … and 1 more
~ "c1"
    x: 1 -> (none)
~ … and 1 more

edges: 2 added, 2 removed, 2 changed
- "a b" -> "c" "to"
- … and 1 more
+ "a b" -> "c" (id "a1") label="A" metadata.w=1
+ … and 1 more
~ "a b" -> "c" (id "c1")
    label: (none) -> "C"
~ … and 1 more

Some changes are not listed. The counts include all changes.
`
  )
  const reordered = { ...unchanged, reordered: true }
  t.equal(
    text({ fields: [], nodes: unchanged, edges: reordered, truncated: false }),
    `graph 7
--- version 1, TIME, ada
+++ version 2, TIME, ada: "New\\u200e"

nodes: 0 added, 0 removed, 0 changed

edges: 0 added, 0 removed, 0 changed; reordered
`
  )
})

t.test(
  'the text form shows names unchanged, except for escaped characters that affect the display of a line',
  async (t) => {
    const version = { version: 1, timestamp: '', principal: '', name: '', nodeCount: 0, edgeCount: 0, auditEventId: 1 }
    const line = (before: Record<string, unknown>, metadata: Record<string, unknown>) => {
      const { nodes, edges } = diff({ nodes: [{ id: 'a', metadata: before }] }, { nodes: [{ id: 'a', metadata }] })
      const text = diffText({ id: 1, to: version, fields: [], nodes, edges, truncated: false })
      return [...text]
        .join('')
        .split('\n')
        .filter((line) => line.startsWith('    '))
    }
    const plain = { a_1: 1 }
    t.same(line(plain, { a_1: 2 }), ['    metadata.a_1: 1 -> 2'])
    t.same(line(plain, { ...plain, 'a~/b': 1 }), ['    metadata."a~/b": (none) -> 1'])
    t.same(line(plain, { ...plain, '~1': 1, '%41': 2 }), [
      '    metadata."~1": (none) -> 1',
      '    metadata."%41": (none) -> 2'
    ])
    t.same(line(plain, { ...plain, 'a.b': null, ' a': 1, 'a ': 1, '': 1 }), [
      '    metadata."a.b": (none) -> null',
      '    metadata." a": (none) -> 1',
      '    metadata."a ": (none) -> 1',
      '    metadata."": (none) -> 1'
    ])
    for (const code of [0x7f, 0x85, 0x9f, 0x61c, 0x200e, 0x200f, 0x2028, 0x202e, 0x2066, 0x2069]) {
      const escaped = `\\u${code.toString(16).padStart(4, '0')}`
      const text = `x${String.fromCharCode(code)}`
      t.same(line(plain, { ...plain, [text]: text }), [`    metadata."x${escaped}": (none) -> "x${escaped}"`], escaped)
    }
    for (const code of [0x7e, 0xa0, 0x2027, 0x202f, 0x2065, 0x206a]) {
      const text = `x${String.fromCharCode(code)}`
      t.same(line(plain, { ...plain, a: text }), [`    metadata.a: (none) -> "${text}"`], `U+${code.toString(16)}`)
    }
    const cut = (length: number) => line(plain, { ...plain, a: 'x'.repeat(length - 2) })
    t.same(cut(200), [`    metadata.a: (none) -> "${'x'.repeat(198)}"`])
    t.same(cut(201), [`    metadata.a: (none) -> "${'x'.repeat(199)}… (201 characters)`])
    const [wide = ''] = line(plain, { ...plain, a: '😀'.repeat(500) })
    t.match(wide, /-> "(😀)+\ufffd?… \(1002 characters\)$/)
    t.ok(wide.isWellFormed())
  }
)

t.test('edges are directed unless the graph or the edge says otherwise', async (t) => {
  const [there, back] = [
    { source: 'a', target: 'b' },
    { source: 'b', target: 'a' }
  ]
  const no = { directed: false }
  const compared = (from: Edge, to: Edge, ofFrom = {}, ofTo = ofFrom) => {
    const { added, removed, changed } = diff({ ...ofFrom, edges: [from] }, { ...ofTo, edges: [to] }).edges
    return [added.count, removed.count, changed.count].join()
  }
  const [another, same] = ['1,1,0', '0,0,1']
  t.equal(compared(there, back), another)
  t.equal(compared(there, back, no, {}), another)
  t.equal(compared(there, back, {}, no), another)
  t.equal(compared(there, back, no), same)
  t.equal(compared(back, there, no), same)
  t.equal(compared(there, { ...back, ...no }), another)
  t.equal(compared({ ...there, ...no }, { ...back, ...no }), same)
  t.equal(compared({ ...there, directed: true }, back, no), another)
  t.equal(compared(there, { ...back, relation: 'x' }, no), another)
})

t.test('runs of added and removed elements of any length do not affect other elements', async (t) => {
  const nodes = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => ({ id: `n${from + index}` }))
  for (const length of [1, 7, 8, 9, 20]) {
    const [all, rest] = [nodes(0, 30 + length), [...nodes(0, 10), ...nodes(10 + length, 30 + length)]]
    const run = { count: length, items: nodes(10, 10 + length) }
    t.same(diff({ nodes: all }, { nodes: rest }).nodes, { ...unchanged, removed: run }, `${length} removed`)
    t.same(diff({ nodes: rest }, { nodes: all }).nodes, { ...unchanged, added: run }, `${length} added`)
    t.same(diff({ nodes: nodes(0, length) }, {}).nodes, {
      ...unchanged,
      removed: { count: length, items: nodes(0, length) }
    })
  }
  t.same(diff({ nodes: nodes(0, 2) }, { nodes: nodes(0, 2).toReversed() }).nodes, { ...unchanged, reordered: true })
})
