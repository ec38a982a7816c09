import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import t, { type Test } from 'tap'
import { Graphstead, type GraphsteadOptions, ProblemError } from '../../clients/typescript/src/index.ts'
import { build, events, PASSWORD, triangle } from '../support/helper.ts'

// .ci/typescript_client.ts checks the package itself: its types, its README, and the client in a browser.

/** Starts a server, and returns it with clients for its users. */
async function serve(t: Test) {
  const built = await build(t)
  const url = await built.app.listen({ port: 0, host: '127.0.0.1' })
  const clientOf = async (login: string, options: GraphsteadOptions = {}) =>
    new Graphstead(url, { token: await built.tokenOf(login), ...options })
  return { ...built, url, clientOf }
}

/** Collects all rows of a list. */
async function all<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const found: Row[] = []
  for await (const row of rows) found.push(row)
  return found
}

const namesOf = async (rows: AsyncIterable<{ name?: string }>) => (await all(rows)).map(({ name }) => name).join()

/** Starts another server that is closed when the test ends. Returns its URL. */
async function listen(t: Test, answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Returns the problem that the promise is rejected with. */
async function problemOf(promise: Promise<unknown>): Promise<ProblemError> {
  const error = await promise.catch((error: unknown) => error)
  if (error instanceof ProblemError) return error
  throw new Error('the error is not a problem', { cause: error })
}

/** Returns a `fetch` that returns these responses in order, and then the server's. It records each request. */
function answering(...answers: Response[]) {
  const asked: string[] = []
  const fetch = async (url: string, init: RequestInit) => {
    asked.push(`${init.method} ${new URL(url).pathname}`)
    return answers.shift() ?? globalThis.fetch(url, init)
  }
  return { fetch, asked, retryDelay: 1 }
}

const refusal = (status: number, code?: string, headers: Record<string, string> = {}) =>
  new Response(code ? JSON.stringify({ status, code, detail: 'Not now.' }) : 'Not now.', { status, headers })

const graph = { ...triangle, shared: false }

const unstarted = () => new Graphstead('http://127.0.0.1:1', { token: 'gst_x' })

t.test('lists iterate over all pages and return each row once', async (t) => {
  const { as, clientOf } = await serve(t)
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    await as('ada').post('/api/graphs', { name, tags: ['all', ...(name < 'c' ? ['first'] : [])] })
  }
  const { fetch, asked } = answering()
  const ada = await clientOf('ada', { fetch })
  t.equal(await namesOf(ada.graphs({ size: 2, sort: ['name,desc'] })), 'e,d,c,b,a')
  t.equal(asked.length, 3, 'no page is fetched twice')
  t.equal(await namesOf(ada.graphs({ tags: ['all', 'first'] })), 'a,b')
  t.equal(await namesOf(ada.graphs({ tags: 'first', size: 1 })), 'a,b')
  t.equal(await namesOf(ada.graphs({ q: 'nothing' })), '')

  asked.length = 0
  for await (const { name } of ada.graphs({ size: 2 })) if (name === 'b') break
  t.equal(asked.length, 1, 'leaving the loop early stops fetching')
})

t.test('versions, tags, trash, groups, users and events are lists too', async (t) => {
  const { as, clientOf } = await serve(t)
  await as('ada').post('/api/graphs', { ...triangle, tags: ['x'] })
  for (const name of ['One', 'Two']) await as('ada').patch('/api/graphs/1', { name })
  await as('ada').post('/api/graphs', { name: 'Gone' })
  await as('ada').delete('/api/graphs/2')
  await as('root').post('/api/groups', { name: 'team' })
  const [ada, root] = [await clientOf('ada'), await clientOf('root')]
  t.match(await all(ada.versions(1, { size: 1 })), [{ version: 3 }, { version: 2 }, { version: 1 }])
  t.same(await all(ada.tags()), [{ tag: 'x', count: 1 }])
  t.equal(await namesOf(ada.trash()), 'Gone')
  t.equal(await namesOf(root.groups()), 'team')
  t.match(await all(root.users({ sort: ['login'] })), [{ login: 'ada' }, { login: 'root' }])
  const types = (await all(root.audits({ size: 2, sort: ['id'] }))).map(({ type }) => type)
  t.same(types, ['GRAPH_CREATED', 'GRAPH_UPDATED', 'GRAPH_UPDATED', 'GRAPH_CREATED', 'GRAPH_TRASHED', 'GROUP_CREATED'])
  const { code } = await problemOf(all(ada.audits()))
  t.equal(code, 'forbidden')
})

