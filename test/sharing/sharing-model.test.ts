import fc from 'fast-check'
import t, { type Test } from 'tap'
import { UserActor } from '../../db/actors.ts'
import { findGraphAt, findGraphWithContent } from '../../db/graphs/graphs.ts'
import type { Access } from '../../schemas/graph.ts'
import { contradictions } from '../support/consistency.ts'
import { addUser, build, events, type Reply } from '../support/helper.ts'

// Random histories of five users and three groups. After each step, all users see what a model without a database predicts.
// Each step compares the lists of one user in turn, or those of all users if RUNS exceeds 1, as in `test/long/random.test.ts`.

/** A multiplier for the number of histories. */
const RUNS = Number(process.env.RUNS ?? 1)

const logins = ['ada', 'bob', 'cy', 'dot', 'eve'] as const
const groupNames = ['lab', 'hall', 'staff'] as const
const tagNames = ['a', 'b', 'a b', '"'] as const

interface GraphModel {
  id: number
  name: string
  owner: string
  shared: boolean
  tags: string[]
  isTrashed: boolean
  versions: number
  /** The grants, keyed by `user:login` and `group:name`. */
  grants: Map<string, 'READ' | 'WRITE'>
}

interface Model {
  users: Set<string>
  groups: Map<string, Set<string>>
  graphs: GraphModel[]
  /** The number of events of each type. */
  events: Record<string, number>
}

const login = fc.constantFrom(...logins)
const group = fc.constantFrom(...groupNames)
/** The acting user; `owner` is the owner of the graph. */
const actor = fc.constantFrom(...logins, 'root', 'owner', 'owner', 'owner')
const tags = fc.uniqueArray(fc.constantFrom(...tagNames), { maxLength: 2 })
const access = fc.constantFrom('READ' as const, 'WRITE' as const)
/** A grantee, in the form used for keys in the model. */
const grantee = fc.oneof(
  login.map((name) => `user:${name}`),
  group.map((name) => `group:${name}`)
)
const index = fc.nat(5)
const maybe = fc.option(fc.boolean(), { nil: undefined })
const kind = <Kind extends string>(kind: Kind) => fc.constant(kind)

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: kind('create'), actor: login, shared: fc.boolean(), tags }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('change'), actor, index, shared: maybe, tags }) },
  { weight: 6, arbitrary: fc.record({ kind: kind('grant'), actor, index, grantee, access }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('revoke'), actor, index, grantee, number: index }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('transfer'), actor, index, to: login }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('trash'), actor, index }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('untrash'), actor, index }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('purge'), actor, index }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('toggleGroup'), group }) },
  { weight: 5, arbitrary: fc.record({ kind: kind('join'), group, login }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('leave'), group, login }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('rename'), group }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('toggleUser'), login }) }
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Returns the user's access level for the graph, or undefined if they cannot see it. */
function accessOf({ groups }: Model, who: string, graph: GraphModel): Access | undefined {
  if (who === 'root' || graph.owner === who) return 'OWNER'
  const granted = [...graph.grants].flatMap(([key, access]) => {
    const [type, name = ''] = key.split(':')
    return (type === 'user' ? name === who : groups.get(name)?.has(who)) ? [access] : []
  })
  if (granted.includes('WRITE')) return 'WRITE'
  return granted.length > 0 || graph.shared ? 'READ' : undefined
}

/** Returns the expected record of the graph. */
function shown(model: Model, who: string, graph: GraphModel) {
  const { id, name, owner, shared, tags, versions } = graph
  const access = accessOf(model, who, graph)
  return { id, name, shared, owner, access, version: versions, ...(tags.length > 0 && { tags }) }
}

const plain = ({ createdAt: _, updatedAt: __, nodeCount: ___, edgeCount: ____, ...rest }: any) => rest

t.test('random histories of five users and three groups match a model', async (t) => {
  const histories = fc.sample(fc.array(step, { minLength: 70, maxLength: 70 }), { numRuns: 3 * RUNS, seed: 20261123 })
  const done: Record<string, number> = {}
  for (const [number, history] of histories.entries()) await live(t, `history ${number}`, history, done)
  t.same(
    Object.keys(done).sort(),
    [...new Set(histories.flat().map(({ kind }) => kind))].sort(),
    'each kind of step had an effect'
  )
})

