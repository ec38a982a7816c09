import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { writableFormats as formats } from '../../graph/formats/index.ts'
import { build, events, problem, triangle } from '../support/helper.ts'
import { zip } from '../support/zip.ts'

const graphml =
  '<graphml><key id="w" for="edge" attr.name="weight" attr.type="double"/><graph edgedefault="undirected"><node id="a"/><node id="b"/><edge source="a" target="b"><data key="w">2</data></edge></graph></graphml>'
const type = (value: string) => ({ 'content-type': value })

t.test('POST /api/graphs/import creates a graph from a file', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  const response = await ada.post(
    '/api/graphs/import?name=Mine&type=T&description=About%20me.&shared=true',
    graphml,
    type('application/graphml+xml')
  )
  t.match(response, {
    status: 201,
    headers: { location: '/api/graphs/1', etag: /^"1-1-/, 'graphstead-loss': undefined },
    body: { id: 1, name: 'Mine', type: 'T', description: 'About me.', shared: true, owner: 'ada', version: 1 }
  })
  t.same([response.body.nodeCount, response.body.edgeCount], [2, 1])
  t.equal(response.body.content, undefined)
  t.match(await ada.get('/api/graphs/1'), {
    headers: { etag: response.headers.etag as string },
    body: { content: { directed: false, nodes: [{ id: 'a' }, { id: 'b' }], edges: [{ metadata: { weight: 2 } }] } }
  })
  t.match(await events(store, 'GRAPH_CREATED'), [
    { principal: 'ada', targetId: 1, data: { 'name.new': 'Mine' }, request: { route: '/api/graphs/import' } }
  ])
})

t.test('the format comes from the media type, or else from the query, or else from the content', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  const found = async (body: string | Buffer, contentType: string, query = '') => {
    const { status, body: report } = await ada.post(`/api/graphs/import?dryRun=true${query}`, body, type(contentType))
    return status === 200 ? report.format : `${status} ${report.code}`
  }
  t.equal(await found(graphml, 'application/graphml+xml', '&format=gml'), 'graphml')
  t.equal(await found(graphml, 'application/octet-stream', '&format=gml'), '415 format-unknown')
  t.equal(await found('graph [', 'application/octet-stream', '&format=pajek'), 'pajek')
  t.equal(await found(graphml, 'application/octet-stream'), 'graphml')
  t.equal(await found(graphml, 'text/xml; charset=utf-8'), 'graphml')
  t.equal(await found(graphml, 'text/plain'), 'graphml')
  t.equal(await found('{"graph": {"nodes": {}}}', 'application/json'), 'jgf')
  t.equal(await found('{"nodes": []}', 'application/json'), 'node-link')
  t.equal(await found('{"nodes": []}', 'application/json', '&format=cytoscape'), 'cytoscape')
  t.equal(await found('a,b\nb,c', 'text/csv'), 'csv')
  t.equal(await found('graph { a -- b }', 'application/x-www-form-urlencoded'), 'dot')
  t.equal(await found(graphml, 'image/png'), '415 format-unknown')
  t.equal(await found(graphml, 'constructor'), '415 media-type-unsupported')
  t.equal(await found('graph { a -- b }', 'text/x-graphviz'), 'dot')
  t.equal(await found(graphml, 'application/octet-stream', '&format=visio'), '415 format-unknown')
  for (const contentType of ['application/graphml+xml', 'text/csv', 'application/json', 'image/png']) {
    t.equal(await found(graphml, contentType, '&format=nonsense'), '415 format-unknown', contentType)
  }
  t.equal(await found('what is this', 'application/octet-stream'), '415 format-unknown')
  t.equal(await found('', 'application/graphml+xml'), '400 validation-failed')
  const latin = Buffer.from('Source,Target\ncaf\xe9,b', 'latin1')
  t.match(await ada.post('/api/graphs/import', latin, type('text/csv; charset="ISO-8859-1"')), { status: 201 })
  t.match((await ada.get('/api/graphs/1')).body.content.nodes, [{ id: 'café' }, { id: 'b' }])
  t.match(
    await ada.post('/api/graphs/import', graphml, { ...type('application/graphml+xml'), 'content-encoding': 'br' }),
    problem(415, 'media-type-unsupported')
  )
})

