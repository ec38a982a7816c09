import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { type Actor, system, UserActor } from '../../db/actors.ts'
import { rightToChange } from '../../db/changes/graphs.ts'
import { createGraph } from '../../db/changes/rows.ts'
import { countTrash, findTrashed, listTrash, trashGraph } from '../../db/changes/trash.ts'
import {
  accessTo,
  hasRight,
  type IndexRange,
  isIndexed,
  rangeParametersOf,
  rangeShapeOf,
  rangesOf,
  requireAccess,
  type Viewer,
  whereInRange
} from '../../db/graphs/access.ts'
import { findGraph, findGraphAt, findGraphWithContent } from '../../db/graphs/graphs.ts'
import { countGraphs, listGraphs, listOwnAndShared } from '../../db/lists/graphs.ts'
import { grantAccess } from '../../db/sharing/grants.ts'
import { addMember, createGroup } from '../../db/sharing/groups.ts'
import type { Db, Store } from '../../db/store.ts'
import { requireUser } from '../../db/users/users.ts'
import type { GrantedAccess, GranteeType } from '../../schemas/grant.ts'
import { type Access, accesses } from '../../schemas/graph.ts'
import type { Slice } from '../../schemas/parameters.ts'
import type { Role } from '../../schemas/user.ts'
import { engine } from '../support/engine.ts'
import { addUser, build, events, problem, type Reply, triangle } from '../support/helper.ts'

// The access rule for every actor and every kind of graph, written as a table here and compared with how each query applies it.

const ada = new UserActor('ada', 'USER', 1)
const actors: Record<string, Actor> = {
  ada,
  bob: new UserActor('bob', 'USER', 2),
  audrey: new UserActor('audrey', 'AUDITOR', 4),
  root: new UserActor('root', 'ADMIN', 3),
  system,
  'somebody without an account': { ...system, subject: 'somebody', account: undefined, isAdministrator: false }
}
const owners = ['ada', 'bob', 'root']

/** Each actor's access level for the private and shared graphs of ada, bob and root. */
const table: Record<string, { private: (Access | undefined)[]; shared: (Access | undefined)[] }> = {
  ada: { private: ['OWNER', undefined, undefined], shared: ['OWNER', 'READ', 'READ'] },
  bob: { private: [undefined, 'OWNER', undefined], shared: ['READ', 'OWNER', 'READ'] },
  audrey: { private: [undefined, undefined, undefined], shared: ['READ', 'READ', 'READ'] },
  root: { private: ['OWNER', 'OWNER', 'OWNER'], shared: ['OWNER', 'OWNER', 'OWNER'] },
  system: { private: ['OWNER', 'OWNER', 'OWNER'], shared: ['OWNER', 'OWNER', 'OWNER'] },
  'somebody without an account': {
    private: [undefined, undefined, undefined],
    shared: [undefined, undefined, undefined]
  }
}

/** The type of graphs with grants: READ for audrey, WRITE for ada's group, and READ for bob's group. */
const GRANTED = 'TREE'

/** The rights that these grants give to each actor. */
const granted: Record<string, GrantedAccess> = { ada: 'WRITE', bob: 'WRITE', audrey: 'READ' }

/** Returns the actor's highest grant for graphs of this type. */
const grantOf = (name: string, type: string) => (type === GRANTED && granted[name]) || null

interface Kept {
  id: number
  owner: string
  shared: boolean
  type: string
  isTrashed: boolean
}

/** Creates graphs for every owner: private and shared, of two types, active and trashed. Graphs of one type have grants. */
async function fill(t: Test) {
  const { store } = await build(t)
  const graphs: Kept[] = []
  for (const login of [...owners, 'audrey']) await addUser(store, login)
  await store.write(async (trx) => {
    for (const name of ['lab', 'hall']) {
      const group = await createGroup(trx, system, { name, description: null })
      for (const login of ['ada', 'bob']) await addMember(trx, system, group, await requireUser(trx, login))
    }
  })
  for (const isTrashed of [false, true])
    for (const owner of owners)
      for (const shared of [false, true])
        for (const type of ['LINE', 'TREE'])
          await store.write(async (trx) => {
            const values = { name: `${owner}'s`, type, description: null, shared }
            const graph = await createGraph(trx, system, owner, { values })
            if (type === GRANTED) {
              const grant = (granteeType: GranteeType, name: string, access: GrantedAccess) =>
                grantAccess(trx, system, graph.id, { granteeType, name }, access)
              if (owner !== 'audrey') await grant('USER', 'audrey', 'READ')
              await grant('GROUP', 'lab', 'WRITE')
              await grant('GROUP', 'hall', 'READ')
            }
            if (isTrashed) await trashGraph(trx, system, graph)
            graphs.push({ id: graph.id, owner, shared, type, isTrashed })
          })
  return { store, graphs }
}

