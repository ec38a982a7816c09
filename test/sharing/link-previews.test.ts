import t, { type Test } from 'tap'
import type { Link } from '../../schemas/link.ts'
import type { Settings } from '../../schemas/settings.ts'
import { build, events, PASSWORD, problem, type Reply, triangle } from '../support/helper.ts'

// The preview picture of a link, for programs that display links. These programs have the URL but not the secret.

const links = '/api/graphs/1/links'
const unknown = 'u'.repeat(22)

/** Starts a server with two versions of a graph owned by ada, and a link to the first version. */
async function prepare(t: Test, body: object = { version: 1, preview: true }, settings: Partial<Settings> = {}) {
  const server = await build(t, settings)
  const [ada, visitor] = [server.as('ada'), server.as()]
  await ada.post('/api/graphs', triangle)
  await ada.put('/api/graphs', { ...triangle, id: 1, version: 1, content: { nodes: [{ id: 'a' }], edges: [] } })
  const made = await ada.post(links, body)
  t.equal(made.status, 201, made.text)
  const link: Link = made.body
  return { ...server, ada, visitor, link, path: `/s/${link.publicId}/preview.png` }
}

/** Returns the parts of a response that strangers can compare. */
function look({ status, headers, text }: Reply) {
  const { 'x-request-id': _, date: __, 'content-length': ___, ...rest } = headers
  return { status, headers: rest, text: text.replaceAll(/urn:uuid:[0-9a-f-]+/g, '') }
}