t.test('every format is recognised by its media type and by its content', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', triangle)
  for (const { name, mediaType } of formats) {
    const file = await ada.get('/api/graphs/1/content', { accept: mediaType })
    t.match(file, { status: 200, headers: { 'content-type': new RegExp(`^${mediaType.replace(/[.+/]/g, '\\$&')}`) } })
    for (const contentType of [mediaType, 'application/octet-stream']) {
      const { body } = await ada.post('/api/graphs/import?dryRun=true', file.bytes, type(contentType))
      t.match(body, { format: name, valid: true, nodeCount: 3, edgeCount: 3 }, `${name} as ${contentType}`)
    }
  }
})

t.test('a dry run stores nothing and reports everything', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  const gexf =
    '<gexf version="1.2"><graph mode="dynamic">\n<nodes><node id="a" start="1"/><node id="a"/></nodes>\n<edges><edge source="a" target="b"/></edges></graph></gexf>'
  const response = await ada.post('/api/graphs/import?dryRun=true', gexf, type('application/gexf+xml'))
  t.match(response, { status: 200, headers: { 'graphstead-loss': 'dynamics-dropped;n=2' } })
  const detail = 'nodes, edges and values whose time range was removed'
  const duplicate = { line: 2, column: 32, element: 'node "a"', code: 'duplicate-id' }
  const unknown = { line: 3, column: 8, element: 'edge 1, "a" to "b"', code: 'unknown-node' }
  t.same(response.body, {
    format: 'gexf',
    version: '1.2',
    nodeCount: 2,
    edgeCount: 1,
    valid: false,
    faultCount: 2,
    faults: [
      { ...duplicate, detail: 'id duplicates the id of an earlier node' },
      { ...unknown, detail: 'target is not the id of a node' }
    ],
    droppable: true,
    losses: [{ code: 'dynamics-dropped', count: 2, detail }]
  })
  await ada.post('/api/graphs', triangle)
  const before = await events(store)
  const { status, body } = await ada.put('/api/graphs/1/content?dryRun=true', graphml, type('application/graphml+xml'))
  t.match({ status, body }, { status: 200, body: { format: 'graphml', valid: true, nodeCount: 2 } })
  t.same(body.losses, [])
  t.match((await ada.get('/api/graphs/1')).body, { version: 1, nodeCount: 3 })
  t.same(await events(store), before)
})

t.test('the columns with the ends of edges are reported and can be chosen', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  const table = 'weight,from,to,naïve "x"\n1,a,b,c\n2,b,c,a'
  const imported = await ada.post('/api/graphs/import', table, type('text/csv'))
  t.equal(imported.headers['graphstead-columns'], 'source=%"from", target=%"to"')
  const long = '\u{1f600}'.repeat(1000)
  const cut = `%"%f0%9f%98%80${'%f0%9f%98%80'.repeat(126)}"`
  const ofLong = await ada.post(
    '/api/graphs/import?sourceColumn=1&targetColumn=2',
    `${long},${long}x\na,b\n`,
    type('text/csv')
  )
  t.equal(ofLong.headers['graphstead-columns'], `source=${cut}, target=${cut}`, 'long names are truncated')
  t.match(imported, { status: 201, body: { nodeCount: 3, edgeCount: 2 } })
  const chosen = `sourceColumn=to&targetColumn=${encodeURIComponent('naïve "x"')}`
  const put = await ada.put(`/api/graphs/1/content?${chosen}`, table, type('text/csv'))
  t.equal(put.status, 200)
  t.equal(put.headers['graphstead-columns'], 'source=%"to", target=%"na%c3%afve %22x%22"')
  t.match((await ada.get('/api/graphs/1')).body.content.edges, [
    { source: 'b', target: 'c', metadata: { from: 'a', weight: 1 } },
    { source: 'c', target: 'a' }
  ])
  const { body } = await ada.post(`/api/graphs/import?dryRun=true&${chosen}`, table, type('text/csv'))
  t.same(body.table, {
    kind: 'edges',
    columns: ['weight', 'from', 'to', 'naïve "x"'],
    sourceColumn: 'to',
    targetColumn: 'naïve "x"',
    basis: 'choice'
  })
  t.match(
    await ada.post('/api/graphs/import', 'name,age\nann,34', type('text/csv')),
    problem(400, 'validation-failed', [{ code: 'ends-unclear', line: 1 }])
  )
  const people = 'name,age\nann,34'
  const ofNodes = await ada.post('/api/graphs/import?idColumn=name', people, type('text/csv'))
  t.equal(ofNodes.headers['graphstead-columns'], 'id=%"name"')
  const replaced = await ada.put('/api/graphs/1/content?idColumn=2', people, type('text/csv'))
  t.equal(replaced.headers['graphstead-columns'], 'id=%"age"')
  t.same((await ada.get('/api/graphs/1')).body.content.nodes, [{ id: '34', label: 'ann' }])
  const tables = [
    { name: 'nodes.csv', content: 'id,age\na,3' },
    { name: 'edges.csv', content: table }
  ]
  const reportOf = async (nodes: string) => {
    const several = zip([
      { name: 'nodes.csv', content: nodes },
      { name: 'edges.csv', content: 'from,to\na,b\nc,d\nd,e' }
    ])
    return (await ada.post('/api/graphs/import?dryRun=true', several, type('application/zip'))).body.losses
  }
  const missing = { code: 'node-not-in-table', detail: 'nodes that appear in edges but not in the node table' }
  t.same(await reportOf('id,age\na,3'), [{ ...missing, count: 4, detail: `${missing.detail}: "b", "c", "d", …` }])
  t.same(await reportOf('id,age\na,3\nb,4\nc,5\nd,6'), [{ ...missing, count: 1, detail: `${missing.detail}: "e"` }])
  const joined = await ada.post('/api/graphs/import', zip(tables), type('application/zip'))
  t.match(joined, { status: 201, body: { nodeCount: 3, edgeCount: 2 } })
  t.equal(joined.headers['graphstead-columns'], 'source=%"from", target=%"to", id=%"id"')
  t.equal(joined.headers['graphstead-loss'], 'node-not-in-table;n=2')
  t.equal((await ada.post('/api/graphs/import', graphml, type('text/xml'))).headers['graphstead-columns'], undefined)
})