async function live(t: Test, title: string, history: Step[], done: Record<string, number>) {
  const { app, as, store } = await build(t)
  const tokens = new Map<string, string>()
  const actors = new Map<string, UserActor>()
  const arrive = async (who: string) => {
    const user = await addUser(store, who)
    tokens.set(who, app.issueToken(user, false).token)
    actors.set(who, new UserActor(who, user.role, user.id))
    model.users.add(who)
  }
  const model: Model = { users: new Set(), groups: new Map(), graphs: [], events: {} }
  for (const who of [...logins, 'root']) await arrive(who)
  const nobody = as()
  const client = (who: string) => {
    const headers = { authorization: `Bearer ${tokens.get(who)}` }
    return {
      get: (url: string) => nobody.get(url, headers),
      delete: (url: string) => nobody.delete(url, headers),
      post: (url: string, body: object) => nobody.post(url, body, headers),
      put: (url: string, body?: object) => nobody.put(url, body, headers),
      patch: (url: string, body: object) => nobody.patch(url, body, headers)
    }
  }
  const record = (type: string) => {
    model.events[type] = (model.events[type] ?? 0) + 1
  }

  for (const [number, action] of history.entries()) {
    const changes = await apply(action)
    if (changes) done[action.kind] = (done[action.kind] ?? 0) + 1
    const name = `${title}, step ${number}: ${JSON.stringify(action)}`
    for (const [place, who] of ['root', ...logins].entries()) {
      if (!model.users.has(who)) continue
      if (RUNS > 1 || (place + 3) % 6 === number % 6) await compareLists(who, name)
      await compareAccess(who, name)
    }
    await compareLookups(['root', ...logins][number % 6] ?? 'root', name)
    if (!t.passing()) return
  }
  t.same(await contradictions(store), [], `${title}: the store is consistent`)
  const counts: Record<string, number> = {}
  for (const { type } of await events(store)) {
    if (type !== 'AUTHORIZATION_FAILURE') counts[type] = (counts[type] ?? 0) + 1
  }
  t.same(counts, model.events, `${title}: only changes create events`)

  /** Performs the step on the server and in the model. Returns whether it has changed anything. */
  async function apply(action: Step): Promise<boolean> {
    const expect = (reply: Reply, status: number) =>
      t.equal(reply.status, status, `${title}: ${JSON.stringify(action)} ${reply.text}`)
    const root = client('root')
    switch (action.kind) {
      case 'create': {
        const { actor, shared, tags } = action
        if (!model.users.has(actor)) return false
        const name = `Of ${actor}`
        const reply = await client(actor).post('/api/graphs', { name, shared, tags })
        expect(reply, 201)
        const { id } = reply.body
        model.graphs.push({ id, name, owner: actor, shared, tags, isTrashed: false, versions: 1, grants: new Map() })
        record('GRAPH_CREATED')
        return true
      }
      case 'toggleGroup': {
        const path = `/api/groups/${action.group}`
        if (model.groups.delete(action.group)) {
          for (const { grants } of model.graphs) grants.delete(`group:${action.group}`)
          expect(await root.delete(path), 204)
          record('GROUP_DELETED')
        } else {
          expect(await root.post('/api/groups', { name: action.group }), 201)
          model.groups.set(action.group, new Set())
          record('GROUP_CREATED')
        }
        return true
      }
      case 'join':
      case 'leave': {
        const { group } = action
        const members = model.groups.get(group)
        // Where possible, the user who leaves a group is a member.
        const login = (action.kind === 'leave' && [...(members ?? [])][0]) || action.login
        const path = `/api/groups/${group}/members/${login}`
        const isKnown = members !== undefined && model.users.has(login)
        expect(await (action.kind === 'join' ? root.put(path) : root.delete(path)), isKnown ? 204 : 404)
        if (!isKnown || members.has(login) === (action.kind === 'join')) return false
        if (action.kind === 'join') members.add(login)
        else members.delete(login)
        record('GROUP_UPDATED')
        return true
      }
      case 'rename': {
        // Renames the group, then restores its name: grants follow the group, not its name.
        const isKnown = model.groups.has(action.group)
        expect(await root.patch(`/api/groups/${action.group}`, { name: 'other' }), isKnown ? 200 : 404)
        if (!isKnown) return false
        for (const who of model.users) await compareLists(who, `${title}: ${action.group} has another name`)
        expect(await root.patch('/api/groups/other', { name: action.group }), 200)
        record('GROUP_UPDATED')
        record('GROUP_UPDATED')
        return true
      }
      case 'toggleUser': {
        const { login } = action
        if (!model.users.has(login)) {
          await arrive(login)
          return true
        }
        const owns = model.graphs.some(({ owner }) => owner === login)
        expect(await root.delete(`/api/users/${login}`), owns ? 409 : 204)
        if (owns) return false
        model.users.delete(login)
        for (const { grants } of model.graphs) grants.delete(`user:${login}`)
        for (const members of model.groups.values()) members.delete(login)
        record('USER_DELETED')
        return true
      }
      default:
        return applyToGraph(action, expect)
    }
  }

  async function applyToGraph(
    action: Extract<Step, { index: number }>,
    expect: (reply: Reply, status: number) => void
  ): Promise<boolean> {
    const { kind, index } = action
    const trashed = model.graphs.filter(({ isTrashed }) => isTrashed)
    const chosen = (kind === 'untrash' || kind === 'purge') && trashed.length > 0 ? trashed : model.graphs
    const graph = chosen[index % Math.max(chosen.length, 1)]
    const actor = action.actor === 'owner' && graph ? graph.owner : action.actor
    if (!graph || !model.users.has(actor)) return false
    const { id, grants } = graph
    const { get: _, ...send } = client(actor)
    const isOwner = actor === 'root' || graph.owner === actor
    if (kind === 'untrash' || kind === 'purge') {
      const isThere = graph.isTrashed && isOwner
      const path = `/api/trash/${id}`
      expect(await (kind === 'purge' ? send.delete(path) : send.post(`${path}/restore`, {})), isThere ? 200 : 404)
      if (!isThere) return false
      if (kind === 'purge') model.graphs.splice(model.graphs.indexOf(graph), 1)
      else graph.isTrashed = false
      record(kind === 'purge' ? 'GRAPH_PURGED' : 'GRAPH_RESTORED')
      return true
    }
    const access = graph.isTrashed ? undefined : accessOf(model, actor, graph)
    if (kind === 'trash') {
      expect(await send.delete(`/api/graphs/${id}`), access === undefined || access === 'OWNER' ? 200 : 403)
      if (access !== 'OWNER') return false
      graph.isTrashed = true
      record('GRAPH_TRASHED')
      return true
    }
    if (kind === 'change') {
      const { shared = graph.shared, tags } = action
      const isAllowed = access === 'OWNER' || (access === 'WRITE' && shared === graph.shared)
      const body = { id, name: graph.name, tags, ...(action.shared !== undefined && { shared }) }
      // If an owner omits the field, the graph becomes private.
      const wanted = access === 'OWNER' && action.shared === undefined ? false : shared
      expect(await send.put('/api/graphs', body), access === undefined ? 404 : isAllowed ? 200 : 403)
      if (!isAllowed) return false
      const isRetagged = JSON.stringify(tags) !== JSON.stringify(graph.tags)
      if (isRetagged) record('GRAPH_UPDATED')
      if (wanted !== graph.shared) record(wanted ? 'GRAPH_SHARED' : 'GRAPH_UNSHARED')
      if (!isRetagged && wanted === graph.shared) return false
      Object.assign(graph, { shared: wanted, tags, versions: graph.versions + 1 })
      return true
    }
    const refusal = access === undefined ? 404 : access === 'OWNER' ? undefined : 403
    if (kind === 'transfer') {
      const isKnown = model.users.has(action.to)
      // Setting the owner to the current owner is not a change, and every writer may do it.
      const isSame = graph.owner === action.to
      const status = isSame && access === 'WRITE' ? 200 : (refusal ?? (isKnown ? 200 : 404))
      expect(await send.patch(`/api/graphs/${id}`, { owner: action.to }), status)
      if (status !== 200 || isSame) return false
      Object.assign(graph, { owner: action.to, versions: graph.versions + 1 })
      grants.delete(`user:${action.to}`)
      record('GRAPH_TRANSFERRED')
      return true
    }
    // Revokes an existing grant if possible.
    const known = kind === 'revoke' ? [...grants.keys()][action.number] : undefined
    const key = known ?? action.grantee
    const [type, name = ''] = key.split(':')
    const path = type === 'user' ? 'users' : 'groups'
    const isKnown = type === 'user' ? model.users.has(name) : model.groups.has(name)
    const url = `/api/graphs/${id}/access/${path}/${name}`
    if (kind === 'revoke') {
      expect(await send.delete(url), refusal ?? (isKnown ? 204 : 404))
      if (refusal || !grants.delete(key)) return false
      record('GRAPH_ACCESS_REVOKED')
      return true
    }
    const isOwn = type === 'user' && name === graph.owner
    expect(await send.put(url, { access: action.access }), refusal ?? (isKnown ? (isOwn ? 400 : 204) : 404))
    if (refusal || !isKnown || isOwn || grants.get(key) === action.access) return false
    grants.set(key, action.access)
    record('GRAPH_ACCESS_GRANTED')
    return true
  }

  /** Compares the user's lists, including their counts and tags, with the model. */
  async function compareLists(who: string, name: string) {
    const { get } = client(who)
    const living = model.graphs.filter(({ isTrashed }) => !isTrashed)
    const visible = living.filter((graph) => accessOf(model, who, graph) !== undefined)
    const wanted = visible.map((graph) => shown(model, who, graph))
    const list = await get('/api/graphs?size=1000')
    const counted = new Map<string, number>()
    for (const tag of visible.flatMap(({ tags }) => tags)) counted.set(tag, (counted.get(tag) ?? 0) + 1)
    const is = {
      list: list.body.map(plain),
      count: list.headers['x-total-count'],
      named: (await get('/api/graphs?sort=name&size=1000')).body
        .map(({ id }: any) => id)
        .sort((a: number, b: number) => a - b),
      written: (await get('/api/graphs?access=WRITE')).body.map(({ id }: any) => id),
      tagged: (await get('/api/graphs?tags=a')).headers['x-total-count'],
      sought: (await get('/api/graphs?q=of')).headers['x-total-count'],
      found: (await get('/api/search?q=of&size=100')).body.map(({ graph }: any) => plain(graph)),
      foundOf: (await get('/api/search?q=of&owner=ada&tags=a')).body.map(({ graph }: any) => graph.id),
      tags: (await get('/api/tags?size=1000')).body,
      mine: who === 'root' ? [] : (await get('/api/mygraphs')).body.map(plain),
      trash: (await get('/api/trash')).body.map(({ id }: any) => id)
    }
    const ids = (graphs: GraphModel[]) => graphs.map(({ id }) => id)
    const tagged = visible.filter(({ tags }) => tags.includes('a'))
    const expected = {
      list: wanted,
      count: String(wanted.length),
      named: ids(visible),
      written: ids(visible.filter((graph) => accessOf(model, who, graph) === 'WRITE')),
      tagged: String(tagged.length),
      sought: String(wanted.length),
      found: wanted.toReversed(),
      foundOf: ids(tagged.filter(({ owner }) => owner === 'ada')).reverse(),
      tags: [...counted].map(([tag, count]) => ({ tag, count })).sort((a, b) => (a.tag < b.tag ? -1 : 1)),
      // Administrators also see graphs that they do not own and that are not shared with them.
      mine: who === 'root' ? [] : wanted,
      trash: ids(model.graphs.filter(({ owner, isTrashed }) => isTrashed && (owner === who || who === 'root')))
    }
    t.same(is, expected, `${name}: ${who}`)
  }

  /** Compares the user's access to each graph and its first version in the store with the model. */
  async function compareAccess(who: string, name: string) {
    const actor = actors.get(who)
    if (!actor) return
    const is: unknown[] = []
    for (const { id } of model.graphs) {
      const one = await findGraphWithContent(store.read, actor, id)
      const first = await findGraphAt(store.read, actor, id, 1)
      is.push([id, one?.access, first?.access])
    }
    const accesses = model.graphs.map((graph) => {
      const access = graph.isTrashed ? undefined : accessOf(model, who, graph)
      return [graph.id, access, access]
    })
    t.same(is, accesses, `${name}: ${who} looks up graphs`)
  }

  /** Compares each graph that the user fetches, its versions and its grants, with the model. */
  async function compareLookups(who: string, name: string) {
    if (!model.users.has(who)) return
    const { get } = client(who)
    for (const graph of model.graphs) {
      const access = graph.isTrashed ? undefined : accessOf(model, who, graph)
      const isThere = access !== undefined
      const one = await get(`/api/graphs/${graph.id}`)
      const versions = await get(`/api/graphs/${graph.id}/versions`)
      const grants = await get(`/api/graphs/${graph.id}/access`)
      const names = grants.status === 200 ? grants.body.map(({ user, group }: any) => user ?? group).sort() : []
      t.same(
        {
          one: isThere ? plain(one.body) : one.status,
          versions: isThere ? versions.headers['x-total-count'] : versions.status,
          status: grants.status,
          names
        },
        {
          one: isThere ? shown(model, who, graph) : 404,
          versions: isThere ? String(graph.versions) : 404,
          status: access === undefined ? 404 : access === 'OWNER' ? 200 : 403,
          names: access === 'OWNER' ? [...graph.grants.keys()].map((key) => key.split(':')[1]).sort() : []
        },
        `${name}: ${who} looks at ${graph.id}`
      )
    }
  }
}
