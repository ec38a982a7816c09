import t from 'tap'
import { scopes } from '../../schemas/api-token.ts'
import { build, PASSWORD } from '../support/helper.ts'
import { makeTarget, makeToken, operations, requestOf } from '../support/operations.ts'

// Limited rights stay limited. test/support/operations.ts lists the credentials and roles that each operation grants.
// test/sign-in/token-matrix.test.ts checks that each operation refuses tokens without its scope.

type Operation = (typeof operations)[number]

/** Turns off rate limiting, because these users exceed the denials allowed per minute. */
const server = await build(t, { rateUser: 0 })
const { app, store, tokenOf } = server
await tokenOf('root')

/** Lists every credential that signs a user in, and every role above USER, as strings. */
async function powers() {
  const { read } = store
  const users = await read.selectFrom('user').selectAll().execute()
  const ofUsers = users.flatMap(({ id, role, enabled, passwordHash, mustChangePassword, secondFactorSince }) => [
    ...(enabled && role !== 'USER' ? [{ id, role }] : []),
    ...(passwordHash === '' ? [] : [{ id, passwordHash, mustChange: Boolean(mustChangePassword), secondFactorSince }])
  ])
  const rows = await Promise.all([
    read.selectFrom('userIdentity').select(['userId', 'subject']).execute(),
    read.selectFrom('recoveryCode').selectAll().execute(),
    read.selectFrom('apiToken').select('hash').execute(),
    read.selectFrom('session').select('id').execute()
  ])
  return [...ofUsers, ...rows.flat()].map((power) => JSON.stringify(power))
}

/**
 * Sends the request, for the user with `login` if given. Returns the status, and the credentials or roles that the request
 * has granted.
 */
async function send(operation: Operation, token: string, { login, body }: { login?: string; body?: object } = {}) {
  const target = await makeTarget(server, operation, { owner: 'root' })
  const { headers, ...request } = requestOf(operation, { ...target, ...(login && { login }) })
  const before = new Set(await powers())
  const authorization = `Bearer ${token}`
  const payload = body ? { payload: JSON.stringify(body) } : {}
  const { statusCode } = await app.inject({ ...request, ...payload, headers: { ...headers, authorization } })
  return { status: statusCode, conferred: (await powers()).filter((power) => !before.has(power)) }
}

const ofCredentials = operations.filter(({ good }) => good.confers === 'credential')

t.test('operations that grant credentials refuse tokens', async (t) => {
  for (const { operationId, good } of ofCredentials) t.equal(good.scope, 'session', operationId)
})

const eve = { login: 'eve', role: 'USER' }
/** Bodies that request rights a token must not grant. */
const greedy: Record<string, object[]> = {
  createUser: [
    ...[{ password: PASSWORD }, { mustChangePassword: false }, { role: 'AUDITOR' }, { role: 'ADMIN', kind: 'SERVICE' }]
  ].map((more) => ({ ...eve, ...more })),
  updateUser: [{ password: PASSWORD }, { role: 'AUDITOR' }, { role: 'ADMIN' }]
}

t.test('no operation grants a credential or a role above USER to a token, whatever its scopes', async (t) => {
  for (const scope of scopes) {
    const { token } = await store.write((trx) => makeToken(trx, 'root', [scope]))
    for (const operation of operations) {
      const { operationId } = operation
      for (const body of greedy[operationId] ?? []) {
        const name = `${operationId} by ${scope}: ${JSON.stringify(body)}`
        t.same(await send(operation, token, { body }), { status: 403, conferred: [] }, name)
      }
      t.same((await send(operation, token)).conferred, [], `${operationId} by ${scope}`)
    }
  }
})

t.test('a session alone is not enough to get a new credential', async (t) => {
  const token = await tokenOf('root')
  for (const operation of ofCredentials) {
    const valid = (operation.good.body?.({} as never) ?? {}) as Record<string, unknown>
    const { password, currentPassword, code, ...body } = valid
    const { status, conferred } = await send(operation, token, { login: 'root', body })
    t.ok(status >= 400 && status < 500, `${operation.operationId}: ${status}`)
    t.same(conferred, [], operation.operationId)
  }
  for (const operation of operations.filter(({ operationId }) => operationId === 'updateUser')) {
    const own = await send(operation, token, { login: 'root', body: { password: 'another horse battery' } })
    t.same(own, { status: 403, conferred: [] })
  }
})

t.test('a session alone grants no credential to other users, and no role above USER', async (t) => {
  const token = await tokenOf('root')
  for (const operation of operations) {
    const { operationId, path, good } = operation
    const bodies = greedy[operationId] ?? []
    // Removing another user's second factor does not let the administrator sign in as that user.
    if (good.confers === 'credential' && path.includes('{login}') && operationId !== 'removeSecondFactor') {
      const { password, ...body } = (good.body?.({} as never) ?? {}) as Record<string, unknown>
      bodies.push(body)
    }
    for (const body of bodies) {
      const name = `${operationId}: ${JSON.stringify(body)}`
      t.same(await send(operation, token, { body }), { status: 400, conferred: [] }, name)
    }
  }
})
