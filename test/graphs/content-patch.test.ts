import fc from 'fast-check'
import t, { type Test } from 'tap'
import { contentChecker, contentOf, jsonNow } from '../../graph/content/content.ts'
import { patchContent } from '../../graph/diff/patch.ts'
import type { Edge, GraphContent, Node } from '../../schemas/graph-content.ts'
import type { ProblemError } from '../../schemas/problem-catalogue.ts'
import { build, events, problem } from '../support/helper.ts'

// PATCH /api/graphs/{id}/content changes individual nodes and edges of a graph.

const limits = { maxNodes: 1000, maxEdges: 1000, bodyLimit: 1024 * 1024 }
const check = contentChecker(limits)

/** Applies a patch to version 1. Returns the content, or the code and faults of the problem. */
function patched(content: GraphContent, patch: unknown, isNamed = true) {
  try {
    const bytes = Buffer.from(JSON.stringify(patch))
    const { stored } = patchContent(content, bytes, { version: 1, isNamed }, check, limits.bodyLimit)
    return contentOf(jsonNow(stored.body))
  } catch (error) {
    const { code, circumstances } = error as ProblemError
    return { code, errors: circumstances.errors?.map(({ pointer, code, detail }) => `${pointer} ${code}: ${detail}`) }
  }
}

const path: GraphContent = {
  directed: true,
  label: 'A path',
  metadata: { source: 'a book' },
  nodes: [{ id: 'a' }, { id: 'b', label: 'Bea' }, { id: 'c' }, { id: '__proto__' }],
  edges: [
    { id: 'e1', source: 'a', target: 'b' },
    { source: 'b', target: 'c', relation: 'knows' },
    { source: 'c', target: '__proto__', directed: false },
    { source: 'a', target: 'c' },
    { source: 'a', target: 'c', label: 'again' }
  ]
}

t.test('added elements replace existing ones in place or come last, and the others keep their order', async (t) => {
  t.same(
    patched(path, {
      nodes: { put: [{ id: 'd' }, { id: 'b', x: 1 }], remove: [] },
      edges: {
        put: [
          { source: 'b', target: 'c', relation: 'knows', metadata: { weight: 2 } },
          { id: 'e2', source: 'a', target: 'c' },
          { source: 'b', target: 'c' },
          { source: '__proto__', target: 'c', directed: false, label: 'turned' },
          { id: 'e1', source: 'd', target: 'd' }
        ]
      }
    }),
    {
      ...path,
      nodes: [{ id: 'a' }, { id: 'b', x: 1 }, { id: 'c' }, { id: '__proto__' }, { id: 'd' }],
      edges: [
        { id: 'e1', source: 'd', target: 'd' },
        { source: 'b', target: 'c', relation: 'knows', metadata: { weight: 2 } },
        { source: '__proto__', target: 'c', directed: false, label: 'turned' },
        path.edges[3],
        path.edges[4],
        { id: 'e2', source: 'a', target: 'c' },
        { source: 'b', target: 'c' }
      ]
    }
  )
})

t.test('elements are removed by id, and edges also by their ends', async (t) => {
  t.same(
    patched(path, {
      nodes: { remove: ['__proto__', 'b'] },
      edges: { remove: ['e1', { source: 'b', target: 'c', relation: 'knows' }, { source: '__proto__', target: 'c' }] }
    }),
    { ...path, nodes: [{ id: 'a' }, { id: 'c' }], edges: [path.edges[3], path.edges[4]] }
  )
  t.same(patched({ nodes: [], edges: [] }, { nodes: { put: [{ id: 'a' }] } }), {
    directed: true,
    nodes: [{ id: 'a' }],
    edges: []
  })
  t.same(patched(path, {}), path)
})

t.test('the direction of all edges is set, except for edges that the patch puts with their own', async (t) => {
  const { edges, ...rest } = path
  const undirected = edges.map(({ directed: _, ...edge }) => edge)
  t.same(patched(path, { directed: false }), { ...rest, directed: false, edges: undirected })
  t.same(patched(path, { directed: true }), { ...rest, edges: undirected })
  // The ends in `remove` are those of the directed edge, which is found before its direction changes.
  const changes = { remove: [{ source: 'b', target: 'c', relation: 'knows' }] }
  const put = { source: 'c', target: 'b', relation: 'knows', directed: true }
  t.same(patched(path, { directed: false, edges: { ...changes, put: [put] } }), {
    ...rest,
    directed: false,
    edges: [...undirected.toSpliced(1, 1), put]
  })
  t.same(patched(path, { directed: 'no' }), {
    code: 'validation-failed',
    errors: ['#/directed wrong-type: must be a boolean']
  })
})

