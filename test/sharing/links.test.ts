import t, { type Test } from 'tap'
import { system } from '../../db/actors.ts'
import { removeVersions } from '../../db/graphs/versions.ts'
import { createLink } from '../../db/sharing/links.ts'
import type { Link } from '../../schemas/link.ts'
import type { Settings } from '../../schemas/settings.ts'
import { beforeNextTransaction } from '../support/held-transactions.ts'
import { build, type Client, events, PASSWORD, problem, type Reply, triangle } from '../support/helper.ts'

const links = '/api/graphs/1/links'
const wiki = 'https://wiki.example.org'

/** Starts a server with two graphs owned by ada, and returns it with clients. */
async function prepare(t: Test, settings: Partial<Settings> = {}) {
  const server = await build(t, settings)
  const [ada, visitor] = [server.as('ada'), server.as()]
  const added = await ada.post('/api/graphs', { ...triangle, type: 'shape', tags: ['east'], description: 'Three' })
  t.equal(added.status, 201)
  await ada.patch('/api/graphs/1', { name: 'Second' })
  return { ...server, ada, visitor }
}

async function newLink(ada: Client, body: object = {}): Promise<Link & { secret: string }> {
  const { status, body: link, text } = await ada.post(links, body)
  if (status !== 201) throw new Error(text)
  return { ...link, secret: secretOf(link) }
}

const secretOf = ({ url }: Link) => url.split('#')[1] ?? ''
const open = (visitor: Client, { publicId }: Pick<Link, 'publicId'>, body: object) =>
  visitor.post(`/api/links/${publicId}/open`, body)

/** Opens the link. Returns a header with its token. */
async function tokenOf(visitor: Client, link: Link, password?: string) {
  const { status, body, text } = await open(visitor, link, { secret: secretOf(link), ...(password && { password }) })
  if (status !== 200) throw new Error(text)
  return { authorization: `Bearer ${body.token}` }
}

/** Returns the parts of a response that visitors can compare. */
function look({ status, headers, text }: Reply) {
  const { 'x-request-id': _, date: __, ...rest } = headers
  return { status, headers: rest, text: text.replaceAll(/urn:uuid:[0-9a-f-]+/g, '').replaceAll(/s\/[\w-]{22}/g, '') }
}

t.test('owners and administrators create, list, change and revoke links, and each change is one event', async (t) => {
  const { as, ada, store } = await prepare(t)
  const root = as('root')
  t.same((await ada.get(links)).body, [], 'there are no links at first')
  const made = await ada.post(links, {
    name: 'For the paper',
    version: 1,
    expiresAt: '2100-01-01T00:00:00+01:00',
    password: PASSWORD,
    origins: ['https://Wiki.Example.org:443/', wiki, 'http://localhost:3000'],
    downloads: true
  })
  t.equal(made.status, 201)
  t.equal(made.headers.location, `${links}/1`)
  const { createdAt, publicId, url, ...rest } = made.body as Link
  t.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  t.match(publicId, /^[\w-]{22}$/)
  t.match(url, new RegExp(`^/s/${publicId}#[\\w-]{43}$`))
  const first = {
    id: 1,
    name: 'For the paper',
    version: 1,
    expiresAt: '2099-12-31T23:00:00.000Z',
    hasPassword: true,
    origins: [wiki, 'http://localhost:3000'],
    downloads: true,
    preview: false,
    createdBy: 'ada',
    openCount: 0
  }
  t.same(rest, first)
  const allowed = { hasPassword: false, origins: [], downloads: false, preview: false }
  const plain = { id: 2, ...allowed, createdBy: 'root', openCount: 0 }
  const { createdAt: _, publicId: __, url: ___, ...second } = (await root.post(links, {})).body
  t.same(second, plain)
  t.same((await ada.get(links)).body[0], made.body, 'the list shows the link with its secret')

  const again = await ada.patch(`${links}/1`, made.body)
  t.same([again.status, again.body], [200, made.body], 'a fetched link can be sent back')
  const changed = await ada.patch(`${links}/1`, {
    name: null,
    version: 2,
    origins: null,
    password: 'another password'
  })
  t.same([changed.status, changed.body], [200, { ...omit(made.body, 'name'), version: 2, origins: [] }])
  const open = await root.patch(`${links}/1`, { version: null, expiresAt: null, password: null, downloads: false })
  t.same(open.body, {
    ...omit(made.body, 'name', 'version', 'expiresAt'),
    origins: [],
    downloads: false,
    hasPassword: false
  })
  t.equal((await ada.delete(`${links}/2`)).status, 204)
  t.match(await ada.delete(`${links}/2`), problem(404, 'link-not-found'))
  t.match(await ada.patch(`${links}/2`, {}), problem(404, 'link-not-found'))
  t.same(
    (await ada.get(links)).body.map(({ id }: Link) => id),
    [1]
  )
  const told = (await events(store)).filter(({ type }) => type.startsWith('LINK_'))
  for (const { outcome, targetType, targetId, targetName } of told)
    t.same([outcome, targetType, targetId, targetName], ['SUCCESS', 'GRAPH', 1, 'Second'])
  const origins = `${wiki} http://localhost:3000`
  const state = (side: 'old' | 'new', hasPassword: boolean, downloads: boolean) => ({
    [`hasPassword.${side}`]: String(hasPassword),
    [`downloads.${side}`]: String(downloads)
  })
  t.same(
    told.map(({ type, principal, data: { link, ...data } }) => [`${type} ${link} ${principal}`, data]),
    [
      [
        'LINK_CREATED 1 ada',
        {
          'name.new': 'For the paper',
          'version.new': '1',
          'expiresAt.new': first.expiresAt,
          ...state('new', true, true),
          'origins.new': origins,
          'preview.new': 'false'
        }
      ],
      ['LINK_CREATED 2 root', { ...state('new', false, false), 'preview.new': 'false' }],
      [
        'LINK_UPDATED 1 ada',
        {
          'name.old': 'For the paper',
          'version.old': '1',
          'version.new': '2',
          'origins.old': origins,
          password: 'replaced'
        }
      ],
      [
        'LINK_UPDATED 1 root',
        {
          'version.old': '2',
          'expiresAt.old': first.expiresAt,
          ...state('old', true, true),
          ...state('new', false, false)
        }
      ],
      ['LINK_REVOKED 2 ada', { ...state('old', false, false), 'preview.old': 'false' }]
    ]
  )
})

