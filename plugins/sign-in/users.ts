import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import type { Trx } from '../../db/store.ts'
import type { UserRow } from '../../db/tables.ts'
import { hashNewPassword } from '../../db/users/passwords.ts'
import {
  countUsers,
  createUser,
  deleteUser,
  endsAdministration,
  listUsers,
  ownsGraphs,
  requireUser,
  toUser,
  updateUser,
  userSortKey
} from '../../db/users/users.ts'
import type { OwnCredentials } from '../../schemas/own-credentials.ts'
import { listQuery } from '../../schemas/parameters.ts'
import { invalid, ProblemError } from '../../schemas/problem-catalogue.ts'
import { answer, bodyRefusals, emptyAnswer, locationHeader, pageHeaders, refusals } from '../../schemas/responses.ts'
import { ref } from '../../schemas/types.ts'
import { LoginParameter, User, UserCreate, UserPatch, userSorts } from '../../schemas/user.ts'
import type { Plugin } from '../http/plugin.ts'
import { expectOther } from './addressed-user.ts'
import type { Caller } from './caller.ts'
import { faultOf } from './own-password.ts'

/** Manages the accounts of all users. The context admits only administrators. */
const users: Plugin = async (app) => {
  const { store } = app
  const tags = ['users']

  /**
   * Runs a transaction that changes the user with this login. If the change confers a right or a credential, the caller must
   * prove their identity.
   */
  function writeConferral<T>(
    request: FastifyRequest<{ Body: { proof?: OwnCredentials } }>,
    login: string,
    conferral: string | undefined,
    transaction: (trx: Trx, actor: Caller) => Promise<T>
  ): Promise<T> {
    if (!conferral) return request.writeUser(login, transaction)
    const { proof = {} } = request.body
    return app.writeProven(request, proof, transaction, { login, pointer: '#/proof' })
  }

  app.get('/users', {
    config: { scope: 'read:users' },
    schema: {
      tags,
      operationId: 'listUsers',
      summary: 'List users',
      description: 'Returns a page of users, sorted by id by default.',
      querystring: listQuery({}, userSorts),
      response: { 200: answer(Type.Array(ref(User)), 'A page of users.', pageHeaders), ...refusals(400) }
    },
    handler: async (_request, reply) => {
      return reply.sendPage({
        path: '/api/users',
        direction: 'asc',
        rows: (slice) => listUsers(store, slice),
        count: () => countUsers(store.scan),
        sortKey: userSortKey
      })
    }
  })

  app.post('/users', {
    bodyLimit: 16 * 1024,
    config: { scope: 'write:users' },
    schema: {
      tags,
      operationId: 'createUser',
      summary: 'Create a user',
      description:
        'A PERSON with a password can log in at once, and must choose a new password when first signing in with a browser, unless `mustChangePassword` is false. A PERSON without a password can log in once an administrator has set one or linked an identity. A SERVICE cannot log in: its programs use API tokens. To set a password, a role other than USER, or `mustChangePassword: false` for a PERSON, send `proof`: the password of the caller, and a two-factor code if the caller uses two-factor authentication. Callers without a password must have signed in with the identity provider in the last ten minutes instead (403 `sign-in-again`). API tokens cannot set any of these (403).',
      body: ref(UserCreate),
      response: { 201: answer(User, 'Created.', locationHeader), ...refusals(...bodyRefusals, 409, 429) }
    },
    handler: async (request, reply) => {
      const { login, kind = 'PERSON', password, role, enabled = true } = request.body
      const { mustChangePassword = password !== undefined } = request.body
      if (kind === 'SERVICE') refusePassword(request.body)
      const least = { role: 'USER', enabled, mustChangePassword: kind === 'PERSON' } as const
      const conferral = conferralOf(least, request.body)
      refuseTokens(request.actor, conferral)
      const passwordHash = password === undefined ? '' : await hashNewPassword(password, login, '#/password')
      const values = { login, kind, passwordHash, role, enabled, mustChangePassword }
      const user = await writeConferral(request, login, conferral, (trx, actor) => createUser(trx, actor, values))
      if (!user) throw new ProblemError('login-taken')
      return reply.code(201).header('location', `/api/users/${login}`).send(toUser(user))
    }
  })

  app.get('/users/:login', {
    config: { scope: 'read:users' },
    schema: {
      tags,
      operationId: 'getUser',
      summary: 'Fetch a user',
      description: 'Returns the user with this login.',
      params: LoginParameter,
      response: { 200: answer(User, 'The user.'), ...refusals(400, 404) }
    },
    handler: async (request) => toUser(await requireUser(store.read, request.params.login))
  })

  app.patch('/users/:login', {
    bodyLimit: 16 * 1024,
    config: { scope: 'write:users' },
    schema: {
      tags,
      operationId: 'updateUser',
      summary: 'Change a user',
      description:
        'Changes the role, `enabled` and the password; absent fields stay the same. After an administrator sets another user’s password, that user must choose a new one at the next login with a browser, unless `mustChangePassword` is false. Use `POST /api/account/password` to change your own password (403 here). Setting a password, assigning a role other than USER, enabling a user who had or gets such a role, and waiving `mustChangePassword` require `proof`, as in `POST /api/users`; API tokens cannot do any of these (403). Changes take effect on the user’s next request. The last enabled administrator must remain: 409 `last-administrator`.',
      params: LoginParameter,
      body: ref(UserPatch),
      response: { 200: answer(User, 'Changed.'), ...refusals(...bodyRefusals, 404, 409, 429) }
    },
    handler: async (request) => {
      const {
        params: { login },
        body: { role, enabled, password, mustChangePassword }
      } = request
      const known = await requireUser(store.read, login)
      if (known.kind === 'SERVICE') refusePassword(request.body)
      const conferral = conferralOf(known, request.body)
      refuseTokens(request.actor, conferral)
      if (password !== undefined) expectOther(request.actor, login)
      const passwordHash = password === undefined ? undefined : await hashNewPassword(password, login, '#/password')
      const user = await writeConferral(request, login, conferral, async (trx, actor) => {
        const before = await requireUser(trx, login)
        const current = conferralOf(before, request.body)
        refuseTokens(actor, current)
        if (current && !conferral) throw faultOf('password-required', '#/proof')
        if (await endsAdministration(trx, before, { role, enabled })) throw new ProblemError('last-administrator')
        const changes = {
          role,
          enabled,
          passwordHash,
          mustChangePassword: mustChangePassword ?? (password !== undefined || undefined)
        }
        return updateUser(trx, actor, before, changes)
      })
      return toUser(user)
    }
  })

  app.delete('/users/:login', {
    config: { scope: 'write:users' },
    schema: {
      tags,
      operationId: 'deleteUser',
      summary: 'Delete a user',
      description:
        'Only users without graphs, including graphs in the trash, can be deleted (409 `user-owns-graphs`): transfer their graphs first. Their grants and memberships are deleted with them. The last enabled administrator cannot be deleted (409 `last-administrator`). To block a user but keep their graphs, disable the user.',
      params: LoginParameter,
      response: { 204: emptyAnswer('Deleted.'), ...refusals(400, 404, 409) }
    },
    handler: async (request, reply) => {
      const { login } = request.params
      await request.writeUser(login, async (trx, actor) => {
        const user = await requireUser(trx, login)
        if (await endsAdministration(trx, user, { enabled: false })) throw new ProblemError('last-administrator')
        if (await ownsGraphs(trx, user.login)) {
          throw new ProblemError('user-owns-graphs', {
            detail: "Transfer or delete the user's graphs first, including those in the trash, or disable the user."
          })
        }
        await deleteUser(trx, actor, user)
      })
      return reply.code(204).send()
    }
  })
}

