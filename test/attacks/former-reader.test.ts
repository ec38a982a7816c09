import t from 'tap'
import { build, type Client, events, type Reply, triangle } from '../support/helper.ts'

// A graph that bob once read or owned and can no longer see must look to him as if it had never existed: in status, headers,
// counts, cursors, ETags and messages. ada owns it, and root is an administrator.

type Server = Awaited<ReturnType<typeof build>>
type Change = (server: Server) => Promise<unknown>

const graph = '/api/graphs/1'
const jgf = { 'content-type': 'application/vnd.jgf+json' }
const file = JSON.stringify({ graph: { nodes: { a: {} }, edges: [] } })

/** How bob gains access to the graph, and how he loses it. */
const ways: Record<string, { begin: Change; end: Change }> = {
  'a graph whose grant to bob was revoked': {
    begin: ({ as }) => as('ada').put(`${graph}/access/users/bob`, { access: 'WRITE' }),
    end: ({ as }) => as('ada').delete(`${graph}/access/users/bob`)
  },
  'a graph whose grant to a group was revoked': {
    begin: ({ as }) => as('ada').put(`${graph}/access/groups/lab`, { access: 'READ' }),
    end: ({ as }) => as('ada').delete(`${graph}/access/groups/lab`)
  },
  'a graph of a group that bob has left': {
    begin: ({ as }) => as('ada').put(`${graph}/access/groups/lab`, { access: 'WRITE' }),
    end: ({ as }) => as('root').delete('/api/groups/lab/members/bob')
  },
  'a graph of a deleted group': {
    begin: ({ as }) => as('ada').put(`${graph}/access/groups/lab`, { access: 'READ' }),
    end: ({ as }) => as('root').delete('/api/groups/lab')
  },
  'a graph that is no longer shared with everyone': {
    begin: ({ as }) => as('ada').patch(graph, { shared: true }),
    end: ({ as }) => as('ada').patch(graph, { shared: false })
  },
  'a graph that bob has transferred': {
    begin: ({ as }) => as('root').patch(graph, { owner: 'bob' }),
    end: ({ as }) => as('bob').patch(graph, { owner: 'ada' })
  },
  'a graph in the trash': {
    begin: ({ as }) => as('ada').put(`${graph}/access/users/bob`, { access: 'WRITE' }),
    end: ({ as }) => as('ada').delete(graph)
  },
  'a purged graph': {
    begin: ({ as }) => as('ada').put(`${graph}/access/groups/lab`, { access: 'WRITE' }),
    end: async ({ as }) => {
      await as('ada').delete(graph)
      await as('ada').delete('/api/trash/1')
    }
  }
}

/**
 * Starts a server where bob has a graph and sees a shared one. ada's graph sorts between them in every sort order except by
 * time.
 */
async function prepare(t: Parameters<typeof build>[0]) {
  const server = await build(t)
  const { as, tokenOf } = server
  await tokenOf('bob')
  const secret = { type: 'SECRET', description: 'A secret', tags: ['secret', 'common'] }
  await as('ada').post('/api/graphs', { ...triangle, name: 'M secret', ...secret })
  await as('ada').patch(graph, { name: 'M secret, second version' })
  await as('bob').post('/api/graphs', { ...triangle, name: 'A of bob', type: 'LINE', tags: ['common'] })
  await as('cy').post('/api/graphs', { ...triangle, name: 'Z shared', type: 'TREE', shared: true })
  await as('root').post('/api/groups', { name: 'lab' })
  await as('root').put('/api/groups/lab/members/bob')
  return server
}

/** Returns everything in a response that a client can compare. */
function look({ status, headers, text }: Reply, id: number) {
  const { 'x-request-id': _, date: __, ...rest } = headers
  return {
    status,
    headers: rest,
    text: text.replaceAll(/urn:uuid:[0-9a-f-]+/g, '').replaceAll(new RegExp(`\\b${id}\\b`, 'g'), 'ID')
  }
}

