import { accountOf } from '../../db/actors.ts'
import { type Limits, type Usage, usageOf } from '../../db/graphs/usage.ts'
import { listGroupsOf } from '../../db/sharing/groups.ts'
import type { Db } from '../../db/store.ts'
import { hashNewPassword, refusedPassword, verifyPassword } from '../../db/users/passwords.ts'
import { endSessions } from '../../db/users/sessions.ts'
import { findUser, toUser, updateUser } from '../../db/users/users.ts'
import { PasswordChange } from '../../schemas/account.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { answer, bodyRefusals, emptyAnswer, refusals, usageHeader } from '../../schemas/responses.ts'
import { ref } from '../../schemas/types.ts'
import { Account } from '../../schemas/user.ts'
import type { Plugin } from '../http/plugin.ts'

/** Manages the caller's own account. The context authenticates the caller. */
const account: Plugin = async (app) => {
  const { store } = app
  const tags = ['account']

  app.get('/account', {
    config: { scope: 'any' },
    schema: {
      tags,
      operationId: 'getAccount',
      summary: 'Fetch my account',
      description: 'Returns the user that the token belongs to, and their groups.',
      response: { 200: answer(Account, 'The current user.', usageHeader), ...refusals(400) }
    },
    handler: async (request, reply) => {
      const login = accountOf(request.actor)
      const user = await requireSelf(store.read, login)
      return reply
        .header('graphstead-usage', usageText(await usageOf(store.read, login), app.graphs.policy))
        .send({ ...toUser(user), groups: await listGroupsOf(store.read, user.id) })
    }
  })

  app.post('/account/password', {
    bodyLimit: 16 * 1024,
    schema: {
      tags,
      operationId: 'changePassword',
      summary: 'Change my password',
      description:
        "Ends all of the caller's sessions, including this one: sign in again afterwards. The new password must differ from the current one.",
      body: ref(PasswordChange),
      response: { 204: emptyAnswer('Changed.'), ...refusals(...bodyRefusals, 429) }
    },
    handler: async (request, reply) => {
      const { currentPassword, newPassword } = request.body
      const { login, passwordHash: before } = await app.proveOwnPassword(request, currentPassword, '#/currentPassword')
      const isAnother = !(await verifyPassword(newPassword, before))
      if (!isAnother) throw refusedPassword('#/newPassword', 'must differ from the current password')
      const passwordHash = await hashNewPassword(newPassword, login, '#/newPassword')
      await request.writeUser(login, async (trx, actor) => {
        await updateUser(trx, actor, await requireSelf(trx, login), { passwordHash, mustChangePassword: false })
      })
      return reply.code(204).send()
    }
  })

  app.post('/account/logout', {
    schema: {
      tags,
      operationId: 'endMySessions',
      summary: 'Log out everywhere',
      description: "Ends all of the caller's sessions on all devices, including this one.",
      response: { 204: emptyAnswer('All sessions have ended.'), ...refusals(400) }
    },
    handler: async (request, reply) => {
      const login = accountOf(request.actor)
      await request.writeUser(login, async (trx, actor) => {
        await endSessions(trx, actor, await requireSelf(trx, login))
      })
      return reply.code(204).send()
    }
  })
}

export default account

/** Returns the caller's own account. Throws `token-invalid` if it no longer exists. */
async function requireSelf(db: Db, login: string) {
  const user = await findUser(db, login)
  if (!user) throw new ProblemError('token-invalid')
  return user
}

/** Formats a user's usage and limits as a structured-field dictionary (RFC 9651). */
function usageText({ graphs, bytes }: Usage, { maxGraphs, maxBytes }: Limits) {
  const most = [maxGraphs > 0 && `max-graphs=${maxGraphs}`, maxBytes > 0 && `max-bytes=${maxBytes}`]
  return [`graphs=${graphs}`, `bytes=${bytes}`, ...most].filter(Boolean).join(', ')
}