t.test('faults have their position in the patch', async (t) => {
  const missing = 'element-not-found: is not in the graph'
  const unnamed = 'wrong-type: must be an id, or an object with source, target and optionally relation'
  const faults: [what: string, patch: unknown, code: string, ...errors: string[]][] = [
    [
      'malformed names are reported before the graph is checked',
      { nodes: { remove: ['a', 3, ''] }, edges: { remove: ['e9'] } },
      'validation-failed',
      '#/nodes/remove/1 wrong-type: must be an id',
      '#/nodes/remove/2 wrong-type: must be an id'
    ],
    [
      'unknown names',
      { nodes: { remove: ['a', 'x'] }, edges: { remove: ['e9'] } },
      'element-not-found',
      `#/nodes/remove/1 ${missing}`,
      `#/edges/remove/0 ${missing}`
    ],
    [
      'malformed names',
      { edges: { remove: [{ source: 'a' }, { id: 'e1' }, null] } },
      'validation-failed',
      ...[0, 1, 2].map((place) => `#/edges/remove/${place} ${unnamed}`)
    ],
    [
      'a node with edges',
      { nodes: { remove: ['c'] } },
      'validation-failed',
      ...['"b" to "c"', '"c" to "__proto__"', '"a" to "c"', '"a" to "c"'].map(
        (ends) => `#/nodes/remove/0 unknown-node: is an endpoint of the edge from ${ends}`
      )
    ],
    [
      'missing ends are reported only if all elements are well formed',
      {
        nodes: { put: [{ id: 'a' }, { id: 'n' }, { id: 'n' }, { id: 'm', colour: 'red' }, 7, { id: 'o', x: 'left' }] },
        edges: { put: [{ source: 'n', target: 'nobody' }, { source: 'a' }] }
      },
      'validation-failed',
      '#/nodes/put/2/id duplicate-id: duplicates the id of an earlier node',
      '#/nodes/put/3/colour unknown-field: is not a known field',
      '#/nodes/put/4 wrong-type: must be an object',
      '#/nodes/put/5/x wrong-type: must be a number',
      '#/edges/put/1/target required: is required'
    ],
    [
      'an end that does not exist',
      { nodes: { put: [{ id: 'n' }] }, edges: { put: [{ source: 'n', target: 'nobody' }] } },
      'validation-failed',
      '#/edges/put/0/target unknown-node: is not the id of a node'
    ],
    [
      'an element that is put and removed',
      { nodes: { put: [{ id: 'b' }], remove: ['b'] } },
      'validation-failed',
      '#/nodes/put/0 duplicate-id: appears more than once in the patch'
    ],
    [
      'unknown fields and wrong types',
      { nodes: { put: {}, add: [] }, edges: [], version: 0, colour: 'red' },
      'validation-failed',
      '#/colour unknown-field: is not a known field',
      '#/nodes/add unknown-field: is not a known field',
      '#/nodes/put wrong-type: must be an array',
      '#/edges wrong-type: must be an object',
      '#/version too-small: must be at least 1'
    ],
    ['a list', [], 'validation-failed', '# wrong-type: must be an object']
  ]
  for (const [what, patch, code, ...errors] of faults) t.same(patched(path, patch), { code, errors }, what)
})

t.test('ends do not identify an edge that has an id, is reversed, or is one of several', async (t) => {
  const missing = 'element-not-found: is not in the graph'
  const ambiguous = 'edge-ambiguous: matches several edges without an id'
  for (const [action, edge, fault] of [
    ['remove', { source: 'a', target: 'b' }, missing],
    ['remove', { source: 'c', target: 'b', relation: 'knows' }, missing],
    ['remove', { source: 'a', target: 'c' }, ambiguous],
    ['put', { source: 'a', target: 'c' }, ambiguous]
  ] as const) {
    const code = fault.split(':')[0]
    t.same(patched(path, { edges: { [action]: [edge] } }), { code, errors: [`#/edges/${action}/0 ${fault}`] })
  }
})

t.test('the first 50 of many faults are listed with the total', async (t) => {
  const bytes = Buffer.from(JSON.stringify({ nodes: { remove: Array(70).fill('x') } }))
  try {
    patchContent(path, bytes, { version: 1, isNamed: true }, check, limits.bodyLimit)
    t.fail('no error was thrown')
  } catch (error) {
    const { errors, errorCount } = (error as ProblemError).circumstances
    t.equal(errors?.length, 50)
    t.equal(errorCount, 70)
  }
})

