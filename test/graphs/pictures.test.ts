import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { contentOf, jsonNow } from '../../graph/content/content.ts'
import { drawGraph } from '../../picture/sheet/drawn-graph.ts'
import { svgOf } from '../../picture/sheet/svg.ts'
import type { Body, GraphContent } from '../../schemas/graph-content.ts'
import { read } from '../support/formats.ts'
import { build, problem, triangle } from '../support/helper.ts'

const usual = { width: 960, height: 600, theme: 'light' } as const
const picture = '/api/graphs/1/picture'
const samples = [
  'karate.gml',
  'les-miserables.gexf',
  'les-miserables.graphml',
  'les-miserables.node-link.json',
  'c-burnetii.cx2',
  'usair97.net',
  'root.gv',
  'asoiaf-edges.csv',
  'neo4j.graphml',
  'small.xgmml'
]

/** The number of lines of each kind in golden files. */
const LINES = 60

/** Shortens an SVG picture to the first lines of each kind, as in the golden files. */
function shortened(svg: string) {
  const counts = new Map<string, number>()
  return svg
    .split('\n')
    .filter((line) => {
      const kind = /^<(path|circle|text)/.exec(line)?.[1]
      const count = (counts.get(kind ?? '') ?? 0) + 1
      counts.set(kind ?? '', count)
      return kind === undefined || count <= LINES
    })
    .join('\n')
}

/** Compares two pictures. The numbers in them may differ by at most half a pixel. */
function isLike(some: string, other: string) {
  const number = /-?\d+(?:\.\d+)?/g
  const [numbers, others] = [some, other].map((svg) => (svg.match(number) ?? []).map(Number)) as [number[], number[]]
  return (
    some.replace(number, '0') === other.replace(number, '0') &&
    numbers.every((value, index) => Math.abs(value - (others[index] as number)) <= 0.5)
  )
}

for (const file of samples) {
  t.test(`the picture of ${file} matches the golden file`, async (t) => {
    const reading = await read(undefined, readFileSync(join(import.meta.dirname, '../samples', file)))
    const svg = shortened(svgOf(drawGraph(reading.content as GraphContent, file, usual)))
    const golden = join(import.meta.dirname, '../pictures', `${file}.svg`)
    if (process.env.GRAPHSTEAD_GOLDEN === 'write') writeFileSync(golden, svg)
    t.ok(existsSync(golden))
    t.ok(isLike(svg, readFileSync(golden, 'utf8')))
  })
}

t.test('golden files are compared within half a pixel, and their text exactly', async (t) => {
  t.ok(isLike('<circle r="1.2"/>', '<circle r="1.6"/>'))
  t.notOk(isLike('<circle r="1.2"/>', '<circle r="1.8"/>'))
  t.notOk(isLike('<text>a</text>', '<text>b</text>'))
})

t.test('a picture has an ETag for its version and appearance, and its text cannot run code', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  const label = '</text><script>alert(1)</script><svg onload="alert(2)">&\u0000\u202e'
  const nodes = [
    { id: 'a', label, metadata: { kind: '"><script>' } },
    { id: 'b', label: ']]>', metadata: { kind: "'" } }
  ]
  const created = await ada.post('/api/graphs', {
    name: '<script>',
    content: { nodes, edges: [{ source: 'a', target: 'b' }] }
  })
  t.equal(created.status, 201, created.text)
  const { status, headers, text } = await ada.get(`${picture}.svg`)
  t.equal(status, 200)
  t.equal(headers['content-type'], 'image/svg+xml')
  t.equal(headers['x-content-type-options'], 'nosniff')
  t.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'")
  const elements = new Set([...text.matchAll(/<\/?([a-z]+)/g)].map(([, name]) => name))
  t.same([...elements].sort(), ['circle', 'g', 'path', 'rect', 'svg', 'text', 'title'])
  t.notMatch(text, /<[^>]*\s(on\w+|href|style)=/)
  t.notMatch(text, /\u0000/)

  const etag = headers.etag as string
  t.equal((await ada.get(`${picture}.svg`, { 'if-none-match': etag })).status, 304)
  for (const query of ['svg?theme=dark', 'svg?width=500', 'svg?height=500', 'png'])
    t.not((await ada.head(`${picture}.${query}`)).headers.etag, etag, query)
  await ada.patch('/api/graphs/1', { name: 'Another' })
  const changed = await ada.get(`${picture}.svg`, { 'if-none-match': etag })
  t.equal(changed.status, 200)
  t.match(changed.text, '<title>Another</title>')
})