function omit(link: Link, ...names: string[]) {
  return Object.fromEntries(Object.entries(link).filter(([name]) => !names.includes(name)))
}

t.test('readers and writers cannot manage links, and others get 404', async (t) => {
  const { as, ada, store } = await prepare(t)
  const { id } = await newLink(ada)
  const [bob, wanda] = [as('bob'), as('wanda')]
  const ask = async (client: Client) => [
    await client.get(links),
    await client.post(links, {}),
    await client.patch(`${links}/${id}`, { downloads: true }),
    await client.delete(`${links}/${id}`)
  ]
  for (const answer of await ask(bob)) t.match(answer, problem(404, 'graph-not-found'))
  await bob.get('/api/graphs')
  await wanda.get('/api/graphs')
  await ada.put('/api/graphs/1/access/users/bob', { access: 'READ' })
  await ada.put('/api/graphs/1/access/users/wanda', { access: 'WRITE' })
  for (const client of [bob, wanda]) for (const answer of await ask(client)) t.match(answer, problem(403, 'forbidden'))
  await ada.post('/api/graphs', triangle)
  t.match(
    await ada.delete(`/api/graphs/2/links/${id}`),
    problem(404, 'link-not-found'),
    'a link of another graph is not found'
  )
  t.match(await ada.patch(`/api/graphs/2/links/${id}`, {}), problem(404, 'link-not-found'))
  t.equal((await ada.get(links)).body.length, 1)
  t.equal((await events(store, 'LINK_UPDATED')).length, 0)
  await ada.patch('/api/graphs/1', { owner: 'bob' })
  t.match((await bob.get(links)).body, [{ id, createdBy: 'ada' }], 'links move with the graph to a new owner')
})

