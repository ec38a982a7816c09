import t from 'tap'
import { system } from '../../db/actors.ts'
import { grantAccess, revokeAccess } from '../../db/sharing/grants.ts'
import { addMember, createGroup } from '../../db/sharing/groups.ts'
import { requireUser } from '../../db/users/users.ts'
import { build, problem, type Reply } from '../support/helper.ts'
import { good, makeTarget, missing, operations, requestOf, type Target } from '../support/operations.ts'

// The rights of every role for every operation of the OpenAPI document. To save time, callers with equal rights try one
// operation per class, and only callers for whom the kind of graph matters try the different kinds.

/** The callers. All except `anonymous` are signed in. Graphs belong to ada. */
const callers = {
  anonymous: undefined,
  owner: 'ada',
  'a writer': 'will',
  'a reader': 'rita',
  'a writer through a group': 'wanda',
  'a reader through a group': 'rob',
  'a former writer': 'fritz',
  'a former writer through a group': 'greta',
  other: 'bob',
  auditor: 'audrey',
  administrator: 'root'
}
type Caller = keyof typeof callers
type Kind = 'private' | 'shared' | 'none'
type Operation = (typeof operations)[number]
const everybody = Object.keys(callers) as Caller[]

/** Each caller's access level on a graph that is shared only by grants. */
const rights: Partial<Record<Caller, 'OWNER' | 'WRITE' | 'READ'>> = {
  owner: 'OWNER',
  administrator: 'OWNER',
  'a writer': 'WRITE',
  'a writer through a group': 'WRITE',
  'a reader': 'READ',
  'a reader through a group': 'READ'
}
/** The rights that imply each right. */
const including = { READ: ['OWNER', 'WRITE', 'READ'], WRITE: ['OWNER', 'WRITE'], OWNER: ['OWNER'] }

/** Graph operations that all callers try: one for each right, and those that treat missing graphs differently. */
const thorough = ['getGraph', 'patchGraph', 'grantToUser', 'deleteGraph', 'restoreTrashed', 'updateGraph']
/** The callers that try the other operations: one for each level of access to a graph, and one for each role. */
const ofGraphs: Caller[] = ['anonymous', 'other', 'a reader through a group', 'a writer', 'owner', 'administrator']
const ofOthers: Caller[] = ['anonymous', 'other', 'auditor', 'administrator']

/** Returns the callers that may call an operation at all. */
function roles({ scope, role }: Operation['good']): Caller[] {
  if (scope === 'public' || scope === 'link') return everybody
  if (role === 'ADMIN') return ['administrator']
  if (role === 'AUDITOR') return ['administrator', 'auditor']
  return everybody.filter((caller) => caller !== 'anonymous')
}

/**
 * Returns the caller's access level on a graph of this kind, or on one in the trash; undefined if the graph is hidden from
 * them.
 */
function rightOf(caller: Caller, kind: Kind, isTrashed: boolean) {
  if (kind === 'none') return undefined
  const right = rights[caller] ?? (kind === 'shared' ? 'READ' : undefined)
  return isTrashed && right !== 'OWNER' ? undefined : right
}

/** Returns the expected status of a valid request: a number, or `done` for any success. */
function expected({ operationId, path, good }: Operation, caller: Caller, kind: Kind): number | 'done' {
  if (!roles(good).includes(caller)) return caller === 'anonymous' ? 401 : 403
  if (operationId === 'authenticate' || operationId === 'startSession') return 401
  if (['openLink', 'openInvitation', 'acceptInvitation'].includes(operationId)) return 404
  if (good.scope === 'link') return 401
  if (operationId === 'changePassword' || operationId === 'confirmSecondFactor') return 400
  // The caller has no second factor, and the target already has a password.
  if (operationId === 'renewRecoveryCodes' || operationId === 'inviteUser') return 409
  // No identity provider is configured on this server.
  if (path.startsWith('/api/oidc/') || operationId === 'startLinking') return 404
  if (good.right === undefined) return 'done'
  const right = rightOf(caller, kind, path.startsWith('/api/trash'))
  // Purged and hidden graphs look missing, and deleting a missing graph succeeds.
  if (right === undefined) return operationId === 'deleteGraph' ? 'done' : 404
  return including[good.right].includes(right) ? 'done' : 403
}

/** Returns the parts of a response that a client can compare. */
function look({ status, headers, text }: Reply, id: number) {
  const { 'x-request-id': _, date: __, ...rest } = headers
  const shown = text.replaceAll(/urn:uuid:[0-9a-f-]+/g, '').replaceAll(new RegExp(`\\b${id}\\b`, 'g'), 'ID')
  return { status, headers: rest, text: shown }
}