t.test('a PNG has the requested size', async (t) => {
  const { app, as, tokenOf } = await build(t)
  await as('ada').post('/api/graphs', triangle)
  const headers = { authorization: `Bearer ${await tokenOf('ada')}` }
  const { statusCode, rawPayload } = await app.inject({
    url: `${picture}.png?width=300&height=200&theme=dark`,
    headers
  })
  t.equal(statusCode, 200)
  t.equal(rawPayload.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n')
  t.same([rawPayload.readUInt32BE(16), rawPayload.readUInt32BE(20)], [300, 200])
})

t.test('pictures of hidden graphs are not found, and invalid parameters are reported', async (t) => {
  const { as } = await build(t)
  await as('ada').post('/api/graphs', triangle)
  for (const form of ['svg', 'png']) {
    t.match(await as('bob').get(`${picture}.${form}`), problem(404, 'graph-not-found'))
    t.match(await as().get(`${picture}.${form}`), problem(401, 'token-missing'))
    for (const query of ['width=63', 'width=2001', 'height=1e3', 'theme=blue', 'scale=2', 'width=100&width=200'])
      t.equal((await as('ada').get(`${picture}.${form}?${query}`)).status, 400, query)
  }
})

t.test('empty graphs, single nodes and overlapping nodes have pictures', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  const at = (...places: [id: string, x: number, y: number][]) => ({
    nodes: places.map(([id, x, y]) => ({ id, x, y })),
    edges: []
  })
  const contents = [
    null,
    { nodes: [], edges: [] },
    { nodes: [{ id: 'a' }], edges: [{ source: 'a', target: 'a' }] },
    at(['a', 1, 1], ['b', 1, 1]),
    at(['__proto__', -1e300, 0], ['b', 1e300, 0])
  ]
  for (const [index, content] of contents.entries()) {
    await ada.post('/api/graphs', { name: 'One', content })
    const { status, text } = await ada.get(`/api/graphs/${index + 1}/picture.svg`)
    t.equal(status, 200)
    t.equal((text.match(/<circle [^>]*stroke-width="1">/g) ?? []).length, content?.nodes.length ?? 0)
    t.notMatch(text, /NaN|Infinity|undefined/)
  }
})

t.test('a large graph has a density picture of limited size', async (t) => {
  const count = 30_000
  const nodes = Array.from({ length: count }, (_, node) => ({ id: String(node) }))
  const edges = Array.from({ length: count * 2 }, (_, edge) => ({
    source: String(edge % count),
    target: String((edge * 7919 + 1) % count)
  }))
  const places = nodes.map((node, index) => ({ ...node, x: index % 170, y: Math.floor(index / 170) }))
  for (const content of [
    { directed: true, nodes, edges },
    { directed: true, nodes, edges: [] },
    { directed: true, nodes: places, edges }
  ]) {
    const svg = svgOf(drawGraph(content, 'Large', usual))
    t.notMatch(svg, '<circle')
    t.match(svg, /<path d="M[^"]*z" fill="#[0-9a-f]{6}"/)
    t.match(svg, '>Density of 30,000 nodes</text>')
    t.match(svg, />1 to [\d,]+ per square<\/text>/)
    t.ok(svg.length < 400_000)
  }
})

