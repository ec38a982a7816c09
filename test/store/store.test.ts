import { sql } from 'kysely'
import t from 'tap'
import { system } from '../../db/actors.ts'
import { createGraph } from '../../db/changes/rows.ts'
import { COUNTED, StoreBroken, StoreBusy, StoreConflict, StoreUnavailable, type Transaction } from '../../db/store.ts'
import { engine } from '../support/engine.ts'
import { holdNextTransaction, untilOneWaits } from '../support/held-transactions.ts'
import { addUser, build, events, problem, triangle } from '../support/helper.ts'

// The guarantees of the store, for each engine.

type Server = Awaited<ReturnType<typeof build>>

const values = { name: 'A', type: null, description: null, shared: false }

/** Returns the outcome of the transaction, and how often it ran. */
async function outcomeOf({ store }: Server, transaction: Transaction<unknown>) {
  let runs = 0
  const counted: Transaction<unknown> = (trx) => {
    runs++
    return transaction(trx)
  }
  const error = await store.write(counted).then(
    () => undefined,
    (error: Error) => error
  )
  const isOfStore = [StoreBusy, StoreConflict, StoreUnavailable].some((kind) => error instanceof kind)
  return { runs, isRejected: error !== undefined, isOfStore }
}

t.test('a listener that throws does not affect transactions', async (t) => {
  const { store } = await build(t)
  const warnings: string[] = []
  const note = ({ message }: Error) => warnings.push(message)
  process.on('warning', note)
  t.teardown(() => process.off('warning', note))
  store.onCommit = () => {
    throw new Error('not counted')
  }
  store.onBroken = () => {
    throw new Error('not told')
  }
  t.equal(await store.write(async () => 'done'), 'done')
  const broken = store.write(async () => Promise.reject(new StoreBroken('no space')))
  const beside = store.write(async () => 'beside it')
  await t.rejects(broken, { name: 'StoreBroken', message: 'no space' })
  t.equal(await beside, 'beside it')
  t.equal(await store.write(async () => 'later'), 'later')
  await new Promise((resolve) => setImmediate(resolve))
  t.same([...new Set(warnings)].sort(), ['not counted', 'not told'])
  store.onCommit = undefined
  store.onBroken = undefined
})

t.test('a violated constraint is a programming error', async (t) => {
  const server = await build(t)
  const { as, store } = server
  await addUser(store, 'eve')
  const violations: [name: string, transaction: Transaction<unknown>, runs: number][] = [
    ['unique key', (trx) => sql`INSERT INTO "user" SELECT * FROM "user"`.execute(trx), 1],
    ['primary key', (trx) => sql`INSERT INTO "purgedGraph" ("id") VALUES (1), (1)`.execute(trx), 1],
    ['check', (trx) => sql`UPDATE "user" SET "role" = 'KING'`.execute(trx), 1],
    // PostgreSQL retries, since two concurrent transactions can also violate a foreign key.
    ['foreign key', (trx) => createGraph(trx, system, 'nobody', { values }), engine === 'SQLite' ? 1 : 5]
  ]
  for (const [name, transaction, runs] of violations) {
    t.same(await outcomeOf(server, transaction), { runs, isRejected: true, isOfStore: false }, name)
  }
  t.same(await events(store), [], 'the transaction leaves nothing behind')

  const { body } = await as('ada').post('/api/graphs', triangle)
  const [kept] = await store.read.selectFrom('graph').selectAll().execute()
  const columns = sql.raw(
    '"version", "name", "sortName", "shared", "nodeCount", "edgeCount", "updatedAt", "principal", "tags"'
  )
  await store.write((trx) =>
    sql`INSERT INTO "graphVersion" ("graphId", ${columns}) SELECT "id", ${columns} FROM "graph"`.execute(trx)
  )
  const reply = await as('ada').patch(`/api/graphs/${body.id}`, { name: 'B' })
  t.match(reply, problem(500, 'internal-error'))
  t.equal(reply.headers['retry-after'], undefined)
  t.same(await store.read.selectFrom('graph').selectAll().execute(), [kept])
})

const creations: [name: string, url: string, body: unknown, type: string][] = [
  ['as JSON', '/api/graphs', triangle, 'application/json'],
  ['as a file', '/api/graphs/import', 'graph { a -- b }', 'text/vnd.graphviz']
]
for (const [name, url, body, type] of creations) {
  t.test(`if a graph arrives ${name} while its creator is deleted, the first transaction wins`, async (t) => {
    const server = await build(t)
    const { as, store } = server
    const create = () => as('bob').post(url, body, { 'content-type': type })
    const remove = () => as('root').delete('/api/users/bob')
    for (const login of ['bob', 'root']) await as(login).get('/api/account')

    const creation = holdNextTransaction(store)
    const created = create()
    await creation.reached
    const kept = remove()
    await untilOneWaits(store)
    creation.release()
    t.equal((await created).status, 201)
    t.match(await kept, problem(409, 'user-owns-graphs'))

    await as('bob').delete('/api/graphs/1')
    await as('bob').delete('/api/trash/1')
    const deletion = holdNextTransaction(store)
    const removed = remove()
    await deletion.reached
    const refused = create()
    await untilOneWaits(store)
    deletion.release()
    t.equal((await removed).status, 204)
    const reply = await refused
    t.match(reply, problem(401, 'token-invalid'))
    t.equal(reply.headers['www-authenticate'], 'Bearer error="invalid_token"')
    t.same(await store.read.selectFrom('graph').select('id').execute(), [])
    t.equal((await events(store, 'GRAPH_CREATED')).length, 1)
  })
}

t.test('a user who has received a graph in the meantime is not deleted', async (t) => {
  const server = await build(t)
  const { as, store } = server
  for (const login of ['bob', 'root']) await as(login).get('/api/account')
  const creation = holdNextTransaction(store)
  // Creates a graph for another owner, like the `import` command.
  const created = store.write((trx) => createGraph(trx, system, 'bob', { values }))
  await creation.reached
  const removed = as('root').delete('/api/users/bob')
  await untilOneWaits(store)
  creation.release()
  t.equal((await created).owner, 'bob')
  t.match(await removed, problem(409, 'user-owns-graphs'))
  t.same(await events(store, 'USER_DELETED'), [])
})

t.test('the last id of a table is 0 before its first row', async (t) => {
  const { store } = await build(t)
  t.same(
    Object.values(await store.lastIds(store.read)).map(Number),
    COUNTED.map(() => 0)
  )
  await addUser(store, 'ada')
  t.same(await store.lastIds(store.read), { ...Object.fromEntries(COUNTED.map((table) => [table, 0])), user: 1 })
})