/** Turns off rate limiting, because these users exceed the number of denials allowed per minute. */
const server = await build(t, { rateUser: 0 })
const { as, store, tokenOf } = server
for (const login of Object.values(callers)) if (login !== undefined) await tokenOf(login)
await store.write(async (trx) => {
  for (const [name, login] of [
    ['writers', 'wanda'],
    ['readers', 'rob'],
    ['former', 'greta']
  ] as const) {
    const group = await createGroup(trx, system, { name, description: null })
    await addMember(trx, system, group, await requireUser(trx, login))
  }
})

/** Gives each caller their access level on the graph, and revokes that of former callers. */
async function grantAll(id: number) {
  const grants = [
    ['USER', 'will', 'WRITE'],
    ['USER', 'rita', 'READ'],
    ['USER', 'fritz', 'WRITE'],
    ['GROUP', 'writers', 'WRITE'],
    ['GROUP', 'readers', 'READ'],
    ['GROUP', 'former', 'WRITE']
  ] as const
  await store.write(async (trx) => {
    for (const [granteeType, name, access] of grants) {
      await grantAccess(trx, system, id, { granteeType, name }, access)
    }
    await revokeAccess(trx, system, id, { granteeType: 'USER', name: 'fritz' })
    await revokeAccess(trx, system, id, { granteeType: 'GROUP', name: 'former' })
  })
}

async function targetOf(operation: Operation, caller: Caller, kind: Kind): Promise<Target> {
  if (kind === 'none') return missing
  const login = callers[caller] ?? 'ada'
  const owner = operation.good.right ? 'ada' : login
  return makeTarget(server, operation, { owner, caller: login, shared: kind === 'shared', prepare: grantAll })
}

/** Reads the stored state of a graph. */
async function stateOf(id: number) {
  const ofGraph = (table: 'graphVersion' | 'link' | 'graphGrant' | 'savedView') =>
    store.read.selectFrom(table).selectAll().where('graphId', '=', id).execute()
  return {
    graph: await store.read.selectFrom('graph').selectAll().where('id', '=', id).execute(),
    trash: await store.read.selectFrom('trash').selectAll().where('id', '=', id).execute(),
    versions: await ofGraph('graphVersion'),
    links: await ofGraph('link'),
    grants: (await ofGraph('graphGrant')).map((grant) => JSON.stringify(grant)).sort(),
    views: await ofGraph('savedView')
  }
}

async function ask(operation: Operation, caller: Caller, target: Target): Promise<Reply> {
  const { method, url, headers, payload } = requestOf(operation, target)
  const client = as(callers[caller])
  if (method === 'get' || (method as string) === 'delete') return client[method](url, headers)
  return client[method as 'post'](url, payload, headers)
}

t.test('this test has a valid request for every operation', async (t) => {
  t.same(operations.map(({ operationId }) => operationId).sort(), Object.keys(good).sort())
})

for (const operation of operations) {
  const { path, method, operationId, good } = operation
  t.test(`${method.toUpperCase()} ${path}: only the roles in the matrix may call it`, async (t) => {
    const isThorough = thorough.includes(operationId)
    const isTrash = path.startsWith('/api/trash')
    /** The state before the requests that must not change anything. */
    const kept: Partial<Record<Kind, { target: Target; state: object }>> = {}
    for (const caller of isThorough ? everybody : good.right ? ofGraphs : ofOthers) {
      const answers: Partial<Record<Kind, ReturnType<typeof look>>> = {}
      const isHidden = rightOf(caller, 'private', isTrash) === undefined
      const isCompared = good.right && (isThorough || isHidden)
      const kinds: Kind[] = isCompared ? ['private', 'shared', 'none'] : ['private']
      for (const kind of kinds) {
        const wanted = expected(operation, caller, kind)
        const isChange =
          wanted === 'done' && good.scope !== 'read:graphs' && rightOf(caller, kind, isTrash) !== undefined
        let own = good.right && !isChange ? kept[kind] : undefined
        if (!own) {
          const target = await targetOf(operation, caller, kind)
          own = { target, state: await stateOf(target.id) }
        }
        const reply = await ask(operation, caller, own.target)
        const name = `${caller}, ${kind}: ${reply.status}`
        if (wanted === 'done') t.ok(reply.status >= 200 && reply.status < 300, name)
        else t.match(reply, { ...problem(wanted, ''), body: { status: wanted, code: String } }, name)
        if (!isChange) kept[kind] = own
        answers[kind] = look(reply, own.target.id)
      }
      if (good.right && isHidden) {
        t.same(
          answers.private,
          answers.none,
          `${caller}: a private graph looks like a missing one in every header and message`
        )
      }
    }
    for (const { target, state } of good.right ? Object.values(kept) : []) {
      t.same(await stateOf(target.id), state, 'nothing has changed')
    }
    // These operations end the sessions of callers.
    if (['endMySessions', 'endUserSessions'].includes(operationId))
      await store.write((trx) => trx.updateTable('user').set({ tokenVersion: 1 }).execute())
  })
}