t.test('a file with faults is refused; the response lists the first fifty, their lines and the total', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  const edges = Array.from({ length: 80 }, (_, index) => `<edge source="a" target="x${index}"/>`).join('\n')
  const file = `<graphml><graph edgedefault="directed"><node id="a"/>\n${edges}</graph></graphml>`
  const response = await ada.post('/api/graphs/import', file, type('application/graphml+xml'))
  t.match(response, problem(400, 'validation-failed'))
  t.equal(response.body.errors.length, 50)
  t.match(response.body.errors[49], { line: 51, column: 1, code: 'unknown-node' })
  t.match(
    response.body.detail,
    /^line 2, column 1: edge 1, "a" to "x0": target is not the id of a node; .*; and 77 more$/
  )
  t.equal(response.headers['graphstead-loss'], undefined)
  const empty = await ada.post('/api/graphs/import', '', type('text/csv'))
  t.match(empty, problem(400, 'validation-failed', [{ code: 'empty' }]))
  t.same(await events(store, 'GRAPH_CREATED'), [])
})

t.test('PUT /api/graphs/{id}/content replaces only the content', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  const created = await ada.post('/api/graphs', { ...triangle, type: 'T', description: 'D', shared: true })
  const response = await ada.put('/api/graphs/1/content', graphml, type('application/graphml+xml'))
  t.match(response, {
    status: 200,
    headers: { etag: /^"1-2-/ },
    body: { id: 1, name: 'Triangle', type: 'T', description: 'D', shared: true, version: 2, nodeCount: 2, edgeCount: 1 }
  })
  t.match(await events(store, 'GRAPH_UPDATED'), [
    { data: { 'nodeCount.old': '3', 'nodeCount.new': '2', 'version.old': '1', 'version.new': '2' } }
  ])
  for (const format of ['graphml', 'jgf', 'node-link', 'cytoscape', 'gexf', 'dot', 'csv']) {
    const { text } = await ada.get(`/api/graphs/1/content?format=${format}`)
    const same = await ada.put(`/api/graphs/1/content?format=${format}`, text, type('application/octet-stream'))
    t.match(same, { status: 200, body: { version: 2 } }, `the same as ${format}`)
  }

  const put = (login: string, id: number, headers = {}) =>
    as(login).put(`/api/graphs/${id}/content`, graphml, { ...type('application/graphml+xml'), ...headers })
  t.match(await put('bob', 1), problem(403, 'forbidden'))
  t.match(await put('ada', 9), problem(404, 'graph-not-found'))
  t.match(await put('ada', 1, { 'if-match': created.headers.etag }), problem(412, 'precondition-failed'))
  const { etag } = (await ada.get('/api/graphs/1/content?format=gml')).headers
  t.equal((await put('ada', 1, { 'if-match': etag })).status, 200, 'the ETag of a file identifies its state')
  t.match(await ada.put('/api/graphs/1/content', 'graph [', type('text/x-gml')), problem(400, 'validation-failed'))
  t.match((await ada.get('/api/graphs/1')).body, { version: 2 })
  t.match(await events(store, 'AUTHORIZATION_FAILURE'), [{ principal: 'bob', targetId: 1 }])
})