export default users

/**
 * Throws if the body sets a password for a SERVICE account or requires a password change, since such accounts have no password.
 */
function refusePassword({ password, mustChangePassword }: UserPatch) {
  const detail = 'is not available for a SERVICE, which has no password'
  if (password !== undefined) throw invalid({ pointer: '#/password', code: 'service', detail })
  if (mustChangePassword) throw invalid({ pointer: '#/mustChangePassword', code: 'service', detail })
}

/**
 * Returns the reason for refusing API tokens if the change would give the user a credential or a role above USER, otherwise
 * undefined.
 */
function conferralOf(
  before: Pick<UserRow, 'role' | 'enabled' | 'mustChangePassword'>,
  { password, mustChangePassword, role = before.role, enabled }: UserPatch
): string | undefined {
  if (password !== undefined) return 'API tokens cannot set a password.'
  if (mustChangePassword === false && before.mustChangePassword) return 'API tokens cannot waive the password change.'
  const isEnabled = enabled && !before.enabled
  const isGained = role !== 'USER' && role !== before.role
  if (isGained || (isEnabled && (role !== 'USER' || before.role !== 'USER'))) {
    return 'API tokens can only set the role USER, and cannot enable a user with another role.'
  }
  return undefined
}

/** Throws `scope-missing` if the caller uses an API token and the change confers a right or a credential. */
function refuseTokens({ scopes }: Caller, conferral: string | undefined) {
  if (scopes !== undefined && conferral) throw new ProblemError('scope-missing', { detail: conferral })
}
