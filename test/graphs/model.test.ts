import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { contradictions } from '../support/consistency.ts'
import { build, events } from '../support/helper.ts'

/** The expected state of a version in a model without a database. */
interface State {
  name: string
  type: string | undefined
  shared: boolean
  nodes: string[] | undefined
}

interface Version extends State {
  principal: string
  message: string | undefined
  restoredFrom: number | undefined
}

interface Model {
  id: number
  owner: string
  isTrashed: boolean
  /** The versions, oldest first. */
  versions: Version[]
}

const logins = ['ada', 'bob', 'root'] as const
const login = fc.constantFrom(...logins)
const name = fc.constantFrom('Alpha', 'beta', 'Γάμμα', 'delta %_')
const type = fc.option(fc.constantFrom('LINE', 'TREE'), { nil: undefined })
// Content with `large` is stored compressed and deduplicated.
const nodes = fc.option(fc.uniqueArray(fc.constantFrom('a', 'b', '__proto__', 'large'), { maxLength: 3 }), {
  nil: undefined
})
const message = fc.option(fc.constantFrom('because', 'why not?'), { nil: undefined })
const id = fc.nat(6)
const isFresh = fc.boolean()
const version = fc.integer({ min: 1, max: 4 })
const kind = <Kind extends string>(kind: Kind) => fc.constant(kind)

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: kind('create'), login, name, type, shared: fc.boolean(), nodes, message })
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: kind('put'), login, id, name, type, shared: fc.boolean(), nodes, isFresh, message })
  },
  { weight: 3, arbitrary: fc.record({ kind: kind('patch'), login, id, name, shared: fc.boolean(), isFresh, message }) },
  { weight: 6, arbitrary: fc.record({ kind: kind('restore'), login, id, version, message }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('delete'), login, id }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('untrash'), login, id }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('purge'), login, id }) }
)

const contentOf = (ids: string[]) => ({
  directed: true,
  nodes: ids.map((node) => ({ id: node, ...(node === 'large' && { metadata: { text: 'x'.repeat(5000) } }) })),
  edges: []
})
const isSame = (a: State, b: State) =>
  JSON.stringify([a.name, a.type, a.shared, a.nodes]) === JSON.stringify([b.name, b.type, b.shared, b.nodes])
const currentOf = ({ versions }: Model) => versions.at(-1) as Version

/** Returns the expected representation of a graph or version for one of the users. */
function shown(who: string, { id, owner }: Model, { name, type, shared, nodes }: State, version: number) {
  const counts = { nodeCount: nodes?.length ?? 0, edgeCount: 0 }
  const access = owner === who || who === 'root' ? 'OWNER' : 'READ'
  return { id, name, ...(type && { type }), shared, owner, access, version, ...counts }
}

/** A multiplier for the number of histories; `test/long/random.test.ts` raises it. */
const RUNS = Number(process.env.RUNS ?? 1)