t.test('GET /api/graphs/{id}/content returns the requested format', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', triangle)
  const formatFor = async (accept: string | undefined, query = '') => {
    const { status, headers } = await ada.get(`/api/graphs/1/content${query}`, accept === undefined ? {} : { accept })
    return status === 200 ? headers['content-type']?.split(';')[0] : status
  }
  t.equal(await formatFor(undefined), 'application/json')
  t.equal(await formatFor('*/*'), 'application/json')
  t.equal(await formatFor('text/csv;q=0.5, application/gexf+xml;q=0.8, text/html'), 'application/gexf+xml')
  t.equal(await formatFor('application/gexf+xml;q=0, text/*'), 'text/x-gml')
  t.equal(await formatFor('text/html'), 406)
  t.equal(await formatFor('garbage'), 406)
  t.equal(await formatFor('text/html', '?format=dot'), 'text/vnd.graphviz')
  t.equal(await formatFor('*/*', '?format=visio'), 406)
  t.match(await ada.get('/api/graphs/1/content?form=dot'), problem(400, 'validation-failed', [{ parameter: 'form' }]))
  t.match(await ada.get('/api/graphs/1/content', { accept: 'text/html' }), {
    headers: { vary: 'Accept' },
    body: { code: 'format-not-acceptable', detail: /application\/graphml\+xml/ }
  })
  const file = await ada.get('/api/graphs/1/content?format=graphml')
  t.match(file, {
    status: 200,
    headers: {
      'content-disposition': 'attachment; filename=Triangle.graphml',
      'cache-control': 'private, no-cache',
      vary: 'Accept',
      etag: /^"1-1-[^"]+Z\.graphml"$/
    }
  })
  const known = { 'if-none-match': file.headers.etag as string }
  t.match(await ada.get('/api/graphs/1/content?format=graphml', known), { status: 304, text: '' })
  t.equal((await ada.get('/api/graphs/1/content?format=gml', known)).status, 200)
  t.match(await ada.head('/api/graphs/1/content?format=graphml'), { status: 200, text: '' })
  t.match(await as('bob').get('/api/graphs/1/content'), problem(404, 'graph-not-found'))
  t.match(await as('bob').get('/api/graphs/9/content', { accept: 'text/html' }), problem(404, 'graph-not-found'))
})

t.test('losses are reported in a header', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  const nodes = [
    { id: 'a', metadata: { list: [1], mixed: 'x' } },
    { id: 'b', metadata: { mixed: 5 } }
  ]
  await ada.post('/api/graphs', { name: 'g', content: { nodes, edges: [] } })
  t.equal(
    (await ada.get('/api/graphs/1/content?format=graphml')).headers['graphstead-loss'],
    'list-as-text;n=1, type-widened;n=1'
  )
  t.equal((await ada.get('/api/graphs/1/content?format=jgf')).headers['graphstead-loss'], undefined)
})

t.test('a graph without content is returned as an empty one', async (t) => {
  const { as } = await build(t)
  await as('ada').post('/api/graphs', { name: 'empty' })
  const { body } = await as('ada').get('/api/graphs/1/content')
  t.same([body.nodes, body.edges], [[], []])
})

t.test('file names are safe on every system', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  const names: [string, string][] = [
    ['../../etc/passwd', 'attachment; filename=etc-passwd.gml'],
    ['a"b\\c\r\nX-Evil: 1', 'attachment; filename="a-b-c-X-Evil- 1.gml"'],
    ['Les Misérables', `attachment; filename="Les Mis?rables.gml"; filename*=UTF-8''Les%20Mis%C3%A9rables.gml`],
    ['日本', `attachment; filename="??.gml"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.gml`],
    ['con', 'attachment; filename=graph.gml'],
    ['...', 'attachment; filename=graph.gml'],
    ['evil\u202elmg.exe', 'attachment; filename=evil-lmg.exe.gml']
  ]
  for (const [index, [name, disposition]] of names.entries()) {
    await ada.post('/api/graphs', { name })
    const { headers } = await ada.get(`/api/graphs/${index + 1}/content?format=gml`)
    t.equal(Buffer.from(headers['content-disposition'] as string, 'latin1').toString('latin1'), disposition, name)
  }
})