/** The cases tried with every request. */
const thorough = ['a graph of a group that bob has left', 'a graph in the trash']
/** The requests tried in the other cases: one for each lookup, and those with known ETags. */
const few = /^(graph|content|the first version|versions|diff|patch|delete|grants|purge)$|known/

/** Sends every request that could reveal the graph with this id, including conditional ones with its known ETags. */
async function ask(client: Client, id: number, tags: string[], isThorough: boolean) {
  const { get, post, put, patch, delete: remove } = client
  const at = `/api/graphs/${id}`
  const both = ['*', ...tags]
  const requests: Record<string, () => Promise<Reply>> = {
    graph: () => get(at),
    content: () => get(`${at}/content`),
    'content as GML': () => get(`${at}/content?format=gml`),
    versions: () => get(`${at}/versions`),
    'versions by cursor': () => get(`${at}/versions?size=1&cursor=`),
    'the first version': () => get(`${at}/versions/1`),
    'no version': () => get(`${at}/versions/99`),
    'content of a version': () => get(`${at}/versions/1/content`),
    diff: () => get(`${at}/diff`),
    'diff as text': () => get(`${at}/diff?from=1&to=2`, { accept: 'text/plain' }),
    grants: () => get(`${at}/access`),
    compare: () => post(`${at}/compare`, file, jgf),
    patch: () => patch(at, { name: 'Mine' }),
    'patch with a version': () => patch(at, { name: 'Mine', version: 1 }),
    share: () => patch(at, { shared: true }),
    'hand over': () => patch(at, { owner: 'bob' }),
    put: () => put('/api/graphs', { id, name: 'Mine' }),
    'put content': () => put(`${at}/content`, file, jgf),
    restore: () => post(`${at}/restore`, { version: 1 }),
    'restore no version': () => post(`${at}/restore`, { version: 99 }),
    grant: () => put(`${at}/access/users/bob`, { access: 'WRITE' }),
    'grant to nobody': () => put(`${at}/access/groups/none`, { access: 'WRITE' }),
    revoke: () => remove(`${at}/access/users/bob`),
    delete: () => remove(at),
    untrash: () => post(`/api/trash/${id}/restore`),
    purge: () => remove(`/api/trash/${id}`)
  }
  for (const [index, tag] of both.entries()) {
    requests[`graph that is known (${index})`] = () => get(at, { 'if-none-match': tag })
    requests[`content that is known (${index})`] = () => get(`${at}/content`, { 'if-none-match': tag })
    requests[`version that is known (${index})`] = () => get(`${at}/versions/1`, { 'if-none-match': tag })
    requests[`patch of this state (${index})`] = () => patch(at, { name: 'Mine' }, { 'if-match': tag })
    requests[`put of this state (${index})`] = () => put('/api/graphs', { id, name: 'Mine' }, { 'if-match': tag })
    requests[`delete of this state (${index})`] = () => remove(at, { 'if-match': tag })
  }
  const answers: Record<string, ReturnType<typeof look>> = {}
  for (const [name, request] of Object.entries(requests)) {
    if (isThorough || few.test(name)) answers[name] = look(await request(), id)
  }
  return answers
}

const lists = [
  '/api/graphs',
  '/api/graphs?size=1',
  '/api/graphs?size=1&page=1',
  '/api/graphs?size=2&cursor=',
  '/api/graphs?page=9',
  ...['name', 'type', 'owner', 'shared', 'version', 'createdAt,desc', 'updatedAt,desc'].map(
    (sort) => `/api/graphs?size=2&sort=${sort}`
  ),
  ...['q=secret', 'q=a', 'tags=secret', 'tags=common', 'type=SECRET', 'owner=ada', 'owner=bob', 'shared=false'].map(
    (filter) => `/api/graphs?${filter}`
  ),
  ...['OWNER', 'WRITE', 'READ'].map((access) => `/api/graphs?access=${access}`),
  '/api/graphs?access=READ&shared=false',
  '/api/mygraphs',
  '/api/trash',
  '/api/trash?q=secret',
  '/api/trash?access=READ',
  '/api/tags',
  '/api/tags?size=1&cursor=',
  '/api/tags?sort=count,desc',
  '/api/search?q=secret',
  '/api/search?q=common&size=2',
  '/api/search?q=secret&graph=1'
]