t.test('a graph of up to 10,000 nodes is drawn once its layout is known', async (t) => {
  const drawnWith = (count: number, layout?: Float32Array) => {
    const { edges, labels, legend, nodes, squares, isProvisional } = drawGraph(ring(count), 'Ring', usual, { layout })
    const title = legend[0]?.text
    return { edges: edges.length, nodes: nodes.length, labels: labels.length > 0, title, squares, isProvisional }
  }
  const circle = (count: number) =>
    Float32Array.from({ length: count * 2 }, (_, index) => {
      const angle = ((index >> 1) / count) * Math.PI * 2
      return index % 2 === 0 ? Math.cos(angle) : Math.sin(angle)
    })
  const density = { edges: 0, nodes: 0, labels: false, squares: Array }
  t.match(drawnWith(10_000), { ...density, title: 'Density of 10,000 nodes', isProvisional: true })
  t.same(drawnWith(10_000, circle(10_000)), {
    edges: 10_000,
    nodes: 10_000,
    labels: true,
    title: 'Community',
    squares: undefined,
    isProvisional: undefined
  })
  for (const layout of [undefined, circle(10_001)])
    t.match(drawnWith(10_001, layout), { ...density, title: 'Density of 10,001 nodes', isProvisional: false })
  const many = { ...ring(150), edges: Array.from({ length: 20_001 }, () => ({ source: '0', target: '1' })) }
  t.ok(drawGraph(many, 'Many', usual, { layout: circle(150) }).squares, 'nor are more than 20,000 edges')
})

t.test('a picture of a large graph requests its layout, and is not cached until then', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  const { nodes } = ring(30)
  const edges = Array.from({ length: 10_001 }, (_, edge) => ({ source: String(edge % 30), target: String(edge % 7) }))
  await ada.post('/api/graphs', { name: 'Many edges', content: { nodes, edges } })
  const first = await ada.get(`${picture}.svg`)
  t.match(first.text, '>Density of 30 nodes</text>')
  t.same([first.headers['cache-control'], first.headers.etag], ['no-store', undefined])
  let drawn = first
  for (const end = Date.now() + 30_000; !drawn.text.includes('<circle') && Date.now() < end; await setTimeout(200))
    drawn = await ada.get(`${picture}.svg`)
  t.equal((drawn.text.match(/<title>\d+<\/title>/g) ?? []).length, 30)
  t.equal(drawn.headers['cache-control'], 'private, no-cache')
  t.equal((await ada.get(`${picture}.svg`, { 'if-none-match': String(drawn.headers.etag) })).status, 304)
  t.equal((await store.read.selectFrom('layout').select('contentId').execute()).length, 1)
})

t.test('concurrent requests for a picture draw it once', async (t) => {
  const { app, as, tokenOf } = await build(t)
  const content = contentOf(jsonNow(JSON.stringify(ring(400)) as Body))
  t.equal((await as('ada').post('/api/graphs', { name: 'Ring', content, shared: true })).status, 201)
  const headers = { authorization: `Bearer ${await tokenOf('ada')}` }
  const before = process.memoryUsage().rss
  const replies = await Promise.all(
    Array.from({ length: 100 }, () => app.inject({ url: `${picture}.png?width=2000&height=2000`, headers }))
  )
  t.same(new Set(replies.map(({ statusCode }) => statusCode)), new Set([200]))
  t.equal(new Set(replies.map(({ payload }) => payload)).size, 1)
  // The requests must have shared one job, since this many jobs from one user would be refused.
  t.ok(process.memoryUsage().rss - before < 512 * 1024 * 1024)
})

t.test('the number of waiting pictures is limited, and other work continues', async (t) => {
  const { app, as, tokenOf } = await build(t)
  t.equal((await as('ada').post('/api/graphs', triangle)).status, 201)
  const headers = { authorization: `Bearer ${await tokenOf('ada')}` }
  const pictures = Array.from({ length: 140 }, (_, index) =>
    app.inject({ url: `${picture}.svg?width=${400 + index}`, headers })
  )
  const file = await as('ada').get('/api/graphs/1/content?format=gexf')
  t.equal(file.status, 200)
  const counts = Map.groupBy(await Promise.all(pictures), ({ statusCode }) => statusCode)
  t.same([counts.get(200)?.length, counts.get(503)?.length], [132, 8], 'four are drawn, and 128 wait')
  t.match(counts.get(503)?.[0]?.json(), { code: 'server-busy' })
})

