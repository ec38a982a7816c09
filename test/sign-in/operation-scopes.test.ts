import t from 'tap'
import { scopes } from '../../schemas/api-token.ts'
import { build, PASSWORD } from '../support/helper.ts'
import { makeTarget, makeToken, operations, requestOf } from '../support/operations.ts'

// Lesser rights stay lesser: test/support/operations.ts tells of each operation what it confers. That each one refuses tokens
// without its scope stands in test/sign-in/token-matrix.test.ts.

type Operation = (typeof operations)[number]

/** Counts no denials: there are more than a user has in a minute. */
const server = await build(t, { rateUser: 0 })
const { app, store, tokenOf } = server
await tokenOf('root')

/** Everything by which somebody signs in, or has a role above USER, each as a text. */
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

/** Sends the request, about the user with the login if there is one. Returns the status, and what the request has conferred. */
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

t.test('operations that confer credentials refuse tokens', async (t) => {
  for (const { operationId, good } of ofCredentials) t.equal(good.scope, 'session', operationId)
})

const eve = { login: 'eve', role: 'USER' }
/** Bodies that ask for what a token must not confer. */
const greedy: Record<string, object[]> = {
  createUser: [
    ...[{ password: PASSWORD }, { mustChangePassword: false }, { role: 'AUDITOR' }, { role: 'ADMIN', kind: 'SERVICE' }]
  ].map((more) => ({ ...eve, ...more })),
  updateUser: [{ password: PASSWORD }, { role: 'AUDITOR' }, { role: 'ADMIN' }]
}

t.test('no operation confers a credential, or a role above USER, on a token of any scope', async (t) => {
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

t.test('a session alone confers no credential on its own user', async (t) => {
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

t.test('a session alone confers no credential on others, and no role above USER', async (t) => {
  const token = await tokenOf('root')
  for (const operation of operations) {
    const { operationId, path, good } = operation
    const bodies = greedy[operationId] ?? []
    // Taking the second factor of somebody away gives the administrator no way in.
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
