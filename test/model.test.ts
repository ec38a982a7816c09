import fc from 'fast-check'
import t from 'tap'
import { build, events } from './helper.ts'

/** What a graph should be, by a model that knows nothing of databases. */
interface Model {
  id: number
  owner: string
  name: string
  type?: string
  shared: boolean
  version: number
  nodes: string[] | undefined
}

const logins = ['ada', 'bob', 'root'] as const
const login = fc.constantFrom(...logins)
const name = fc.constantFrom('Alpha', 'beta', 'Γάμμα', 'delta %_')
const type = fc.option(fc.constantFrom('LINE', 'TREE'), { nil: undefined })
const nodes = fc.option(fc.uniqueArray(fc.constantFrom('a', 'b', '__proto__'), { maxLength: 3 }), { nil: undefined })
const id = fc.nat(12)
const fresh = fc.boolean()

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('create' as const), login, name, type, shared: fc.boolean(), nodes })
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      login,
      id,
      name,
      type,
      shared: fc.boolean(),
      nodes,
      fresh
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('patch' as const), login, id, name, shared: fc.boolean(), fresh })
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), login, id }) }
)

const contentOf = (ids: string[]) => ({ directed: true, nodes: ids.map((node) => ({ id: node })), edges: [] })
const isVisible = (graph: Model, who: string) => who === 'root' || graph.owner === who || graph.shared
const isWritable = (graph: Model, who: string) => who === 'root' || graph.owner === who

t.test('random histories of three users end where a model says', async (t) => {
  const histories = fc.sample(fc.array(step, { minLength: 25, maxLength: 40 }), { numRuns: 12, seed: 20261121 })
  for (const [number, history] of histories.entries()) {
    const { as, store } = await build(t)
    for (const who of logins) await as(who).get('/api/account')
    const graphs = new Map<number, Model>()
    const wrong: object[] = []
    let created = 0
    let changes = 0
    let denials = 0
    for (const action of history) {
      const client = as(action.login)
      if (action.kind === 'create') {
        const { name, type, shared, nodes } = action
        const { status, body } = await client.post('/api/graphs', {
          name,
          type,
          shared,
          ...(nodes && { content: contentOf(nodes) })
        })
        graphs.set(++created, {
          id: created,
          owner: action.login,
          name,
          ...(type && { type }),
          shared,
          version: 1,
          nodes
        })
        if (status !== 201 || body.id !== created) wrong.push({ action, status, body })
        changes++
        continue
      }
      const graph = graphs.get(action.id)
      const seen = graph && isVisible(graph, action.login) ? graph : undefined
      const isDenied = seen !== undefined && !isWritable(seen, action.login)
      if (isDenied) denials++
      if (action.kind === 'delete') {
        const { status } = await client.delete(`/api/graphs/${action.id}`).then(
          (reply) => reply,
          () => ({ status: 0 })
        )
        const expected = action.id === 0 ? 400 : isDenied ? 403 : 200
        if (status !== expected) wrong.push({ action, status, expected })
        if (seen && !isDenied) {
          graphs.delete(action.id)
          changes++
        }
        continue
      }
      // A version that is not the stored one is a conflict.
      const version = seen && (action.fresh ? seen.version : seen.version + 1)
      const wanted =
        action.kind === 'put'
          ? { name: action.name, type: action.type, shared: action.shared, nodes: action.nodes ?? seen?.nodes }
          : { name: action.name, type: seen?.type, shared: action.shared, nodes: seen?.nodes }
      const { status, body } =
        action.kind === 'put'
          ? await client.put('/api/graphs', {
              id: action.id,
              version,
              name: action.name,
              type: action.type,
              shared: action.shared,
              ...(action.nodes && { content: contentOf(action.nodes) })
            })
          : await client.patch(`/api/graphs/${action.id}`, { name: action.name, shared: action.shared, version })
      const expected = action.id === 0 ? 400 : !seen ? 404 : isDenied ? 403 : action.fresh ? 200 : 409
      if (status !== expected) wrong.push({ action, status, expected, body })
      if (status !== 200 || !seen) continue
      const before = JSON.stringify([seen.name, seen.type, seen.nodes])
      const wasShared = seen.shared
      Object.assign(seen, wanted)
      const isChanged = before !== JSON.stringify([seen.name, seen.type, seen.nodes])
      if (isChanged || wasShared !== seen.shared) seen.version++
      changes += Number(isChanged) + Number(wasShared !== seen.shared)
    }

    const all = [...graphs.values()].sort((a, b) => a.id - b.id)
    const shown = ({ id, owner, name, type, shared, version }: Model) => ({ id, owner, name, type, shared, version })
    for (const who of logins) {
      const listed = (await as(who).get('/api/graphs?size=1000')).body.map(shown)
      t.same(listed, all.filter((graph) => isVisible(graph, who)).map(shown), `history ${number}: what ${who} may read`)
      const mine = (await as(who).get('/api/mygraphs')).body.map(shown)
      t.same(
        mine,
        all.filter(({ owner, shared }) => owner === who || shared).map(shown),
        `history ${number}: ${who}'s own and shared`
      )
    }
    for (const graph of all) {
      const { body } = await as('root').get(`/api/graphs/${graph.id}`)
      const ids = body.content?.nodes.map((node: { id: string }) => node.id)
      if (JSON.stringify(ids) !== JSON.stringify(graph.nodes)) wrong.push({ graph, ids })
    }
    const trail = await events(store)
    t.same(wrong, [], `history ${number}: every answer was as expected`)
    t.equal(trail.filter(({ type }) => type === 'AUTHORIZATION_FAILURE').length, denials, `history ${number}: denials`)
    t.equal(
      trail.filter(({ type }) => type.startsWith('GRAPH_')).length,
      changes,
      `history ${number}: an event for each change`
    )
    const contents = await store.read.selectFrom('content').select('hash').execute()
    t.equal(contents.length, all.filter(({ nodes }) => nodes).length, `history ${number}: no content is left over`)
    const counts = await store.read.selectFrom('graphCount').selectAll().where('count', '>', 0).execute()
    const counted: Record<string, number> = {}
    for (const { owner, shared } of all) {
      for (const name of ['', owner]) counted[`${name} ${shared}`] = (counted[`${name} ${shared}`] ?? 0) + 1
    }
    t.same(
      Object.fromEntries(counts.map(({ owner, shared, count }) => [`${owner} ${Boolean(shared)}`, count])),
      counted,
      `history ${number}: graphs are counted`
    )
    const days = await store.read.selectFrom('auditDay').selectAll().execute()
    t.match(
      days.reduce((total, { count }) => total + count, 0),
      trail.length,
      `history ${number}: events are counted`
    )
    t.equal(Math.max(...days.map(({ lastId }) => lastId)), trail.at(-1)?.id)
  }
})
