import t from 'tap'
import { holdNextTransaction, untilOneWaits } from '../support/held-transactions.ts'
import { build, problem, type Reply, triangle } from '../support/helper.ts'

// Two concurrent transactions: a writer changes a graph while their right to do so is revoked.

type Server = Awaited<ReturnType<typeof build>>

const graph = '/api/graphs/1'
const group = '/api/groups/lab'
const toBob = `${graph}/access/users/bob`
const toLab = `${graph}/access/groups/lab`

interface Way {
  /** Gives bob write access, whatever state an earlier round left behind. */
  begin(server: Server): Promise<Reply[]>
  end(server: Server): Promise<Reply>
  /** The status of bob's later changes. */
  status?: number
}

const write = { access: 'WRITE' }
const grantToLab = async ({ as }: Server) => [
  await as('root').post('/api/groups', { name: 'lab' }),
  await as('root').put(`${group}/members/bob`),
  await as('ada').put(toLab, write)
]
const grantToBob = async ({ as }: Server) => [await as('ada').put(toBob, write)]

const ways: Record<string, Way> = {
  'a grant to the writer is revoked': { begin: grantToBob, end: ({ as }) => as('ada').delete(toBob) },
  'a grant to the writer becomes read-only': {
    begin: grantToBob,
    end: ({ as }) => as('ada').put(toBob, { access: 'READ' }),
    status: 403
  },
  'a grant to a group is revoked': { begin: grantToLab, end: ({ as }) => as('ada').delete(toLab) },
  'a grant to a group becomes read-only': {
    begin: grantToLab,
    end: ({ as }) => as('ada').put(toLab, { access: 'READ' }),
    status: 403
  },
  'the writer leaves the group': { begin: grantToLab, end: ({ as }) => as('root').delete(`${group}/members/bob`) },
  'the group is deleted': { begin: grantToLab, end: ({ as }) => as('root').delete(group) },
  'the graph is transferred from the writer': {
    begin: async ({ as }) => [await as('root').patch(graph, { owner: 'bob' })],
    end: ({ as }) => as('root').patch(graph, { owner: 'ada' })
  },
  'the graph is moved to the trash': {
    begin: async (server) => {
      await server.as('ada').post('/api/trash/1/restore')
      return grantToBob(server)
    },
    end: ({ as }) => as('ada').delete(graph)
  }
}

/** The ways to lose the right that are tested with every change: one hides the graph, and the other leaves it readable. */
const thorough = ['a grant to a group is revoked', 'a grant to the writer becomes read-only']

/** The changes that writers can make. */
const changes: Record<string, (server: Server) => Promise<Reply>> = {
  patch: ({ as }) => as('bob').patch(graph, { name: `By bob ${Math.random()}` }),
  put: ({ as }) => as('bob').put('/api/graphs', { id: 1, name: `By bob ${Math.random()}` }),
  'put content': ({ as }) =>
    as('bob').put(`${graph}/content`, `graph { a -- "${Math.random()}" }`, { 'content-type': 'text/vnd.graphviz' }),
  restore: ({ as }) => as('bob').post(`${graph}/restore`, { version: 1 })
}

async function prepare(t: Parameters<typeof build>[0]) {
  const server = await build(t)
  await server.as('ada').post('/api/graphs', triangle)
  for (const login of ['bob', 'root']) await server.as(login).get('/api/account')
  return server
}

const versionOf = async ({ as }: Server) => {
  const { status, body } = await as('root').get(graph)
  return status === 404 ? 'trashed' : body.version
}

for (const [what, { begin, end, status = 404 }] of Object.entries(ways)) {
  t.test(`a change that waits until ${what} is refused`, async (t) => {
    const server = await prepare(t)
    for (const [name, change] of Object.entries(changes).slice(0, thorough.includes(what) ? undefined : 1)) {
      await begin(server)
      t.equal((await change(server)).status, 200, `${name}: bob may write`)
      const { release, reached } = holdNextTransaction(server.store)
      const ending = end(server)
      await reached
      const changing = change(server)
      await untilOneWaits(server.store)
      release()
      t.match((await ending).status, /^20[04]$/, "bob's right was revoked")
      const version = await versionOf(server)
      t.match(await changing, problem(status, status === 404 ? 'graph-not-found' : 'forbidden'), name)
      t.equal(await versionOf(server), version, `${name}: no version was created`)
      t.match(await change(server), problem(status, status === 404 ? 'graph-not-found' : 'forbidden'))
    }
  })

  t.test(`a change that began before ${what} succeeds, and later ones are refused`, async (t) => {
    const server = await prepare(t)
    await begin(server)
    const order: string[] = []
    const { release, reached } = holdNextTransaction(server.store)
    const changing = changes.patch?.(server).then(({ status }) => order.push(`changed ${status}`))
    await reached
    const ending = end(server).then(({ status }) => order.push(`ended ${status < 300}`))
    await untilOneWaits(server.store)
    release()
    await Promise.all([changing, ending])
    t.same(order.sort(), ['changed 200', 'ended true'])
    const kept = await server.as('root').get(`${graph}/versions`)
    const trashed = await server.as('root').get('/api/trash')
    const version = kept.status === 200 ? kept.body[0].version : trashed.body[0].version
    t.ok(version >= 2, `version ${version}`)
    t.match(await changes.patch?.(server), problem(status, status === 404 ? 'graph-not-found' : 'forbidden'))
  })
}