t.test('a refused link has a fault for each invalid field', async (t) => {
  const { ada, store } = await prepare(t)
  const { id } = await newLink(ada)
  const refused: [object, string, string][] = [
    [{ name: '' }, '#/name', 'too-short'],
    [{ name: ' ' }, '#/name', 'malformed'],
    [{ name: 7 }, '#/name', 'wrong-type'],
    [{ version: 0 }, '#/version', 'too-small'],
    [{ version: '1' }, '#/version', 'wrong-type'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, '#/expiresAt', 'out-of-range'],
    [{ expiresAt: 'tomorrow' }, '#/expiresAt', 'malformed'],
    [{ password: 'short' }, '#/password', 'too-short'],
    [{ downloads: null }, '#/downloads', 'wrong-type'],
    [{ downloads: 'yes' }, '#/downloads', 'wrong-type'],
    [{ preview: null }, '#/preview', 'wrong-type'],
    [{ preview: true, password: PASSWORD }, '#/preview', 'has-password'],
    [{ origins: wiki }, '#/origins', 'wrong-type'],
    [{ origins: Array(21).fill(wiki) }, '#/origins', 'malformed'],
    ...[
      ...['wiki.example.org', `${wiki}/page`, `${wiki}?a`, `${wiki}#a`, `${wiki} https://b.example`, 'null', '*'],
      ...['https://ada@example.org', 'https://*.example.org', 'ftp://example.org', 'https://[::1]'],
      ...['https://a;script-src', "https://a'b", 'data:text/html,a']
    ].map((origin): [object, string, string] => [{ origins: [wiki, origin] }, '#/origins/1', 'malformed']),
    ...['creator', 'createdby', 'graphId', 'role', 'salt', 'secret', 'passwordHash', 'tokenVersion', '__proto__x'].map(
      (name): [object, string, string] => [{ [name]: 1 }, `#/${name}`, 'unknown-field']
    )
  ]
  for (const [body, pointer, code] of refused) {
    for (const answer of [await ada.post(links, body), await ada.patch(`${links}/${id}`, body)]) {
      t.match(answer, problem(400, 'validation-failed', [{ pointer, code }]), JSON.stringify(body))
    }
  }
  for (const answer of [await ada.post(links, { version: 9 }), await ada.patch(`${links}/1`, { version: 9 })]) {
    t.match(answer, problem(404, 'version-not-found', [{ pointer: '#/version', code: 'version-not-found' }]))
  }
  for (let number = 1; number < 100; number++) await newLink(ada)
  t.match(await ada.post(links, {}), problem(409, 'too-many-links'))
  t.equal((await ada.get(links)).body.length, 100)
  t.equal((await events(store, 'LINK_CREATED')).length, 100)
})