function expectedAccess(name: string, { owner, shared, type }: Pick<Kept, 'owner' | 'shared' | 'type'>) {
  const access = table[name]?.[shared ? 'shared' : 'private'][owners.indexOf(owner)]
  return access === 'OWNER' ? access : (grantOf(name, type) ?? access)
}

const slice: Slice = { sorts: [{ field: 'id', direction: 'asc' }], limit: 100, offset: 0, after: undefined }
const ids = (graphs: readonly { id: number }[]) => graphs.map(({ id }) => id)

/** Returns whether each lookup finds the graph. */
async function lookups(db: Db, actor: Actor, id: number) {
  return {
    graph: (await findGraph(db, actor, id))?.id === id,
    content: (await findGraphWithContent(db, actor, id))?.id === id,
    version: (await findGraphAt(db, actor, id, 1))?.id === id,
    // Only visible graphs reveal that a version is missing.
    later: (await findGraphAt(db, actor, id, 2)) === null
  }
}

t.test('the access rule matches the table', async (t) => {
  for (const [name, actor] of Object.entries(actors))
    for (const owner of owners)
      for (const type of ['LINE', GRANTED])
        for (const shared of [false, true, 0, 1]) {
          const wanted = expectedAccess(name, { owner, shared: Boolean(shared), type })
          const graph = { owner, shared, granted: grantOf(name, type) }
          t.equal(accessTo(actor, graph), wanted, `${name}, ${owner}'s, ${shared}, ${type}`)
          for (const right of accesses) {
            const holds = wanted !== undefined && accesses.indexOf(wanted) <= accesses.indexOf(right)
            t.equal(hasRight(actor, right, graph), holds, `${name} has ${right}`)
          }
          if (wanted === undefined)
            t.throws(() => requireAccess(actor, graph), /may not see/, 'a hidden graph is never shown')
          else t.equal(requireAccess(actor, graph), wanted)
        }
})

t.test('a grant gives nothing to an actor without an account, and no extra right to an owner', async (t) => {
  const nobody = actors['somebody without an account'] as Actor
  for (const granted of ['READ', 'WRITE'] as const) {
    t.equal(accessTo(nobody, { owner: 'ada', shared: true, granted }), undefined)
    t.equal(accessTo(ada, { owner: 'ada', shared: false, granted }), 'OWNER')
  }
})

t.test('only the OWNER right allows changing the sharing, owner or key of a graph', async (t) => {
  for (const shared of [false, true, 0, 1]) {
    const before = { shared, owner: 'ada', key: 'nightly' }
    t.equal(rightToChange(before, undefined), 'WRITE')
    t.equal(rightToChange(before, { shared: Boolean(shared), owner: 'ada' }), 'WRITE')
    t.equal(rightToChange(before, { shared: !shared }), 'OWNER')
    t.equal(rightToChange(before, { owner: 'bob' }), 'OWNER')
    t.equal(rightToChange(before, { key: 'nightly' }), 'WRITE')
    t.equal(rightToChange(before, { key: 'daily' }), 'OWNER')
    t.equal(rightToChange(before, { key: null }), 'OWNER')
  }
})