t.test(
  "with the owner's permission, a link has a preview without the secret, which reveals nothing else",
  async (t) => {
    const { app, ada, visitor, store, path } = await prepare(t)
    const before = await events(store)
    const { statusCode, headers, rawPayload } = await app.inject({ url: path })
    t.equal(statusCode, 200)
    t.equal(rawPayload.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n')
    t.same([rawPayload.readUInt32BE(16), rawPayload.readUInt32BE(20)], [1200, 630])
    t.same(
      ['content-type', 'cache-control', 'cross-origin-resource-policy', 'set-cookie'].map((name) => headers[name]),
      ['image/png', 'private, no-cache', 'cross-origin', undefined]
    )
    t.match(headers.etag, /^"[\w-]{43}"$/, 'the ETag contains no id, version or time of the graph')
    t.equal((await visitor.head(path)).status, 200)
    t.equal((await visitor.get(path, { 'if-none-match': String(headers.etag) })).status, 304)
    t.equal((await visitor.get(`${path}?width=64`)).headers.etag, headers.etag, 'the preview is the same for everyone')
    t.match(await visitor.post(path), problem(405, 'method-not-allowed'))
    t.same(await events(store), before, 'no event is recorded, since the link was not opened')
    t.match((await ada.get(links)).body, [{ openCount: 0 }])
  }
)

for (const [state, happens] of Object.entries<(server: Awaited<ReturnType<typeof prepare>>) => Promise<unknown>>({
  'not allowed': ({ ada }) => ada.patch(`${links}/1`, { preview: false }),
  'with a password': ({ store }) =>
    store.write((trx) => trx.updateTable('link').set({ passwordHash: 'any' }).execute()),
  // links.test.ts covers the other states in which a link shows nothing.
  expired: ({ store }) =>
    store.write((trx) => trx.updateTable('link').set({ expiresAt: '2020-01-01T00:00:00.000Z' }).execute()),
  revoked: ({ ada }) => ada.delete(`${links}/1`)
})) {
  t.test(`the preview of a link ${state} is not found by the next request, like that of a missing link`, async (t) => {
    const server = await prepare(t)
    const { visitor, path } = server
    t.equal((await visitor.get(path)).status, 200)
    await happens(server)
    const answer = await visitor.get(path)
    t.match(answer, problem(404, 'link-not-found'))
    const none = await visitor.get(`/s/${unknown}/preview.png`)
    t.same(look(answer), look(none))
  })
}

t.test('there are no previews if links are disabled, or under other names', async (t) => {
  const { visitor, path, app } = await prepare(t)
  for (const name of [unknown, '%00', 'a', '..%2f', 'a'.repeat(90)])
    t.match(await visitor.get(`/s/${name}/preview.png`), problem(404, 'link-not-found'))
  t.equal((await app.inject({ url: path.replace('.png', '.svg') })).statusCode, 404)
  const off = await build(t, { links: 'off' })
  t.match(await off.as().get(`/s/${unknown}/preview.png`), problem(404, 'link-not-found'))
})

t.test('a link cannot have both a password and a preview, however these are set', async (t) => {
  const { ada, visitor, path, store } = await prepare(t)
  const refused = problem(400, 'validation-failed')
  const change = (body: object) => ada.patch(`${links}/1`, body)
  const answer = await change({ password: PASSWORD })
  t.match(answer, refused)
  t.match(answer.body.errors, [{ pointer: '#/preview', code: 'has-password' }])
  t.equal((await visitor.get(path)).status, 200, 'the preview is unchanged')
  t.match((await change({ password: PASSWORD, preview: false })).body, { hasPassword: true, preview: false })
  t.match(await change({ preview: true }), refused)
  t.match((await change({ password: null, preview: true })).body, { hasPassword: false, preview: true })
  const told = (await events(store)).filter(({ type }) => type.startsWith('LINK_'))
  const state = (side: 'old' | 'new', hasPassword: boolean) => ({
    [`hasPassword.${side}`]: String(hasPassword),
    [`preview.${side}`]: String(!hasPassword)
  })
  t.same(
    told.map(({ type, data }) => [type, data]),
    [
      ['LINK_CREATED', { link: '1', 'version.new': '1', 'downloads.new': 'false', ...state('new', false) }],
      ['LINK_UPDATED', { link: '1', ...state('old', false), ...state('new', true) }],
      ['LINK_UPDATED', { link: '1', ...state('old', true), ...state('new', false) }]
    ]
  )
})

t.test('the page of a link always contains an absolute preview URL, even if there is no preview', async (t) => {
  const { ada, visitor, link } = await prepare(t, { preview: true }, { publicUrl: 'https://graphs.example.org' })
  const other = (await ada.post(links, {})).body.publicId
  const tagsOf = async (name: string) => {
    const { text, headers } = await visitor.get(`/s/${name}`)
    t.equal(headers['content-type'], 'text/html; charset=utf-8')
    return Object.fromEntries(
      [...text.matchAll(/<meta (?:property|name)="((?:og|twitter):[^"]*)" content="([^"]*)">/g)].map(
        ([, property, content]) => [property, content]
      )
    )
  }
  const fixed = {
    'og:type': 'website',
    'og:site_name': 'Graphstead',
    'og:title': 'A graph',
    'og:description': 'Open the link to view the graph.'
  }
  const pictured = (name: string) => ({
    ...fixed,
    'og:image': `https://graphs.example.org/s/${name}/preview.png`,
    'og:image:type': 'image/png',
    'og:image:width': '1200',
    'og:image:height': '630',
    'twitter:card': 'summary_large_image'
  })
  for (const name of [link.publicId, other, unknown]) t.same(await tagsOf(name), pictured(name))
  t.same(await tagsOf('%22%3E%3Cscript%3E'), pictured('%22%3E%3Cscript%3E'), 'the id is encoded as in the URL')
  const local = await prepare(t)
  const { text } = await local.visitor.get(`/s/${local.link.publicId}`)
  t.notMatch(text, /og:image|twitter:/, 'a server without a public URL emits no preview tags')
  t.notMatch(text, /og:url|canonical/, 'there is no canonical URL, since it would lack the secret')
})

t.test('strangers who request previews are throttled, and each preview is drawn once', async (t) => {
  const { visitor, path } = await prepare(t, { preview: true }, { rateAddress: 10 })
  const answers = await Promise.all(Array.from({ length: 120 }, () => visitor.get(path)))
  const counts = Map.groupBy(answers, ({ status }) => status)
  t.same([...counts.keys()].sort(), [200, 429])
  t.equal(new Set(counts.get(200)?.map(({ text }) => text)).size, 1)
  t.match(counts.get(429)?.[0], problem(429, 'too-many-requests'))
})