t.test('random histories of three users match a model, in every version', async (t) => {
  const histories = fc.sample(fc.array(step, { minLength: 50, maxLength: 80 }), { numRuns: 4 * RUNS, seed: 20261121 })
  let restored = 0
  for (const [number, history] of histories.entries()) {
    const { as, store } = await build(t)
    for (const who of logins) await as(who).get('/api/account')
    const graphs = new Map<number, Model>()
    const wrong: object[] = []
    let created = 0
    let denials = 0
    for (const action of history) {
      const client = as(action.login)
      const message = 'message' in action ? action.message : undefined
      if (action.kind === 'create') {
        const { name, type, shared, nodes } = action
        const content = nodes && { content: contentOf(nodes) }
        const { status, body } = await client.post('/api/graphs', { name, type, shared, message, ...content })
        if (status !== 201 || body.id !== ++created) wrong.push({ action, status, body })
        const first = { name, type, shared, nodes, principal: action.login, message, restoredFrom: undefined }
        graphs.set(created, { id: created, owner: action.login, isTrashed: false, versions: [first] })
        continue
      }

      const graph = graphs.get(action.id)
      const isOwn = graph !== undefined && (graph.owner === action.login || action.login === 'root')
      if (action.kind === 'untrash' || action.kind === 'purge') {
        const { status } =
          action.kind === 'purge'
            ? await client.delete(`/api/trash/${action.id}`)
            : await client.post(`/api/trash/${action.id}/restore`)
        const isThere = isOwn && graph.isTrashed
        const expected = action.id === 0 ? 400 : isThere ? 200 : 404
        if (status !== expected) wrong.push({ action, status, expected })
        if (!isThere) continue
        if (action.kind === 'purge') graphs.delete(action.id)
        else graph.isTrashed = false
        continue
      }

      const seen = graph && !graph.isTrashed && (isOwn || currentOf(graph).shared) ? graph : undefined
      if (seen && !isOwn) denials++
      const refusal = action.id === 0 ? 400 : !seen ? (action.kind === 'delete' ? 200 : 404) : isOwn ? undefined : 403
      if (action.kind === 'delete') {
        const { status } = await client.delete(`/api/graphs/${action.id}`)
        if (status !== (refusal ?? 200)) wrong.push({ action, status, refusal })
        if (seen && isOwn) seen.isTrashed = true
        continue
      }

      if (action.kind === 'restore') {
        const { version } = action
        const { status, body } = await client.post(`/api/graphs/${action.id}/restore`, { version, message })
        const old = seen?.versions[version - 1]
        const expected = refusal ?? (old ? 200 : 404)
        if (status !== expected) wrong.push({ action, status, expected, body })
        if (status !== 200 || !seen || !old) continue
        seen.versions.push({ ...old, principal: action.login, message, restoredFrom: version })
        restored++
        continue
      }

      // Any version other than the current one is a conflict.
      const count = seen?.versions.length
      const version = count && (action.isFresh ? count : count + 1)
      const { name, shared } = action
      const before = seen && currentOf(seen)
      const wanted: State =
        action.kind === 'put'
          ? { name, type: action.type, shared, nodes: action.nodes ?? before?.nodes }
          : { name, type: before?.type, shared, nodes: before?.nodes }
      const content = action.kind === 'put' && action.nodes && { content: contentOf(action.nodes) }
      const { status, body } =
        action.kind === 'put'
          ? await client.put('/api/graphs', {
              id: action.id,
              version,
              message,
              ...wanted,
              nodes: undefined,
              ...content
            })
          : await client.patch(`/api/graphs/${action.id}`, { name, shared, version, message })
      const expected = refusal ?? (action.isFresh ? 200 : 409)
      if (status !== expected) wrong.push({ action, status, expected, body })
      if (status !== 200 || !seen || !before || isSame(before, wanted)) continue
      seen.versions.push({ ...wanted, principal: action.login, message, restoredFrom: undefined })
    }
    t.same(wrong, [], `history ${number}: every response was as expected`)

    const all = [...graphs.values()].sort((a, b) => a.id - b.id)
    const plain = ({ createdAt: _, updatedAt: __, content: ___, ...rest }: any) => rest
    const living = all.filter(({ isTrashed }) => !isTrashed)
    for (const who of logins) {
      const listed = (graphs: Model[]) =>
        graphs.map((graph) => shown(who, graph, currentOf(graph), graph.versions.length))
      const isOwn = ({ owner }: Model) => owner === who || who === 'root'
      const visible = living.filter((graph) => isOwn(graph) || currentOf(graph).shared)
      t.same((await as(who).get('/api/graphs?size=1000')).body.map(plain), listed(visible), `${number}: ${who} reads`)
      const mine = living.filter((graph) => graph.owner === who || currentOf(graph).shared)
      t.same(
        (await as(who).get('/api/mygraphs')).body.map(plain),
        listed(mine),
        `${number}: ${who}'s own and shared graphs`
      )
      const trash = (await as(who).get('/api/trash?size=1000')).body
      t.same(
        trash.map(({ trashedAt: _, trashedBy: __, expiresAt: ___, ...rest }: any) => plain(rest)),
        listed(all.filter((graph) => graph.isTrashed && isOwn(graph))),
        `${number}: ${who}'s trash`
      )
    }

    // Checks every version of every graph, in lists and individually.
    for (const { id, isTrashed } of all) if (isTrashed) await as('root').post(`/api/trash/${id}/restore`)
    const different: object[] = []
    for (const graph of all) {
      const { body: told } = await as('root').get(`/api/graphs/${graph.id}/versions?size=1000&sort=version`)
      if (told.length !== graph.versions.length) different.push({ graph, told })
      for (const [index, expected] of graph.versions.entries()) {
        const version = index + 1
        const { name, nodes, principal, message, restoredFrom } = expected
        const { timestamp, auditEventId: _, ...rest } = told[index]
        const wanted = {
          version,
          principal,
          ...(message && { message }),
          name,
          nodeCount: nodes?.length ?? 0,
          edgeCount: 0,
          ...(restoredFrom && { restoredFrom })
        }
        const { body } = await as('root').get(`/api/graphs/${graph.id}/versions/${version}`)
        const is = [rest, plain(body), body.content ?? null, body.updatedAt]
        const shall = [wanted, shown('root', graph, expected, version), nodes ? contentOf(nodes) : null, timestamp]
        if (!isDeepStrictEqual(is, shall)) different.push({ is, shall })
      }
    }
    t.same(different, [], `history ${number}: every version is unchanged`)
    t.same(await contradictions(store), [], `history ${number}: the store is consistent`)

    const trail = await events(store)
    // Only the first of several repeated denials is recorded as an event; test/attacks/denials.test.ts covers the counts of the
    // rest.
    const denied = trail.filter(({ type }) => type === 'AUTHORIZATION_FAILURE').length
    t.ok(denied <= denials && denied > 0 === denials > 0, `history ${number}: ${denied} of ${denials} denials`)
    const made = new Set(
      trail.filter(({ targetVersion }) => targetVersion).map((e) => `${e.targetId} ${e.targetVersion}`)
    )
    for (const { id, versions } of all) {
      t.ok(
        versions.every((_, index) => made.has(`${id} ${index + 1}`)),
        `history ${number}: each version of ${id} has an event`
      )
    }
    const days = await store.read.selectFrom('auditDay').selectAll().execute()
    t.equal(
      days.reduce((total, { count }) => total + count, 0),
      trail.length,
      `history ${number}: the day counts match the events`
    )
    t.equal(Math.max(...days.map(({ lastId }) => lastId)), trail.at(-1)?.id)

    for (const { id } of all) {
      await as('root').delete(`/api/graphs/${id}`)
      await as('root').delete(`/api/trash/${id}`)
    }
    t.same(await store.read.selectFrom('content').select('id').execute(), [], `history ${number}: no content is left`)
    t.same(await store.read.selectFrom('graphVersion').select('version').execute(), [])
  }
  t.ok(restored > 4 * RUNS, `${restored} versions were restored`)
})