t.test('content is pulled as an object, or in a format with a list of losses', async (t) => {
  const { as, clientOf } = await serve(t)
  await as('ada').post('/api/graphs', triangle)
  const ada = await clientOf('ada')
  t.same(await ada.pull(1), triangle.content)
  const { text, mediaType, losses } = await ada.pull(1, { format: 'csv' })
  const { headers, text: csv } = await as('ada').get('/api/graphs/1/content?format=csv')
  t.same({ text, mediaType }, { text: csv, mediaType: 'text/csv' })
  const expected = [...(headers['graphstead-loss'] ?? '').matchAll(/([^ ,;]+);n=(\d+)/g)]
  t.ok(expected.length > 0)
  t.same(losses, Object.fromEntries(expected.map(([, code, count]) => [code, Number(count)])))
})

t.test('a push creates a graph under its key, then updates it; an identical push changes nothing', async (t) => {
  const { as, store, clientOf } = await serve(t)
  const ada = await clientOf('ada')
  const key = 'nightly/ä & b?'
  const first = await ada.push(key, triangle.content, { name: 'Triangle', shared: true, message: 'by night' })
  t.match(first, { created: true, graph: { id: 1, key, name: 'Triangle', shared: true, version: 1 } })
  t.same(first.losses, {})
  t.same(await ada.pull(key), triangle.content)
  const again = await ada.push(key, JSON.stringify(triangle.content))
  t.same(again, { ...first, created: false })
  t.equal((await events(store, 'GRAPH_CREATED')).length, 1)
  t.same(await events(store, 'GRAPH_UPDATED'), [])

  const files = [
    'source,target\na,b\n',
    new Blob(['source,target\na,c\n'], { type: 'application/x-unknown' }),
    new TextEncoder().encode('source,target\na,d\n'),
    new TextEncoder().encode('source,target\na,e\n').buffer
  ]
  for (const [index, file] of files.entries()) {
    const { graph, created } = await ada.push(key, file, { format: 'csv' })
    t.match({ graph, created }, { created: false, graph: { id: 1, version: index + 2, nodeCount: 2, edgeCount: 1 } })
  }
  t.equal((await all(ada.versions(key))).length, 5)
  t.equal((await ada.find(key)).graph.version, 5)
  t.same((await ada.pull(key, { format: 'csv' })).text, (await as('ada').get('/api/graphs/1/content?format=csv')).text)
  t.match(await problemOf(ada.find('other')), { status: 404, code: 'graph-not-found' })
})

t.test(
  'a conditional push is refused if the graph has another version, and each fault in a file is reported',
  async (t) => {
    const { as, clientOf } = await serve(t)
    const ada = await clientOf('ada')
    t.match(await problemOf(ada.push('k', 'a,b\n', { ifMatch: '*' })), { status: 412 })
    const { etag } = await ada.push('k', 'a,b\n', { format: 'edge-list' })
    t.equal((await ada.find('k')).etag, etag)
    const changed = await ada.push('k', 'a,c\n', { format: 'edge-list', ifMatch: etag })
    t.not(changed.etag, etag)
    const late = await problemOf(ada.push('k', 'a,d\n', { format: 'edge-list', ifMatch: etag }))
    t.match(late, { status: 412, code: 'precondition-failed' })
    const wrong = await problemOf(ada.push('k', 'graph [ node [ id 1 ] node [ id 1 ] ]', { format: 'gml' }))
    t.match(wrong, { status: 400, code: 'validation-failed', errors: [{ line: 1, code: 'duplicate-id' }] })
    await as('ada').delete('/api/graphs/1')
    t.match(await problemOf(ada.push('k', 'a,d\n')), { status: 409, code: 'graph-in-trash' })
  }
)

t.test('a push with an unknown outcome is retried, unless it is conditional', async (t) => {
  const { clientOf } = await serve(t)
  const unknown = () => answering(refusal(503, 'outcome-unknown'))
  const pushing = unknown()
  const pushed = await (await clientOf('ada', pushing)).push('k', new Blob(['a,b\n']), { format: 'edge-list' })
  t.match(pushed, { created: true, graph: { nodeCount: 2 } })
  t.equal(pushing.asked.length, 2)
  const conditional = unknown()
  const client = await clientOf('ada', conditional)
  const { code } = await problemOf(client.push('k', 'a,c\n', { format: 'edge-list', ifMatch: pushed.etag }))
  t.equal(code, 'outcome-unknown')
  t.equal(conditional.asked.length, 1)
})

t.test('an API token can read and write as its scopes allow', async (t) => {
  const { as, url } = await serve(t)
  const made = await as('ada').post('/api/account/tokens', {
    name: 'reader',
    scopes: ['read:graphs'],
    password: PASSWORD
  })
  const reader = new Graphstead(url, { token: `${made.body.token}\n` })
  t.same(await all(reader.graphs()), [])
  t.match(await problemOf(reader.push('k', 'a,b\n')), { status: 403, code: 'scope-missing' })
  await as('ada').delete(`/api/account/tokens/${made.body.id}`)
  t.match(await problemOf(all(reader.graphs())), { status: 401, code: 'token-invalid' })
})