t.test('large graphs are streamed and can be read back unchanged', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  const nodes = Array.from({ length: 20_000 }, (_, index) => ({ id: `n${index}`, label: `é${index}` }))
  const edges = nodes
    .slice(1)
    .map(({ id }, index) => ({ source: `n${index}`, target: id, metadata: { weight: index / 2 } }))
  await ada.post('/api/graphs', { name: 'large', content: { directed: true, nodes, edges } })
  const file = await ada.get('/api/graphs/1/content?format=graphml')
  t.equal(file.headers['content-length'], undefined)
  const back = await ada.post('/api/graphs/import', file.text, type('application/graphml+xml'))
  t.match(back, { status: 201, body: { nodeCount: 20_000, edgeCount: 19_999 } })
  const { body } = await ada.get('/api/graphs/2')
  t.ok(JSON.stringify(body.content) === JSON.stringify({ directed: true, nodes, edges }))
})

t.test('a job ends if its client disconnects', async (t) => {
  const { app, as, tokenOf } = await build(t)
  const url = new URL(await app.listen({ port: 0 }))
  const token = await tokenOf('ada')
  // Takes several seconds to read.
  const file = Buffer.from(
    `Source,Target\n${Array.from({ length: 400_000 }, (_, index) => `n${index % 90_000},m${(index * 7) % 9}`).join('\n')}`
  )
  const head = `POST /api/graphs/import HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: text/csv\r\nContent-Length: ${file.length}\r\n\r\n`
  const push = () => {
    const socket = connect(Number(url.port), url.hostname)
    socket.on('error', () => {})
    socket.write(head)
    socket.write(file)
    return socket
  }
  for (let count = 0; count < 6; count++) {
    const socket = push()
    await new Promise((resolve) => setTimeout(resolve, 150))
    socket.destroy()
  }
  const small = await as('ada').post('/api/graphs/import', graphml.padEnd(100_000), type('application/graphml+xml'))
  t.match(small, { status: 201, body: { id: 1 } }, 'the next graph is read immediately, and no earlier one was stored')
})

t.test('a client that disconnects while a file is written does no harm', async (t) => {
  const { app, as, tokenOf } = await build(t)
  const ada = as('ada')
  const nodes = Array.from({ length: 30_000 }, (_, index) => ({ id: `n${index}`, label: `é${index}` }))
  await ada.post('/api/graphs', { name: 'large', content: { nodes, edges: [] } })
  const url = new URL(await app.listen({ port: 0 }))
  const head = `GET /api/graphs/1/content?format=graphml HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await tokenOf('ada')}\r\n\r\n`
  for (const wait of [1, 5, 10, 20, 40, 80, 160]) {
    const sockets = [0, 1].map(() => connect(Number(url.port), url.hostname))
    for (const socket of sockets) socket.on('error', () => {}).write(head)
    await new Promise((resolve) => setTimeout(resolve, wait))
    for (const socket of sockets) socket.destroy()
  }
  const file = await ada.get('/api/graphs/1/content?format=graphml')
  t.match(file, { status: 200, text: /<\/graphml>\n$/ })
})

const data = join(import.meta.dirname, '../../docs/examples')
t.test('the examples can be imported', async (t) => {
  const { as } = await build(t)
  for (const file of readdirSync(data).filter((name) => !name.endsWith('.md'))) {
    const bytes = readFileSync(join(data, file))
    t.equal((await as('ada').post('/api/graphs/import', bytes, type('application/octet-stream'))).status, 201, file)
  }
})

t.test('/api/graphs/import is not mistaken for a graph id', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  for (const response of [
    await ada.get('/api/graphs/import'),
    await ada.delete('/api/graphs/import?x=1'),
    await ada.patch('/api/graphs/import', {})
  ]) {
    t.match(response, { ...problem(405, 'method-not-allowed'), headers: { allow: 'OPTIONS, POST' } })
  }
  t.match(await ada.options('/api/graphs/import'), { status: 204, headers: { allow: 'OPTIONS, POST' } })
  t.match(await ada.options('/api/graphs/1/content'), { headers: { allow: 'GET, HEAD, OPTIONS, PATCH, PUT' } })
  t.match(await ada.post('/api/graphs/1/content', {}), problem(405, 'method-not-allowed'))
})
