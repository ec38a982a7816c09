import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { zstdDecompressSync } from 'node:zlib'
import t from 'tap'
import { build } from '../support/helper.ts'

const content = {
  directed: true,
  nodes: Array.from({ length: 3000 }, (_, index) => ({ id: `n${index}`, label: `Knoten ${index} é` })),
  edges: []
}

t.test('large content is sent compressed to clients that accept zstd, and uncompressed to other clients', async (t) => {
  const { app, as, tokenOf } = await build(t)
  const ada = as('ada')
  const created = await ada.post('/api/graphs', { name: 'Large', content })
  const plain = await ada.get('/api/graphs/1')
  t.same(plain.body, created.body)
  t.same(plain.body.content, content)
  t.match(plain.headers, { 'content-type': 'application/json; charset=utf-8', vary: 'Accept-Encoding' })
  t.equal(plain.headers['content-encoding'], undefined)
  t.equal(plain.headers['content-length'], String(Buffer.byteLength(plain.text)))
  t.same((await ada.get('/api/graphs/1')).text, plain.text, 'the cached response is the same')

  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const token = await tokenOf('ada')
  const fetchPacked = (encodings: string) =>
    new Promise<{ headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'accept-encoding': encodings }
      get({ port, host: '127.0.0.1', path: '/api/graphs/1', headers }, (message) => {
        buffer(message).then((body) => resolve({ headers: message.headers, body }), reject)
      }).on('error', reject)
    })
  const packed = await fetchPacked('gzip, zstd;q=0.5')
  t.match(packed.headers, { 'content-encoding': 'zstd', vary: 'Accept-Encoding' })
  t.ok(packed.body.length < plain.text.length / 3, `${packed.body.length} of ${plain.text.length}`)
  t.equal(zstdDecompressSync(packed.body).toString(), plain.text, 'the decompressed response is the same')
  t.not(packed.headers.etag, plain.headers.etag, 'each representation has its own ETag (RFC 9110, section 8.8.3)')
  for (const refusal of ['gzip', 'zstd;q=0', 'identity']) {
    t.equal((await fetchPacked(refusal)).headers['content-encoding'], undefined, refusal)
  }

  for (const tag of [plain.headers.etag, packed.headers.etag] as string[]) {
    t.match(await ada.get('/api/graphs/1', { 'if-none-match': tag }), { status: 304, headers: { etag: tag } })
  }
  const head = await ada.head('/api/graphs/1')
  t.match(head, { status: 200, text: '', headers: { etag: plain.headers.etag } })
  t.match(await ada.patch('/api/graphs/1', { name: 'Renamed' }, { 'if-match': packed.headers.etag as string }), {
    status: 200,
    body: { name: 'Renamed', version: 2, content }
  })
  t.match(await ada.patch('/api/graphs/1', { name: 'Again' }, { 'if-match': packed.headers.etag as string }), {
    status: 412
  })
})

t.test('replaced content is never returned for another graph', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  const other = (label: string) => ({ ...content, label })
  await ada.post('/api/graphs', { name: 'Large', content: other('first') })
  t.equal((await ada.get('/api/graphs/1')).body.content.label, 'first')
  for (const label of ['second', 'third', 'fourth']) {
    await ada.put('/api/graphs', { id: 1, name: 'Large', content: other(label) })
    t.equal((await ada.get('/api/graphs/1')).body.content.label, label)
  }
  await ada.delete('/api/graphs/1')
  await ada.post('/api/graphs', { name: 'Another', content: other('another') })
  t.equal((await ada.get('/api/graphs/2')).body.content.label, 'another')
})

t.test('a long list of graphs is streamed completely', async (t) => {
  const { as, store } = await build(t)
  await as('bob').get('/api/account')
  const now = new Date().toISOString()
  const common = {
    nodeCount: 0,
    edgeCount: 0,
    contentId: null,
    version: 1,
    sortName: '',
    searchText: '',
    createdAt: now,
    updatedAt: now,
    principal: 'bob',
    bytes: 0,
    tags: '[]'
  }
  await store.write(async (trx) => {
    for (let index = 0; index < 1500; index++) {
      const row = { ...common, name: `g${index}`, type: null, description: null, owner: 'bob', shared: index % 3 !== 0 }
      await trx.insertInto('graph').values(row).execute()
    }
  })
  const mine = await as('bob').get('/api/mygraphs')
  t.match(mine, { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } })
  t.same(
    mine.body.map(({ name }: { name: string }) => name),
    Array.from({ length: 1500 }, (_, index) => `g${index}`)
  )
  const shared = await as('ada').get('/api/mygraphs')
  t.equal(shared.body.length, 1000)
  t.ok(shared.body.every(({ shared }: { shared: boolean }) => shared))
})
