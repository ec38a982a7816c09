import { sql } from 'kysely'
import t from 'tap'
import { system } from '../../db/actors.ts'
import { createGraph } from '../../db/changes/rows.ts'
import { StoreBroken, StoreBusy, StoreConflict, StoreUnavailable, type Unit } from '../../db/store.ts'
import { engine } from '../support/engine.ts'
import { addUser, build, events, problem, triangle } from '../support/helper.ts'

// The promises of the store that hold for each engine.

type Server = Awaited<ReturnType<typeof build>>

const values = { name: 'A', type: null, description: null, shared: false }

/** Returns the outcome of the unit, and the number of its runs. */
async function outcomeOf({ store }: Server, unit: Unit<unknown>) {
  let runs = 0
  const counted: Unit<unknown> = (trx) => {
    runs++
    return unit(trx)
  }
  const error = await store.write(counted).then(
    () => undefined,
    (error: Error) => error
  )
  const isOfStore = [StoreBusy, StoreConflict, StoreUnavailable].some((kind) => error instanceof kind)
  return { runs, isRejected: error !== undefined, isOfStore }
}

t.test('a listener that fails changes no outcome, and stops nothing', async (t) => {
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

t.test('a violated constraint is an error of the program', async (t) => {
  const server = await build(t)
  const { as, store } = server
  const eve = await addUser(store, 'eve')
  const { id: _, ...row } = eve
  const violations: [name: string, unit: Unit<unknown>, runs: number][] = [
    [
      'unique key',
      (trx) =>
        trx
          .insertInto('user')
          .values(row as never)
          .execute(),
      1
    ],
    [
      'primary key',
      (trx) =>
        trx
          .insertInto('purgedGraph')
          .values([{ id: 1 }, { id: 1 }])
          .execute(),
      1
    ],
    [
      'check',
      (trx) =>
        trx
          .updateTable('user')
          .set({ role: 'KING' as never })
          .execute(),
      1
    ],
    // PostgreSQL tries a few times: two units side by side violate such a key as well.
    ['foreign key', (trx) => createGraph(trx, system, 'nobody', { values }), engine === 'SQLite' ? 1 : 5]
  ]
  for (const [name, unit, runs] of violations) {
    t.same(await outcomeOf(server, unit), { runs, isRejected: true, isOfStore: false }, name)
  }
  t.same(await events(store), [], 'and nothing is left of it')

  const { body } = await as('ada').post('/api/graphs', triangle)
  const [kept] = await store.read.selectFrom('graph').selectAll().execute()
  await store.write((trx) =>
    trx
      .insertInto('graphVersion')
      .columns(['graphId', 'version', 'name', 'shared', 'nodeCount', 'edgeCount', 'updatedAt', 'principal'])
      .expression((eb) =>
        eb
          .selectFrom('graph')
          .select(['id', 'version', 'name', 'shared', 'nodeCount', 'edgeCount', 'updatedAt', 'principal'])
      )
      .execute()
  )
  const reply = await as('ada').patch(`/api/graphs/${body.id}`, { name: 'B' })
  t.match(reply, problem(500, 'internal-error'))
  t.equal(reply.headers['retry-after'], undefined)
  t.same(await store.read.selectFrom('graph').selectAll().execute(), [kept])
})

/** Holds the next unit before it is committed. */
function holdNext({ store }: Server) {
  const { write } = store
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  store.write = (unit) => {
    store.write = write
    return write.call(store, async (trx) => {
      const done = await unit(trx)
      begun.resolve()
      await held.promise
      return done
    }) as never
  }
  return { begun: begun.promise, release: held.resolve }
}

/** Waits until a unit waits for another: in the queue of SQLite, for a row of PostgreSQL. */
async function untilOneWaits({ store }: Server) {
  for (let look = 0; look < 200; look++) {
    if (engine === 'SQLite' && store.waiting > 0) return
    if (engine === 'PostgreSQL') {
      const { rows } = await sql`
        SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(
        store.read
      )
      if (rows.length > 0) return
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('no unit waits')
}

const creations: [name: string, url: string, body: unknown, type: string][] = [
  ['as JSON', '/api/graphs', triangle, 'application/json'],
  ['as a file', '/api/graphs/import', 'graph { a -- b }', 'text/vnd.graphviz']
]
for (const [name, url, body, type] of creations) {
  t.test(`of a graph that arrives ${name} and the deletion of its creator, the first wins`, async (t) => {
    const server = await build(t)
    const { as, store } = server
    const create = () => as('bob').post(url, body, { 'content-type': type })
    const remove = () => as('root').delete('/api/users/bob')
    for (const login of ['bob', 'root']) await as(login).get('/api/account')

    const creation = holdNext(server)
    const created = create()
    await creation.begun
    const kept = remove()
    await untilOneWaits(server)
    creation.release()
    t.equal((await created).status, 201)
    t.match(await kept, problem(409, 'user-owns-graphs'))

    await as('bob').delete('/api/graphs/1')
    await as('bob').delete('/api/trash/1')
    const deletion = holdNext(server)
    const removed = remove()
    await deletion.begun
    const refused = create()
    await untilOneWaits(server)
    deletion.release()
    t.equal((await removed).status, 204)
    const reply = await refused
    t.match(reply, problem(401, 'token-invalid'))
    t.equal(reply.headers['www-authenticate'], 'Bearer error="invalid_token"')
    t.same(await store.read.selectFrom('graph').select('id').execute(), [])
    t.equal((await events(store, 'GRAPH_CREATED')).length, 1)
  })
}

t.test('a user to whom somebody else gives a graph meanwhile is not deleted', async (t) => {
  const server = await build(t)
  const { as, store } = server
  for (const login of ['bob', 'root']) await as(login).get('/api/account')
  const creation = holdNext(server)
  // Like the command `import`, for any owner.
  const created = store.write((trx) => createGraph(trx, system, 'bob', { values }))
  await creation.begun
  const removed = as('root').delete('/api/users/bob')
  await untilOneWaits(server)
  creation.release()
  t.equal((await created).owner, 'bob')
  t.match(await removed, problem(409, 'user-owns-graphs'))
  t.same(await events(store, 'USER_DELETED'), [])
})