t.test('a refusal names the right that the caller lacks', async (t) => {
  const { as } = await build(t)
  await as('ada').post('/api/graphs', { ...triangle, shared: true })
  const bob = as('bob')
  const detailOf = ({ status, body }: Reply) => [status, body.detail]
  const unchanged = [403, 'You can read this graph, but not change it.']
  t.same(detailOf(await bob.patch('/api/graphs/1', { name: 'x' })), unchanged)
  t.same(detailOf(await bob.patch('/api/graphs/1', { shared: false })), unchanged)
  t.same(detailOf(await bob.post('/api/graphs/1/restore', { version: 1 })), unchanged)
  const notOwned = [403, 'Only the owner and administrators can share, transfer or delete this graph.']
  t.same(detailOf(await bob.delete('/api/graphs/1')), notOwned)
})

t.test('an actor without an account cannot create anything', async (t) => {
  const { app, store } = await build(t)
  const values = { name: 'A', type: null, description: null, shared: false }
  for (const actor of Object.values(actors).filter(({ account }) => account === undefined)) {
    const creation = store.write((trx) => app.graphs.create(trx, actor, { values }))
    await t.rejects(creation, { code: 'forbidden' })
  }
  t.same(await events(store), [])
})

t.test('every lookup follows the access rule', async (t) => {
  const { store, graphs } = await fill(t)
  for (const [name, actor] of Object.entries(actors))
    for (const graph of graphs) {
      const access = expectedAccess(name, graph)
      const is = !graph.isTrashed && access !== undefined
      const wanted = { graph: is, content: is, version: is, later: is }
      const what = `${name}, ${JSON.stringify(graph)}`
      t.same(await lookups(store.read, actor, graph.id), wanted, what)
      t.same(await store.write((trx) => lookups(trx, actor, graph.id)), wanted, `${what}, in a transaction`)
      const isHad = graph.isTrashed && access === 'OWNER'
      t.equal((await findTrashed(store.read, actor, graph.id))?.id === graph.id, isHad, `${what}, in the trash`)
      t.equal(
        (await store.write((trx) => findTrashed(trx, actor, graph.id)))?.id === graph.id,
        isHad,
        `${what}, in the trash, in a transaction`
      )
    }
})

t.test('every list and its count follow the access rule, with any filter', async (t) => {
  const { store, graphs } = await fill(t)
  const filters = [undefined, 'ada', 'bob', 'root', 'audrey', ''].flatMap((owner) =>
    [undefined, false, true].flatMap((shared) =>
      [undefined, ...accesses].flatMap((access) =>
        [{}, { type: 'LINE' }, { type: GRANTED }, { q: "a's" }].map((rest) => ({
          ...(owner !== undefined && { owner }),
          ...(shared !== undefined && { shared }),
          ...(access !== undefined && { access }),
          ...(rest as { type?: string; q?: string })
        }))
      )
    )
  )
  for (const [name, actor] of Object.entries(actors)) {
    const different: object[] = []
    for (const filter of filters) {
      const matching = graphs.filter(
        (graph) =>
          (filter.owner ?? graph.owner) === graph.owner &&
          (filter.shared ?? graph.shared) === graph.shared &&
          (filter.type ?? graph.type) === graph.type &&
          (filter.q === undefined || graph.owner === 'ada')
      )
      const isWanted = (graph: Kept) => {
        const access = expectedAccess(name, graph)
        return access !== undefined && (filter.access ?? access) === access
      }
      const seen = ids(matching.filter((graph) => !graph.isTrashed && isWanted(graph)))
      const isHad = (graph: Kept) => expectedAccess(name, graph) === 'OWNER' && isWanted(graph)
      const had = ids(matching.filter((graph) => graph.isTrashed && isHad(graph)))
      const descending: Slice = { ...slice, sorts: [{ field: 'id', direction: 'desc' }] }
      const after: Slice = { ...slice, after: [seen[0] ?? 0] }
      const query = { actor, filter }
      const is = {
        list: ids(await listGraphs(store, actor, filter, slice)),
        descending: ids(await listGraphs(store, actor, filter, descending)),
        after: ids(await listGraphs(store, actor, filter, after)),
        count: await countGraphs(store, actor, filter),
        trash: ids(await listTrash(store.read, query, slice, 30)),
        trashCount: await countTrash(store.read, query)
      }
      const wanted = {
        list: seen,
        descending: seen.toReversed(),
        after: seen.slice(1),
        count: seen.length,
        trash: had,
        trashCount: had.length
      }
      if (JSON.stringify(is) !== JSON.stringify(wanted)) different.push({ filter, is, wanted })
    }
    t.same(different, [], name)

    // Administrators, like all users, have a list of the graphs that they own or that are shared with them.
    const mine = graphs.filter(
      ({ owner, shared, type, isTrashed }) =>
        !isTrashed && actor.account !== undefined && (owner === actor.account || shared || grantOf(name, type) !== null)
    )
    const start = { sorts: [{ field: 'id', direction: 'asc' } as const], offset: 0 }
    const told: number[] = []
    for (let after: number[] | undefined, batch: number[]; ; after = batch.slice(-1)) {
      batch = ids(await listOwnAndShared(store, actor, { ...start, limit: 2, after }))
      told.push(...batch)
      if (batch.length < 2) break
    }
    t.same(told, ids(mine), `${name}'s own and shared graphs`)
  }
})