t.test('refusals are exceptions with status, code, faults and request id', async (t) => {
  const { clientOf, url } = await serve(t)
  const ada = await clientOf('ada')
  const missing = await problemOf(ada.pull(99))
  t.match(missing, { name: 'ProblemError', status: 404, code: 'graph-not-found' })
  t.match(missing.message, /^404 graph-not-found: ./)
  t.match(missing.requestId, /^[0-9a-f-]{36}$/)
  t.same(missing.errors, [])
  const wrong = await problemOf(ada.api.POST('/api/graphs', { body: { ...graph, name: '' } }))
  t.match(wrong, { status: 400, code: 'validation-failed' })
  t.equal(wrong.errors[0]?.pointer, '#/name')
  t.match(await problemOf(all(new Graphstead(url).graphs())), { status: 401 })
  const page = new Graphstead(`${url}/graphs`, { fetch: answering(new Response('<html>', html)).fetch })
  t.match(await problemOf(page.pull(1)), { code: 'not-graphstead' })
})
const html = { headers: { 'content-type': 'text/html; charset=utf-8' } }

t.test('the typed operations accept conditions and return 304', async (t) => {
  const { clientOf } = await serve(t)
  const ada = await clientOf('ada')
  const { data, response } = await ada.api.POST('/api/graphs', { body: graph })
  t.match(data, { id: 1, nodeCount: 3 })
  const etag = response.headers.get('etag') ?? ''
  const params = { path: { id: 1 }, header: { 'if-none-match': etag } }
  t.equal((await ada.api.GET('/api/graphs/{id}', { params })).response.status, 304)
  const renamed = { params: { path: { id: 1 }, header: { 'if-match': etag } }, body: { name: 'New' } }
  t.match((await ada.api.PATCH('/api/graphs/{id}', renamed)).data, { name: 'New' })
  t.equal((await problemOf(ada.api.PATCH('/api/graphs/{id}', renamed))).code, 'precondition-failed')
})

t.test('429 and 503 are retried, and the request takes effect once', async (t) => {
  const { clientOf, as } = await serve(t)
  const sending = answering(refusal(503, 'server-busy', { 'retry-after': '0' }), refusal(429, 'too-many-requests'))
  const ada = await clientOf('ada', sending)
  t.match((await ada.api.POST('/api/graphs', { body: graph })).data, { id: 1, nodeCount: 3 })
  t.equal(sending.asked.length, 3)
  t.equal((await as('ada').get('/api/graphs')).body.length, 1)

  const refusals = Array.from({ length: 9 }, () => refusal(503, 'server-busy'))
  const busy = answering(...refusals)
  t.match(await problemOf((await clientOf('ada', { ...busy, retries: 2 })).pull(1)), { code: 'server-busy' })
  t.equal(busy.asked.length, 3)
  const never = answering(refusal(503, 'server-busy'))
  await problemOf((await clientOf('ada', { ...never, retries: 0 })).pull(1))
  t.equal(never.asked.length, 1)
})

t.test('a request with an unknown outcome is retried only if it is a read', async (t) => {
  const { clientOf } = await serve(t)
  for (const answers of [[refusal(503, 'outcome-unknown')], [refusal(503)]]) {
    const copies = () => answers.map((answer) => answer.clone())
    const posting = answering(...copies())
    const client = await clientOf('ada', posting)
    t.match(await problemOf(client.api.POST('/api/graphs', { body: graph })), { status: 503 })
    t.equal(posting.asked.length, 1)
    const reading = answering(...copies())
    t.same(await all((await clientOf('ada', reading)).graphs()), [])
    t.equal(reading.asked.length, 2)
  }
  for (const [status, code] of [
    [502, 'unknown'],
    [500, 'internal-error']
  ] as const) {
    const failing = answering(refusal(status, code === 'unknown' ? undefined : code))
    t.match(await problemOf((await clientOf('ada', failing)).pull(1)), { status, code })
    t.equal(failing.asked.length, 1)
  }
})

t.test('a wait of more than a minute is an exception that has the delay', async (t) => {
  const { clientOf } = await serve(t)
  const closed = answering(refusal(503, 'server-busy', { 'retry-after': '3600' }))
  t.match(await problemOf((await clientOf('ada', closed)).pull(1)), { code: 'server-busy', retryAfter: 3600 })
  const later = new Date(Date.now() + 7_200_000).toUTCString()
  const dated = answering(refusal(503, 'server-busy', { 'retry-after': later }))
  const { retryAfter } = await problemOf((await clientOf('ada', dated)).pull(1))
  t.ok(retryAfter && retryAfter > 3600 && retryAfter <= 7200)
})