t.test('limits apply to the whole content', async (t) => {
  const put = Array.from({ length: 997 }, (_, place) => ({ id: `n${place}` }))
  t.same(patched(path, { nodes: { put } }), {
    code: 'validation-failed',
    errors: ['#/nodes too-many-nodes: has more than 1000 nodes']
  })
  t.equal((patched(path, { nodes: { put: put.slice(1) } }) as GraphContent).nodes.length, 1000)
})

/** Content whose edges all have ids, so that each edge can be identified. */
const ids = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', '')
const contents = fc
  .record({
    nodes: fc.uniqueArray(fc.record({ id: ids.filter((id) => id !== ''), x: fc.integer() }, { requiredKeys: ['id'] }), {
      selector: ({ id }) => id,
      minLength: 1
    }),
    edges: fc.uniqueArray(fc.record({ id: fc.nat(9).map(String), from: fc.nat(), to: fc.nat(), label: fc.string() }), {
      selector: ({ id }) => id
    })
  })
  .map(({ nodes, edges }) => ({
    nodes,
    edges: edges.map(({ from, to, ...edge }) => ({
      ...edge,
      source: nodes[from % nodes.length]?.id as string,
      target: nodes[to % nodes.length]?.id as string
    }))
  }))

t.test('a patch made from the difference between two contents turns one into the other', async (t) => {
  const byId = <T extends { id?: string }>(elements: T[]) => new Map(elements.map((element) => [element.id, element]))
  const patchOf = <T extends { id?: string }>(from: T[], to: T[]) => ({
    put: to.filter(({ id }, place) => JSON.stringify(byId(from).get(id)) !== JSON.stringify(to[place])),
    remove: from.flatMap(({ id }) => (byId(to).has(id) ? [] : [id]))
  })
  fc.assert(
    fc.property(contents, contents, (from, to) => {
      const patch = { nodes: patchOf<Node>(from.nodes, to.nodes), edges: patchOf<Edge>(from.edges, to.edges) }
      const result = patched(from, patch) as GraphContent
      t.same(byId(result.nodes), byId<Node>(to.nodes))
      t.same(byId(result.edges), byId<Edge>(to.edges))
      const stays = (elements: { id?: string }[], others: { id?: string }[]) =>
        elements.map(({ id }) => id).filter((id) => byId(others).has(id))
      t.same(stays(result.nodes, from.nodes), stays(from.nodes, to.nodes))
      t.same(stays(result.edges, from.edges), stays(from.edges, to.edges))
    }),
    { numRuns: 100 }
  )
})

/** Starts a server on which ada owns a graph with this content. Returns the URL of the graph and clients. */
async function prepare(t: Test, content: unknown) {
  const { as, store } = await build(t)
  const [ada, bob] = [as('ada'), as('bob')]
  const { body, status } = await ada.post('/api/graphs', { name: 'A path', content })
  t.equal(status, 201)
  return { ada, bob, store, url: `/api/graphs/${body.id}` }
}

t.test('a patch creates one version with a message and one event, and returns the record', async (t) => {
  const { ada, store, url } = await prepare(t, path)
  const patch = { version: 1, message: 'Added Dora.', nodes: { put: [{ id: 'd', label: 'Dora' }] } }
  const { status, body, headers } = await ada.patch(`${url}/content`, patch)
  t.equal(status, 200)
  const { content, ...record } = (await ada.get(url)).body
  t.same(body, record)
  t.equal(body.version, 2)
  t.equal(body.nodeCount, 5)
  t.equal(headers.etag, (await ada.get(url)).headers.etag)
  t.same(content, { ...path, nodes: [...path.nodes, { id: 'd', label: 'Dora' }] })
  t.equal((await ada.get(`${url}/versions`)).body[0].message, 'Added Dora.')
  const [event, ...others] = await events(store, 'GRAPH_UPDATED')
  t.equal(event?.targetVersion, 2)
  t.same(others, [])
  const { body: turned } = await ada.patch(`${url}/content`, { version: 2, directed: false })
  t.same([turned.version, (await events(store, 'GRAPH_UPDATED')).length], [3, 2])
  t.equal((await ada.patch(`${url}/content`, { version: 3, directed: false })).body.version, 3)
  t.equal((await ada.patch(`${url}/content`, { version: 3, directed: true })).body.version, 4)
  // The graph is unchanged.
  t.equal((await ada.patch(`${url}/content`, { ...patch, version: 4 })).body.version, 4)
  t.same((await events(store, 'GRAPH_UPDATED')).length, 3)
})