t.test('the parts of a list do not overlap, and an index returns them in order', async (t) => {
  const { store } = await fill(t)
  const own = { owner: 'ada', shared: false }
  const bobs = { owner: 'bob', shared: true }
  const shared = { shared: true }
  const granted = { shared: false, isGranted: true } as const
  const viewers: [Viewer, object, IndexRange[]][] = [
    [ada, {}, [own, shared, granted]],
    [ada, { shared: true }, [shared]],
    [ada, { shared: false }, [own, granted]],
    [ada, { access: 'READ' }, [shared, granted]],
    [ada, { access: 'OWNER', shared: false }, [own]],
    [ada, { access: 'OWNER', owner: 'bob' }, []],
    [system, { access: 'OWNER', shared: true }, [shared]],
    [system, { access: 'WRITE' }, []],
    [ada, { owner: 'ada' }, [own, { ...own, shared: true }]],
    [ada, { owner: 'bob' }, [bobs, { owner: 'bob', ...granted }]],
    [ada, { owner: 'bob', shared: false }, [{ owner: 'bob', ...granted }]],
    [system, {}, [{}]],
    [system, { shared: true }, [shared]],
    [system, { shared: false }, [{ shared: false }]],
    [system, { owner: 'bob', shared: true }, [bobs]],
    [system, { owner: 'bob' }, [{ ...bobs, shared: false }, bobs]]
  ]
  for (const [viewer, filter, wanted] of viewers) {
    const parts = rangesOf(viewer, filter)
    t.strictSame(parts, wanted, JSON.stringify(filter))
    for (const part of parts) {
      t.equal(isIndexed(part), !part.isGranted && !(part.owner === undefined && part.shared === false))
      if (!isIndexed(part)) continue
      const plan = await planOf(store, part)
      t.match(plan, indexOf(part), JSON.stringify(part))
      t.notMatch(plan, /B-TREE|Sort/, 'the index returns the list in order')
    }
  }
})

/** Returns the query plan for a page of the part, step by step. */
async function planOf(store: Store, part: IndexRange): Promise<string> {
  return store.write(async (trx) => {
    const query = whereInRange(trx.selectFrom('graph').select('id'), rangeShapeOf(part), {
      ...rangeParametersOf([part]),
      account: 'ada',
      userId: 1
    })
    const page = query.where('id', '>', 0).orderBy('id').limit(20).compile()
    const explain = (how: string) => trx.executeQuery<Record<string, string>>({ ...page, sql: `${how} ${page.sql}` })
    if (engine === 'SQLite') return (await explain('EXPLAIN QUERY PLAN')).rows.map(({ detail }) => detail).join('\n')
    // With so few rows the planner would otherwise scan sequentially.
    await sql`SET LOCAL enable_seqscan = off`.execute(trx)
    await sql`SET LOCAL enable_bitmapscan = off`.execute(trx)
    return (await explain('EXPLAIN')).rows.map((row) => row['QUERY PLAN']).join('\n')
  })
}

/** Returns the index that covers the rows of the part. */
function indexOf({ owner, shared }: IndexRange) {
  if (owner !== undefined)
    return /SEARCH graph USING (COVERING )?INDEX graphByOwner|Index (Only )?Scan using "graphByOwner"/
  if (shared) return /SEARCH graph USING (COVERING )?INDEX graphShared|Index (Only )?Scan using "graphShared"/
  return /SEARCH graph USING INTEGER PRIMARY KEY|Index (Only )?Scan using graph_pkey/
}