t.test('retries back off exponentially, and wait at least as long as Retry-After', async (t) => {
  const pauses: number[] = []
  t.intercept(globalThis, 'setTimeout', {
    value: (run: () => void, milliseconds: number) => {
      pauses.push(milliseconds)
      setImmediate(run)
    }
  })
  const fetch = async () => refusal(503, 'server-busy', pauses.length === 1 ? { 'retry-after': '30' } : {})
  await problemOf(new Graphstead('http://127.0.0.1:1', { fetch }).pull(1))
  const shortest = [500, 30_000, 2000, 4000]
  t.equal(pauses.length, shortest.length)
  for (const [index, pause] of pauses.entries()) {
    const least = shortest[index] ?? 0
    t.ok(pause >= least && pause <= least * 1.25, `${pause} for ${least}`)
  }
})

t.test(
  'a client with a token sends no session cookie, and one without a token sends the cookie of its page',
  async (t) => {
    const sent: unknown[] = []
    const fetch = async (_: string, { credentials, headers }: RequestInit) => {
      sent.push([credentials, new Headers(headers).get('authorization')])
      return new Response('[]')
    }
    for (const token of ['gst_x', undefined]) await all(new Graphstead('http://127.0.0.1:1', { token, fetch }).graphs())
    t.same(sent, [
      ['omit', 'Bearer gst_x'],
      ['same-origin', null]
    ])
  }
)

t.test('a signal cancels a request or the wait before a retry', async (t) => {
  const stopped = AbortSignal.abort(new Error('enough'))
  await t.rejects(unstarted().pull(1, { signal: stopped }), { message: 'enough' })
  await t.rejects(all(unstarted().graphs({}, { signal: stopped })), { message: 'enough' })
  const stop = new AbortController()
  const fetch = async () => {
    setImmediate(() => stop.abort(new Error('enough')))
    return refusal(503, 'server-busy', { 'retry-after': '50' })
  }
  await t.rejects(new Graphstead('http://127.0.0.1:1', { fetch }).pull(1, { signal: stop.signal }), {
    message: 'enough'
  })
})

t.test('a request without a response times out', async (t) => {
  const url = await listen(t, () => {})
  await t.rejects(new Graphstead(url, { timeout: 20 }).pull(1), { name: 'TimeoutError' })
})

t.test('the token is not sent to another origin', async (t) => {
  const seen: (string | undefined)[] = []
  const target = await listen(t, (request, response) => {
    seen.push(request.headers.authorization)
    response.end('[]')
  })
  const url = await listen(t, (_, response) => {
    response.writeHead(307, { location: `${target}/api/graphs` }).end()
  })
  const client = new Graphstead(url, { token: 'gst_secret' })
  t.match(await problemOf(all(client.graphs())), { status: 307, code: 'redirected' })
  await t.rejects(client.api.GET('/api/graphs', { baseUrl: target }), { name: 'TypeError' })
  t.same(seen, [])
})

t.test('the token appears neither in errors nor in inspected objects', async (t) => {
  const secret = 'gst_5ecret'
  const broken = await listen(t, (request) => {
    request.socket.destroy()
  })
  const client = new Graphstead(broken, { token: secret })
  const refused = new Graphstead('http://127.0.0.1:1', { token: secret, fetch: async () => refusal(401, 'x') })
  const said = [
    inspect(client, { depth: 20, showHidden: true }),
    JSON.stringify(client),
    inspect(await client.pull(1).catch((error: unknown) => error), { depth: 20, showHidden: true }),
    inspect(await problemOf(refused.pull(1)), { depth: 20, showHidden: true })
  ].join('\n')
  t.match(said, /ProblemError/)
  t.notMatch(said, secret)
  for (const token of [`${secret}\nx`, `${secret} x`, '']) {
    const make = () => new Graphstead('http://127.0.0.1:1', { token })
    t.throws(make, { message: 'The token is empty or contains invalid characters.' })
  }
})

t.test('the URL of a server may have a path, but no password', async (t) => {
  const sending = answering(new Response('[]'), new Response('[]'))
  for (const address of ['https://example.org/graphs/', new URL('https://example.org/graphs')]) {
    const client = new Graphstead(address, sending)
    t.equal(client.url, 'https://example.org/graphs')
    await all(client.graphs())
  }
  t.same(sending.asked, ['GET /graphs/api/graphs', 'GET /graphs/api/graphs'])
  t.throws(() => new Graphstead('https://ada:secret@example.org'), { message: /^(?!.*secret).*token/ })
  t.throws(() => new Graphstead('ftp://example.org'), { name: 'TypeError' })
})