t.test('a legend that would cover most of a picture is omitted', async (t) => {
  const nodes = Array.from({ length: 60 }, (_, node) => ({ id: String(node), metadata: { kind: `kind ${node % 10}` } }))
  const edges = nodes.map(({ id }, node) => ({ source: id, target: String((node + 1) % 60) }))
  const legendIn = (width: number, height: number) =>
    drawGraph({ directed: false, nodes, edges }, 'Kinds', { width, height, theme: 'light' }).legend.length
  t.same([legendIn(320, 240), legendIn(640, 200)], [0, 0])
  t.ok(legendIn(960, 600) > 10)
})

t.test('visitors of a link get its picture even without downloads, and only with its token', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', triangle)
  const { publicId, url } = (await ada.post('/api/graphs/1/links', {})).body
  const path = `/api/links/${publicId}/picture.svg`
  const visitor = as()
  const opened = await visitor.post(`/api/links/${publicId}/open`, { secret: url.split('#')[1] })
  const headers = { authorization: `Bearer ${opened.body.token}` }
  const shown = await visitor.get(path, headers)
  t.equal(shown.status, 200)
  t.equal(shown.text, (await ada.get(`${picture}.svg`)).text)
  t.equal((await visitor.get(path, { ...headers, 'if-none-match': shown.headers.etag as string })).status, 304)
  t.match(await visitor.get(path), problem(401, 'token-missing'))
  t.equal((await ada.get(path)).status, 401)
  await ada.delete('/api/graphs/1/links/1')
  t.match(await visitor.get(path, headers), problem(404, 'link-not-found'))
})

/** Returns a ring of nodes. */
function ring(count: number): GraphContent {
  return {
    directed: false,
    nodes: Array.from({ length: count }, (_, node) => ({ id: String(node) })),
    edges: Array.from({ length: count }, (_, node) => ({ source: String(node), target: String((node + 1) % count) }))
  }
}

t.test('elements are drawn in their own style, and colours that are not colours are never written', async (t) => {
  const nodes = [
    { id: 'a', x: 0, y: 0, metadata: { color: 'red', size: 10, shape: 'box' } },
    { id: 'b', x: 100, y: 0, metadata: { color: '#00F', size: 30, shape: 'disc' } },
    { id: 'c', x: 50, y: 50, metadata: { color: 'rgba(0, 128, 0, 0.5)', size: 20, shape: 'x"/><script>' } }
  ]
  const edges = [
    { source: 'a', target: 'b', metadata: { color: '#123456', thickness: 1, shape: 'dashed' } },
    { source: 'b', target: 'c', metadata: { color: '#abcdef', thickness: 3 } }
  ]
  const svgOfAll = (nodes: GraphContent['nodes']) =>
    svgOf(drawGraph({ directed: false, nodes, edges }, 'Styles', { ...usual, width: 300 }))
  const elements = (svg: string) =>
    svg.match(/<(?:path|circle) [^>]*>/g)?.map((tag) => tag.replace(/ (?:d|c[xy])="[^"]*"/g, ''))
  t.same(elements(svgOfAll(nodes)), [
    '<path stroke="#123456" stroke-width="0.7" stroke-opacity="0.88" stroke-dasharray="4 2"/>',
    '<path stroke="#abcdef" stroke-width="2.1" stroke-opacity="0.88"/>',
    '<path fill="#ff0000" stroke-width="0.3">',
    '<circle r="6.38" fill="#0000ff" stroke-width="0.3">',
    '<circle r="4.3" fill="#008000" stroke-width="0.3">'
  ])
  const hostile = nodes.map((node) => ({ ...node, metadata: { color: `url(#${node.id})"/><script>` } }))
  t.notMatch(svgOfAll(hostile), /url|script/)
})
