import { setTimeout } from 'node:timers/promises'
import fastify from 'fastify'
import t from 'tap'
import { system } from '../../db/actors.ts'
import { requireGraph } from '../../db/graphs/access.ts'
import type { KeptContent } from '../../db/graphs/contents.ts'
import { findGraphWithContent } from '../../db/graphs/graphs.ts'
import type { Content, GraphWorker } from '../../graph/jobs/worker.ts'
import { Layouts } from '../../plugins/http/contents/layouts.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { stopClock } from '../support/clock.ts'
import { build, problem, triangle } from '../support/helper.ts'

const layout = '/api/graphs/1/layout'

/** Returns a path of nodes without positions. */
function pathOf(length: number, prefix = 'n') {
  const nodes = Array.from({ length }, (_, index) => ({ id: `${prefix}${index}` }))
  const edges = nodes.slice(1).map(({ id }, index) => ({ source: `${prefix}${index}`, target: id }))
  return { nodes, edges }
}

t.test('a layout is computed once, stored beside the content, and the same for everybody', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  const path = pathOf(30)
  await ada.post('/api/graphs', { name: 'Path', shared: true, content: path })
  const before = (await ada.get('/api/graphs/1')).headers.etag
  const { status, headers, body } = await ada.get(layout)
  t.equal(status, 200)
  const { positions, ...rest } = body
  t.same(rest, { algorithm: 'force', settled: true, version: 1 })
  const ids = positions.map(([id]: [string]) => id)
  t.same(
    ids,
    path.nodes.map(({ id }) => id),
    'in the order of the nodes'
  )
  const at = (index: number) => positions[index].slice(1) as [number, number]
  const distance = (one: number, other: number) => Math.hypot(at(one)[0] - at(other)[0], at(one)[1] - at(other)[1])
  t.ok(distance(0, 29) > 10 * distance(0, 1), 'the path is unfolded')
  t.equal((await ada.get('/api/graphs/1')).headers.etag, before, 'the graph has not changed')

  const rows = () => store.read.selectFrom('layout').select(['contentId', 'settled']).execute()
  t.same(
    (await rows()).map(({ settled }) => Boolean(settled)),
    [true]
  )
  t.same((await as('bob').get(layout)).body, body)
  t.same((await ada.get(`${layout}?algorithm=force`)).body, body)
  t.equal((await ada.get(layout, { 'if-none-match': String(headers.etag) })).status, 304)
  await ada.patch('/api/graphs/1', { name: 'Renamed' })
  const renamed = await ada.get(layout)
  t.same(renamed.body, { ...body, version: 2 })
  t.equal(renamed.headers.etag, headers.etag, 'the ETag depends on the content only')

  await ada.post('/api/graphs', { name: 'The same', content: path })
  t.same((await ada.get('/api/graphs/2/layout')).body.positions, positions, 'the layout is deterministic')
  await ada.delete('/api/graphs/1')
  await ada.delete('/api/trash/1')
  await ada.delete('/api/graphs/2')
  await ada.delete('/api/trash/2')
  t.same(await rows(), [], 'the layout disappears with the content')
})

t.test('positions in the content are returned as they are, and nodes that have one keep it', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  const { nodes, edges } = pathOf(4)
  const placed = nodes.map((node, index) => ({ ...node, x: index / 3, y: -index }))
  await ada.post('/api/graphs', { name: 'Placed', content: { nodes: placed, edges } })
  const own = (await ada.get(layout)).body
  t.same(own, {
    algorithm: 'own',
    settled: true,
    version: 1,
    positions: placed.map(({ id, x, y }) => [id, x, y])
  })
  t.equal((await ada.get(`${layout}?algorithm=force`)).body.algorithm, 'force')
  t.same((await ada.get(layout)).body, own)

  const partial = placed.map(({ x, y, ...node }, index) => (index === 3 ? node : { ...node, x, y }))
  await ada.post('/api/graphs', { name: 'Partial', content: { nodes: partial, edges } })
  const { algorithm, positions } = (await ada.get('/api/graphs/2/layout')).body
  t.equal(algorithm, 'force')
  t.same(
    positions.slice(0, 3),
    placed.slice(0, 3).map(({ id, x, y }) => [id, Number(Math.fround(x).toPrecision(7)), y])
  )
  t.match(positions[3], ['n3', Number, Number])

  const far = placed.map(({ x, y, ...node }, index) => (index === 0 ? { ...node, x: 1e40, y: 0 } : node))
  await ada.post('/api/graphs', { name: 'Far', content: { nodes: far, edges } })
  const numbers = (await ada.get('/api/graphs/3/layout')).body.positions.flatMap(
    ([, x, y]: [string, number, number]) => [x, y]
  )
  t.ok(numbers.every(Number.isFinite), 'a position that 32-bit floats cannot hold is ignored')
  t.equal((await store.read.selectFrom('layout').select('contentId').execute()).length, 3)
})

t.test('the other algorithms place the nodes on a circle, in a grid or in layers', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', { name: 'Path', content: pathOf(9) })
  const placedBy = async (algorithm: string) => {
    const { status, body } = await ada.get(`${layout}?algorithm=${algorithm}`)
    t.match({ status, body }, { status: 200, body: { algorithm, settled: true } })
    return body.positions.map(([, x, y]: [string, number, number]) => ({ x, y })) as { x: number; y: number }[]
  }
  const round = (value: number) => Math.round(value * 1000)
  const radii = (await placedBy('circle')).map(({ x, y }) => round(Math.hypot(x, y)))
  t.equal(new Set(radii).size, 1)
  const rows = new Set((await placedBy('grid')).map(({ y }) => round(y)))
  t.ok(rows.size > 1 && rows.size < 9)
  const heights = (await placedBy('layers')).map(({ y }) => y)
  t.same(
    heights,
    heights.toSorted((one, other) => other - one),
    'each node is below its predecessor'
  )
})