t.test('a patch for an outdated state changes nothing', async (t) => {
  const { ada, url } = await prepare(t, path)
  const etag = String((await ada.get(url)).headers.etag)
  const change = { nodes: { put: [{ id: 'd' }] } }
  t.match(await ada.patch(`${url}/content`, change), problem(428, 'precondition-required'))
  t.match(await ada.patch(`${url}/content`, { ...change, version: 2 }), problem(409, 'version-conflict'))
  // Only clients that know the current state learn whether names exist.
  const unknown = { version: 7, nodes: { remove: ['nobody'] } }
  t.match(await ada.patch(`${url}/content`, unknown), problem(409, 'version-conflict'))
  t.equal((await ada.get(url)).body.version, 1)
  t.equal((await ada.patch(`${url}/content`, change, { 'if-match': etag })).body.version, 2)
  const again = { nodes: { put: [{ id: 'e' }] } }
  t.match(await ada.patch(`${url}/content`, again, { 'if-match': etag }), problem(412, 'precondition-failed'))
  // A malformed patch is reported first.
  for (const body of [[null], { edges: { put: [{ source: 'a', target: 'b', metadata: [] }] } }]) {
    t.match(await ada.patch(`${url}/content`, body, { 'if-match': etag }), problem(400, 'validation-failed'))
  }
  t.equal((await ada.patch(`${url}/content`, again, { 'if-match': '*' })).body.version, 3)
})

t.test('only one of several concurrent patches of a version succeeds', async (t) => {
  const { ada, url } = await prepare(t, path)
  const answers = await Promise.all(
    ['d', 'e', 'f', 'g'].map((id) => ada.patch(`${url}/content`, { version: 1, nodes: { put: [{ id }] } }))
  )
  t.same(answers.map(({ status }) => status).toSorted(), [200, 409, 409, 409])
  const { body } = await ada.get(url)
  t.equal(body.version, 2)
  t.equal(body.nodeCount, 5)
})

t.test('only users with write access can patch, and large content is patched in a thread', async (t) => {
  const nodes = Array.from({ length: 5000 }, (_, place) => ({ id: `node ${place}`, label: `The node ${place}` }))
  const { ada, bob, url } = await prepare(t, { nodes, edges: [] })
  const change = { version: 1, nodes: { put: [{ id: 'node 7', label: 'Seven' }], remove: ['node 8'] } }
  t.match(await bob.patch(`${url}/content`, change), problem(404, 'graph-not-found'))
  await ada.patch(url, { shared: true })
  const later = { ...change, version: 2 }
  t.match(await bob.patch(`${url}/content`, later), problem(403, 'forbidden'))
  t.equal((await ada.patch(`${url}/content`, later)).body.nodeCount, 4999)
  const { content } = (await bob.get(url)).body
  t.same(content.nodes, nodes.with(7, { id: 'node 7', label: 'Seven' }).toSpliced(8, 1))
  const unknown = { version: 3, nodes: { remove: ['node 8'] } }
  const refused = await ada.patch(`${url}/content`, unknown)
  t.match(refused, problem(400, 'element-not-found'))
  t.same(refused.body.errors, [
    { pointer: '#/nodes/remove/0', code: 'element-not-found', detail: 'is not in the graph' }
  ])
})

t.test('bodies that are not patches are refused', async (t) => {
  const { ada, url } = await prepare(t, path)
  t.match(await ada.patch(`${url}/content`, '{"nodes":'), problem(400, 'malformed-json'))
  t.match(await ada.patch(`${url}/content`), problem(400, 'validation-failed'))
  const merge = { 'content-type': 'application/merge-patch+json' }
  t.match(await ada.patch(`${url}/content`, {}, merge), problem(415, 'media-type-unsupported'))
  t.match(await ada.patch('/api/graphs/99/content', { version: 1 }), problem(404, 'graph-not-found'))
  t.equal((await ada.get(url)).body.version, 1)
})

t.test('a patch can add content to an empty graph', async (t) => {
  const { ada, url } = await prepare(t, null)
  const patch = { version: 1, nodes: { put: [{ id: 'a' }] }, edges: { put: [{ source: 'a', target: 'a' }] } }
  t.equal((await ada.patch(`${url}/content`, patch)).status, 200)
  t.same((await ada.get(url)).body.content, {
    directed: true,
    nodes: [{ id: 'a' }],
    edges: [{ source: 'a', target: 'a' }]
  })
})