async function listed({ get }: Client) {
  const answers: Record<string, ReturnType<typeof look>> = {}
  for (const url of lists) answers[url] = look(await get(url), -1)
  return answers
}

for (const [what, { begin, end }] of Object.entries(ways)) {
  t.test(`${what} looks like a missing graph in every response`, async (t) => {
    const server = await prepare(t)
    const { as, store } = server
    const bob = as('bob')
    const isThorough = thorough.includes(what)
    const before = { one: await ask(bob, 1, [], isThorough), lists: await listed(bob) }

    await begin(server)
    const seen = await bob.get(graph)
    t.equal(seen.status, 200, 'bob sees the graph')
    const content = await bob.get(`${graph}/content`)
    const tags = [seen.headers.etag ?? '', content.headers.etag ?? '']
    t.equal((await bob.get(graph, { 'if-none-match': tags[0] ?? '' })).status, 304)
    t.equal((await bob.get(`${graph}/content`, { 'if-none-match': tags[1] ?? '' })).status, 304)
    const meanwhile = await listed(bob)
    for (const url of ['/api/graphs', '/api/graphs?q=secret', '/api/mygraphs', '/api/tags']) {
      t.not(meanwhile[url]?.text, before.lists[url]?.text, `${url} shows the graph`)
    }
    /** Returns cursors of the rows before and after the graph, and of the graph itself, by name. */
    const cursorsBy = async (sort: string) => {
      const cursors: string[] = []
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const page = await bob.get(`/api/graphs?size=1&sort=${sort}&cursor=${cursor}`)
        cursor = page.headers['x-next-cursor']
        if (cursor !== undefined) cursors.push(cursor)
      }
      return cursors
    }
    const cursors = { name: await cursorsBy('name'), id: await cursorsBy('id') }
    t.same([cursors.name.length, cursors.id.length], [2, 2], 'there are three rows, and two have a cursor')

    const state = () => store.read.selectFrom('graph').selectAll().where('id', '=', 1).execute()
    await end(server)
    const kept = await state()
    const denials = (await events(store, 'AUTHORIZATION_FAILURE')).length
    const after = await ask(bob, 1, tags, isThorough)
    const ofNone = await ask(bob, 7_000_000, tags, isThorough)
    t.same(after, ofNone, 'the responses match those for a graph that never existed')
    for (const [name, answer] of Object.entries(before.one)) t.same(after[name], answer, `${name}: same as before`)
    for (const [name, { status }] of Object.entries(after)) {
      if (name.includes('known')) t.equal(status, 404, `${name}: no known ETag matches`)
    }
    t.same(await listed(bob), before.lists, 'lists and their counts, links and cursors are unchanged')
    const names = async (sort: string, cursor: string | undefined) => {
      const { status, headers, body } = await bob.get(`/api/graphs?size=1&sort=${sort}&cursor=${cursor}`)
      return [status, body.map(({ name }: { name: string }) => name), headers['x-next-cursor']]
    }
    const last = [200, ['Z shared'], undefined]
    t.same(
      await names('name', cursors.name[0]),
      last,
      'the cursor before the graph continues with the row after the graph'
    )
    t.same(await names('name', cursors.name[1]), last, "the graph's own cursor continues there too")
    const page = [200, ['A of bob'], cursors.id[1]]
    t.same(await names('id', cursors.id[0]), page, 'a page cursor does not reveal the graph')
    t.same(await names('id', cursors.id[1]), last)
    t.same(await state(), kept, 'nothing has changed')
    t.equal((await events(store, 'AUTHORIZATION_FAILURE')).length, denials, 'no denial is recorded')
  })
}