t.test('a large graph is laid out in the background, and the client is asked to come back', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  const parts = Array.from({ length: 700 }, (_, part) => pathOf(3, `${part}.`))
  const content = { nodes: parts.flatMap(({ nodes }) => nodes), edges: parts.flatMap(({ edges }) => edges) }
  await ada.post('/api/graphs', { name: 'Long', content })
  let { status, text, headers, body } = await ada.get(layout)
  // A fast machine computes it before the server would ask the client to come back.
  while (status === 202) {
    t.match({ text, headers }, { text: '', headers: { 'retry-after': '2' } })
    ;({ status, text, headers, body } = await ada.get(layout))
  }
  t.equal(status, 200)
  t.equal(body.positions.length, 2100)
  t.match(await ada.get(`${layout}?algorithm=layers`), problem(503, 'graph-too-complex'))
})

t.test('a layout that takes too long is refused, and tried again after ten minutes', async (t) => {
  const move = stopClock(t)
  const { as, store } = await build(t)
  await as('ada').post('/api/graphs', { name: 'Path', content: pathOf(3) })
  const graph = requireGraph(await findGraphWithContent(store.read, system, 1))
  let tried = 0
  const worker = {
    layout: async (_content: unknown, _algorithm: unknown, { isPatient = false }) => {
      if (!isPatient) return undefined
      tried++
      throw new ProblemError('graph-too-complex')
    }
  } as unknown as GraphWorker
  const layouts = new Layouts(store, worker, Buffer.alloc(32), { warn: () => {} })
  const app = fastify()
  app.get('/', async (_request, reply) => layouts.send(reply, undefined, graph, async () => graph))
  app.setErrorHandler((error: ProblemError, _request, reply) => reply.code(503).send(error.code))
  for (const _ of [1, 2]) {
    const { statusCode, body } = await app.inject('/')
    t.same({ statusCode, body, tried }, { statusCode: 503, body: 'graph-too-complex', tried: 1 })
  }
  t.equal(layouts.prepare(graph.content as KeptContent), false)
  move(10 * 60 * 1000)
  await app.inject('/')
  t.equal(tried, 2)
})

t.test('the layout of a graph that is opened waits for one that is prepared, not for all', async (t) => {
  const { as, store } = await build(t)
  const names = ['first', 'second', 'third', 'opened']
  for (const name of names) await as('ada').post('/api/graphs', { name, content: pathOf(2, name) })
  const find = async (id: number) => requireGraph(await findGraphWithContent(store.read, system, id))
  const opened = await find(4)
  const computed: string[] = []
  const begun = Promise.withResolvers<void>()
  const worker = {
    layout: async (
      content: Content,
      _algorithm: unknown,
      { kept, isPatient = false }: { kept?: unknown; isPatient?: boolean }
    ) => {
      if (!isPatient) return kept && { algorithm: 'force', isSettled: true, positions: Buffer.from('[]') }
      computed.push(names.find((name) => String(content.body).includes(name)) ?? '')
      await begun.promise
      return { computed: { positions: new Float32Array(4), isSettled: true } }
    }
  } as unknown as GraphWorker
  const layouts = new Layouts(store, worker, Buffer.alloc(32), { warn: () => {} })
  const app = fastify()
  app.get('/', async (_request, reply) => layouts.send(reply, undefined, opened, async () => opened))
  for (const id of [1, 2, 2, 3]) t.equal(layouts.prepare((await find(id)).content as KeptContent), true)
  const sent = app.inject('/')
  while (computed.length === 0) await setTimeout(1)
  await setTimeout(20)
  begun.resolve()
  t.equal((await sent).statusCode, 200)
  while (computed.length < names.length) await setTimeout(1)
  t.same(computed, ['first', 'opened', 'second', 'third'])
})

t.test('an empty graph has no positions, hidden graphs are not found, and other algorithms are refused', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', { ...triangle, content: null })
  t.same((await ada.get(layout)).body, { algorithm: 'own', settled: true, version: 1, positions: [] })
  for (const algorithm of ['force', 'circle', 'grid', 'layers']) {
    const { status, body } = await ada.get(`${layout}?algorithm=${algorithm}`)
    t.same({ status, body }, { status: 200, body: { algorithm, settled: true, version: 1, positions: [] } })
  }
  t.match(await as('bob').get(layout), problem(404, 'graph-not-found'))
  t.match(await as().get(layout), problem(401, 'token-missing'))
  for (const query of ['algorithm=own', 'algorithm=', 'algorithm=force&algorithm=grid', 'width=3'])
    t.equal((await ada.get(`${layout}?${query}`)).status, 400, query)
})

t.test('a link shows the layout of its graph', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', { name: 'Path', content: pathOf(5) })
  const { publicId, url } = (await ada.post('/api/graphs/1/links', {})).body
  const { token } = (await as().post(`/api/links/${publicId}/open`, { secret: url.split('#')[1] })).body
  const shown = await as().get(`/api/links/${publicId}/layout`, { authorization: `Bearer ${token}` })
  t.same(shown.body, (await ada.get(layout)).body)
  t.match(await as().get(`/api/links/${publicId}/layout`), problem(401, 'token-missing'))
})