t.test('link URLs begin with --public-url', async (t) => {
  const { ada } = await prepare(t, { publicUrl: 'https://graphs.example.org' })
  t.match((await newLink(ada)).url, /^https:\/\/graphs\.example\.org\/s\/[\w-]{22}#[\w-]{43}$/)
})

type Server = Awaited<ReturnType<typeof prepare>>

/** The ways in which a link stops showing its graph. */
const ends: Record<string, (server: Server) => Promise<unknown>> = {
  expired: ({ store }) =>
    store.write((trx) => trx.updateTable('link').set({ expiresAt: new Date().toISOString() }).execute()),
  revoked: ({ ada }) => ada.delete(`${links}/1`),
  'of a trashed graph': ({ ada }) => ada.delete('/api/graphs/1'),
  'of a deleted graph': async ({ ada }) => {
    await ada.delete('/api/graphs/1')
    await ada.delete('/api/trash/1')
  },
  'to a removed version': ({ store }) =>
    store.write((trx) => trx.deleteFrom('graphVersion').where('graphId', '=', 1).execute())
}

for (const [state, happens] of Object.entries(ends)) {
  t.test(
    `a link that is ${state} looks like a missing one, even with the right secret, password and token`,
    async (t) => {
      const server = await prepare(t)
      const { ada, visitor, store } = server
      const link = await newLink(ada, { version: 1, password: PASSWORD })
      const token = await tokenOf(visitor, link, PASSWORD)
      await happens(server)
      const before = (await events(store)).length
      const none = look(await open(visitor, { publicId: 'never' }, { secret: 'x' }))
      for (const password of [undefined, PASSWORD]) {
        t.same(look(await open(visitor, link, { secret: link.secret, password })), none)
      }
      for (const path of ['graph', 'content']) {
        t.match(await visitor.get(`/api/links/${link.publicId}/${path}`, token), problem(404, 'link-not-found'))
      }
      t.equal((await events(store)).length, before, 'no event is recorded')
    }
  )
}

t.test('if links are disabled, no link can be created, and existing links look missing', async (t) => {
  const { ada, visitor, store } = await prepare(t, { links: 'off' })
  t.match(await ada.post(links, {}), problem(403, 'links-off'))
  await store.write((trx) => createLink(trx, system, 1, {}))
  const [link] = (await ada.get(links)).body as [Link]
  const answer = look(await open(visitor, link, { secret: secretOf(link) }))
  t.same(answer, look(await open(visitor, { publicId: 'never' }, { secret: 'x' })))
  t.same(await events(store, 'LINK_OPENED'), [])
})

t.test(
  'a link is opened with its secret and its password, and asks for the password only after the right secret',
  async (t) => {
    const { ada, visitor, store } = await prepare(t)
    const link = await newLink(ada, { version: 1, password: PASSWORD })
    const none = look(await open(visitor, { publicId: 'never' }, { secret: 'x' }))
    const outcomes: unknown[] = []
    for (const password of [undefined, PASSWORD, 'not the password']) {
      const { status, body } = await open(visitor, link, { secret: link.secret, password })
      outcomes.push([status, body.code ?? Object.keys(body)])
      for (const secret of ['w'.repeat(43), undefined]) {
        t.same(look(await open(visitor, link, { secret, password })), none, `${secret}, ${password}`)
      }
    }
    const needed = [401, 'link-password-required']
    t.same(outcomes, [needed, [200, ['token', 'token_type', 'expires_in']], needed])
    t.same(
      (await events(store, 'LINK_OPENED')).map(({ outcome, principal }) => [outcome, principal]),
      [
        ['SUCCESS', 'anonymous'],
        ['FAILURE', 'anonymous']
      ]
    )
  }
)

t.test('a link shows its graph without the owner, and its content; downloads need permission', async (t) => {
  const { ada, visitor } = await prepare(t)
  const link = await newLink(ada)
  const token = await tokenOf(visitor, link)
  const path = `/api/links/${link.publicId}`
  const { status, body, headers } = await visitor.get(`${path}/graph`, token)
  const { updatedAt } = (await ada.get('/api/graphs/1')).body
  const shown = {
    name: 'Second',
    type: 'shape',
    description: 'Three',
    tags: ['east'],
    version: 2,
    isPinned: false,
    nodeCount: 3,
    edgeCount: 3,
    updatedAt,
    downloads: false
  }
  t.same([status, body], [200, shown])
  t.equal(headers['set-cookie'], undefined)
  t.equal((await visitor.get(`${path}/graph`, { ...token, 'if-none-match': headers.etag ?? '' })).status, 304)
  const content = await visitor.get(`${path}/content`, token)
  t.same([content.status, content.body], [200, (await ada.get('/api/graphs/1')).body.content])
  t.equal((await visitor.get(`${path}/content`, { ...token, 'if-none-match': content.headers.etag ?? '' })).status, 304)
  t.equal((await visitor.head(`${path}/content`, token)).status, 200)
  t.match(await visitor.get(`${path}/content?format=graphml`, token), problem(403, 'download-not-allowed'))
  t.match(await visitor.get(`${path}/content`, { ...token, accept: 'text/csv' }), problem(403, 'download-not-allowed'))

  await ada.patch(`${links}/1`, { downloads: true, expiresAt: '2100-01-01T00:00:00Z' })
  t.same((await visitor.get(`${path}/graph`, token)).body, {
    ...shown,
    downloads: true,
    expiresAt: '2100-01-01T00:00:00.000Z'
  })
  const graphml = `${path}/content?format=graphml`
  const file = await visitor.get(graphml, token)
  t.equal(file.status, 200)
  t.equal(file.text, (await ada.get('/api/graphs/1/content?format=graphml')).text)
  t.equal((await visitor.get(graphml, { ...token, 'if-none-match': file.headers.etag ?? '' })).status, 304)
  for (const { headers } of [content, file]) t.match(headers.etag, /^"[\w-]{43}"$/, 'the ETag contains no id')

  await ada.put('/api/graphs', { id: 1, name: 'Empty', content: null })
  t.match(
    (await visitor.get(`${path}/graph`, token)).body,
    { name: 'Empty', version: 3, nodeCount: 0 },
    'the link shows the current version'
  )
  t.same((await visitor.get(`${path}/content`, token)).body, { directed: true, nodes: [], edges: [] })
  await ada.patch(`${links}/1`, { version: 1 })
  t.match((await visitor.get(`${path}/graph`, token)).body, {
    name: 'Triangle',
    version: 1,
    isPinned: true,
    nodeCount: 3
  })
  t.same((await visitor.get(`${path}/content`, token)).body.nodes.length, 3)
})

t.test('large content is sent compressed as stored to clients that accept zstd', async (t) => {
  const { ada, visitor } = await prepare(t)
  const nodes = Array.from({ length: 5000 }, (_, index) => ({ id: `node ${index}` }))
  await ada.put('/api/graphs', { id: 1, name: 'Large', content: { nodes, edges: [] } })
  const link = await newLink(ada)
  const token = await tokenOf(visitor, link)
  const path = `/api/links/${link.publicId}/content`
  const plain = await visitor.get(path, token)
  t.same(plain.body.nodes, nodes)
  const { headers: packed } = await visitor.head(path, { ...token, 'accept-encoding': 'zstd' })
  t.equal(packed['content-encoding'], 'zstd')
  t.not(packed.etag, plain.headers.etag)
  t.equal((await visitor.get(path, { ...token, 'if-none-match': packed.etag ?? '' })).status, 304)
})

t.test('a new or removed password invalidates visitor tokens, and other changes do not', async (t) => {
  const { ada, visitor } = await prepare(t)
  const link = await newLink(ada, { password: PASSWORD })
  const path = `/api/links/${link.publicId}/graph`
  let token = await tokenOf(visitor, link, PASSWORD)
  await ada.patch(`${links}/1`, { name: 'Another name', downloads: true })
  t.equal((await visitor.get(path, token)).status, 200)
  await ada.patch(`${links}/1`, { password: 'another password' })
  t.match(await visitor.get(path, token), problem(401, 'token-invalid'))
  t.match(
    await open(visitor, link, { secret: link.secret, password: PASSWORD }),
    problem(401, 'link-password-required')
  )
  token = await tokenOf(visitor, link, 'another password')
  await ada.patch(`${links}/1`, { password: null })
  t.match(await visitor.get(path, token), problem(401, 'token-invalid'))
  await tokenOf(visitor, link)
})

t.test('a version pinned by a link is kept beyond --keep-versions, and removed once no link pins it', async (t) => {
  const { ada, visitor, store } = await prepare(t, { keepVersions: 2 })
  let round = 0
  const change = async (nodes: number) =>
    ada.put('/api/graphs', {
      id: 1,
      name: `Round ${++round}`,
      content: { nodes: Array.from({ length: nodes }, (_, id) => ({ id: String(id) })), edges: [] }
    })
  const kept = async () => {
    const { body, headers } = await ada.get('/api/graphs/1/versions?size=100')
    t.equal(headers['x-total-count'], String(body.length), 'the count is correct')
    return body.map(({ version }: { version: number }) => version)
  }
  const bytes = async () => {
    const rows = await store.read.selectFrom('graph').select('bytes').execute()
    const contents = await store.read
      .selectFrom('content')
      .select((eb) => eb.fn.sum<number>('size').as('size'))
      .execute()
    return [Number(rows[0]?.bytes), Number(contents[0]?.size)]
  }
  await change(10)
  const link = await newLink(ada, { version: 3 })
  for (const nodes of [10, 20, 30, 30, 40]) await change(nodes)
  t.same(await kept(), [8, 7, 3])
  const [graph, contents] = await bytes()
  t.equal(graph, contents, 'the size of the graph is that of its contents')
  t.same(await store.write((trx) => removeVersions(trx, 1, 7)).then(kept), [8, 3])
  t.equal((await visitor.get(`/api/links/${link.publicId}/graph`, await tokenOf(visitor, link))).body.nodeCount, 10)
  t.equal((await ada.patch(`${links}/1`, { version: 3, name: 'The same' })).status, 200)
  t.same(await kept(), [8, 3])
  t.equal((await ada.delete(`${links}/1`)).status, 204)
  t.same(await kept(), [8])
  const [after, left] = await bytes()
  t.equal(after, left)
  t.match(await ada.post(links, { version: 3 }), problem(404, 'version-not-found'))
})

t.test('a link protects only the version of its own graph, even after it has expired', async (t) => {
  const { ada, store } = await prepare(t)
  await ada.post('/api/graphs', triangle)
  for (const id of [1, 2])
    for (let round = 0; round < 4; round++) await ada.patch(`/api/graphs/${id}`, { name: `${round}` })
  const keptOf = async (graphId: number) => {
    await store.write((trx) => removeVersions(trx, graphId, 4))
    const rows = await store.read.selectFrom('graphVersion').select('version').where('graphId', '=', graphId).execute()
    return rows.map(({ version }) => version)
  }
  await newLink(ada, { version: 2 })
  await newLink(ada, { version: 3, expiresAt: '2100-01-01T00:00:00Z' })
  await newLink(ada)
  await store.write((trx) =>
    trx
      .updateTable('link')
      .set({ expiresAt: new Date(0).toISOString() })
      .where('id', '=', 2)
      .execute()
  )
  t.same(await keptOf(2), [], 'links of another graph do not protect versions')
  t.same(await keptOf(1), [2, 3, 5], 'expired links protect versions, since the owner can extend them')
  t.equal((await ada.delete(`${links}/1`)).status, 204)
  t.same(await keptOf(1), [3, 5])
})

t.test('pinned versions are skipped, even if they exceed the batch of one transaction', async (t) => {
  const { ada, store } = await prepare(t)
  for (let round = 0; round < 54; round++) await ada.patch('/api/graphs/1', { name: `Round ${round}` })
  for (let version = 1; version <= 51; version++) await newLink(ada, { version })
  t.strictSame(await store.write((trx) => removeVersions(trx, 1, 54)), { isDone: true, bytes: 0 })
  const versions = await store.read.selectFrom('graphVersion').select('version').where('version', '>', 50).execute()
  t.same(versions.map(({ version }) => version).sort(), [51, 55])
})

t.test('links survive the trash and a restored version, and are deleted with the graph', async (t) => {
  const { ada, visitor, store } = await prepare(t)
  const link = await newLink(ada)
  await ada.delete('/api/graphs/1')
  t.match(await ada.get(links), problem(404, 'graph-not-found'))
  t.match(await open(visitor, link, { secret: link.secret }), problem(404, 'link-not-found'))
  await ada.post('/api/trash/1/restore')
  await ada.post('/api/graphs/1/restore', { version: 1 })
  t.equal((await open(visitor, link, { secret: link.secret })).status, 200)
  t.match((await ada.get(links)).body, [{ id: 1, openCount: 1, url: link.url }])
  await ada.delete('/api/graphs/1')
  await ada.delete('/api/trash/1')
  t.same(await store.read.selectFrom('link').selectAll().execute(), [])
})

t.test('the page of a link is the same for everyone, and only pages from its origins can embed it', async (t) => {
  const { ada, visitor } = await prepare(t)
  const [framed, plain] = [await newLink(ada, { origins: [wiki, 'http://localhost:3000'] }), await newLink(ada)]
  const pageOf = async (publicId: string) => {
    const { status, headers, text } = await visitor.get(`/s/${publicId}`)
    const { 'content-security-policy': policy = '', 'x-request-id': _, date: __, ...rest } = headers
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
    return { status, policy: policy.replace(nonce, 'NONCE'), headers: rest, text: text.replaceAll(nonce, 'NONCE') }
  }
  const [first, second] = [await pageOf(framed.publicId), await pageOf(plain.publicId)]
  const unknown = await pageOf('u'.repeat(22))
  t.same(second, unknown, 'a link without origins looks like a missing link')
  t.same({ ...first, policy: '' }, { ...second, policy: '' })
  t.match(first.policy, new RegExp(`; frame-ancestors 'self' ${wiki} http://localhost:3000$`))
  t.match(second.policy, /^default-src 'none'; script-src 'self'; .*; frame-ancestors 'none'$/)
  t.equal(second.status, 200)
  t.same(
    ['x-frame-options', 'set-cookie', 'referrer-policy', 'cache-control', 'access-control-allow-origin'].map(
      (name) => second.headers[name]
    ),
    [undefined, undefined, 'no-referrer', 'no-store', undefined]
  )
  for (const name of ['%00', 'a'.repeat(500), '..%2f']) t.equal((await pageOf(name)).policy, second.policy)
})

t.test('a link is not opened if its password changes while a visitor opens it', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', triangle)
  const { publicId, url } = (await ada.post('/api/graphs/1/links', {})).body
  beforeNextTransaction(store, () => ada.patch('/api/graphs/1/links/1', { password: PASSWORD }))
  const opened = await as().post(`/api/links/${publicId}/open`, { secret: url.split('#')[1] })
  t.match(opened, problem(404, 'link-not-found'))
})