t.test("every response states the caller's access", async (t) => {
  const { as } = await build(t)
  const callers = ['ada', 'bob', 'audrey', 'root']
  const jgf = { 'content-type': 'application/vnd.jgf+json' }
  const file = JSON.stringify({ graph: { nodes: { a: {} }, edges: [] } })
  const accessIn = ({ body }: Reply) => (Array.isArray(body) ? body.map(({ access }) => access) : body?.access)

  const ada = as('ada')
  t.equal(accessIn(await ada.post('/api/graphs', triangle)), 'OWNER', 'POST')
  t.equal(
    accessIn(await ada.patch('/api/graphs/1', { shared: true, access: 'READ' })),
    'OWNER',
    'PATCH ignores the access field'
  )
  t.equal(
    accessIn(await ada.put('/api/graphs', { id: 1, name: 'A', shared: true, access: 7 })),
    'OWNER',
    'PUT ignores the access field'
  )
  t.equal(
    accessIn(await as('root').put('/api/graphs/1/content', file, jgf)),
    'OWNER',
    'PUT of a file returns the access'
  )
  t.equal(accessIn(await as('bob').post('/api/graphs/import', file, jgf)), 'OWNER', 'import')
  t.equal(accessIn(await ada.post('/api/graphs/1/restore', { version: 2 })), 'OWNER', 'restore')
  await ada.post('/api/graphs', triangle)
  await ada.delete('/api/graphs/3')

  const seen: Record<string, object> = {}
  for (const caller of callers) {
    const client = as(caller)
    seen[caller] = {
      one: accessIn(await client.get('/api/graphs/1')),
      // The graph was private in that version.
      version: accessIn(await client.get('/api/graphs/1/versions/1')),
      list: accessIn(await client.get('/api/graphs')),
      mine: accessIn(await client.get('/api/mygraphs')),
      trash: accessIn(await client.get('/api/trash'))
    }
  }
  const reader = { one: 'READ', version: 'READ', list: ['READ'], mine: ['READ'], trash: [] }
  t.strictSame(seen, {
    ada: { one: 'OWNER', version: 'OWNER', list: ['OWNER'], mine: ['OWNER'], trash: ['OWNER'] },
    bob: { ...reader, list: ['READ', 'OWNER'], mine: ['READ', 'OWNER'] },
    audrey: reader,
    root: { one: 'OWNER', version: 'OWNER', list: ['OWNER', 'OWNER'], mine: ['OWNER'], trash: ['OWNER'] }
  })
})

t.test('an ETag depends on the record as the caller sees it, and identifies the state for all callers', async (t) => {
  const { as, store } = await build(t)
  await as('ada').post('/api/graphs', { ...triangle, shared: true })
  const tagOf = async (login: string) => (await as(login).get('/api/graphs/1')).headers.etag ?? ''
  const [own, read] = [await tagOf('ada'), await tagOf('bob')]
  t.not(own, read)
  t.equal(await tagOf('root'), own, 'an administrator gets the same record as the owner')
  const ask = async (login: string, tag: string) =>
    (await as(login).get('/api/graphs/1', { 'if-none-match': tag })).status
  t.strictSame([await ask('bob', read), await ask('bob', own), await ask('ada', read)], [304, 200, 200])

  // A cached record becomes stale when the user becomes an administrator.
  const setRole = (role: Role) =>
    store.write((trx) => trx.updateTable('user').set({ role }).where('login', '=', 'bob').execute())
  await setRole('ADMIN')
  const rename = (name: string, tag: string) => as('bob').patch('/api/graphs/1', { name }, { 'if-match': tag })
  t.equal(await ask('bob', read), 200)
  for (const tag of [read, read.replace(/"$/, '.gml"')]) {
    t.equal((await rename('Triangle', tag)).status, 200, `${tag}: the ETag identifies the state`)
  }
  t.equal((await rename('Other', read)).status, 200)
  t.match(await rename('X', read), problem(412, 'precondition-failed'))
})
