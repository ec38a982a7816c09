import type { FastifyRequest } from 'fastify'
import { acceptInvitation, inviteUser, requireInvited } from '../../db/users/invitations.ts'
import { hashNewPassword } from '../../db/users/passwords.ts'
import { lockUser, requireUser } from '../../db/users/users.ts'
import {
  Invitation,
  InvitationAcceptance,
  InvitationCreate,
  InvitationSecret,
  InvitedUser
} from '../../schemas/invitation.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { answer, bodyRefusals, emptyAnswer, refusals } from '../../schemas/responses.ts'
import { ref } from '../../schemas/types.ts'
import { LoginParameter, type Role } from '../../schemas/user.ts'
import { auditRequestOf } from '../http/callers/audit-request.ts'
import type { Plugin } from '../http/plugin.ts'
import { expectOther } from './addressed-user.ts'

const bodyLimit = 16 * 1024

/** Invites users. The context admits only administrators. API tokens are refused, because an invitation is a credential. */
export const userInvitations: Plugin<{ passwordLogin: boolean; publicUrl?: string | undefined }> = async (
  app,
  { passwordLogin, publicUrl = '' }
) => {
  app.post('/users/:login/invitation', {
    bodyLimit,
    schema: {
      tags: ['users'],
      operationId: 'inviteUser',
      summary: 'Invite a user',
      description:
        'Returns an address at which a user without a password can choose one, once, within seven days. Revokes an earlier invitation of the user. The invitation is also revoked when the user is disabled or gets a password. Requires the password of the caller, and a two-factor code if the caller uses two-factor authentication. Callers without a password must have signed in with the identity provider in the last ten minutes (403 `sign-in-again`). Fails with 409 `password-exists` if the user has a password, with 403 `user-disabled`, with 403 `password-login-off` if the user could not sign in with a password, and with 403 for a SERVICE and for your own account.',
      params: LoginParameter,
      body: ref(InvitationCreate),
      response: { 201: answer(Invitation, 'Invited.'), ...refusals(...bodyRefusals, 404, 409, 429) }
    },
    handler: async (request, reply) => {
      const { login } = request.params
      expectOther(request.actor, login)
      const { secret, expiresAt } = await app.writeProven(
        request,
        request.body,
        async (trx, actor) => {
          const user = await requireUser(trx, login)
          if (user.kind === 'SERVICE') throw new ProblemError('forbidden', { detail: 'A SERVICE has no password.' })
          expectPasswordLogin(user.role, passwordLogin)
          return inviteUser(trx, actor, user)
        },
        { login }
      )
      return reply.code(201).send({ url: `${publicUrl}/invite#${secret}`, expiresAt })
    }
  })
}

/**
 * Serves people who were invited and have no password yet. The routes are public: their secret proves who they are. It cannot be
 * guessed, so only wrong secrets are throttled, and nobody without the secret can lock out an invited person.
 */
export const invitationVisits: Plugin<{ passwordLogin: boolean }> = async (app, { passwordLogin }) => {
  const { store } = app
  const common = { tags: ['account'], security: [] }

  app.post('/invitation', {
    bodyLimit,
    schema: {
      ...common,
      operationId: 'openInvitation',
      summary: 'Open an invitation',
      description:
        'Returns the user that the invitation is for. A secret that is wrong, expired, used or revoked always gives the same response: 404 `invitation-not-found`.',
      body: ref(InvitationSecret),
      response: { 200: answer(InvitedUser, 'The invited user.'), ...refusals(...bodyRefusals, 403, 404, 429) }
    },
    handler: async (request) => {
      const { login, expiresAt } = await open(request, request.body.secret)
      return { login, expiresAt }
    }
  })

  app.post('/invitation/acceptance', {
    bodyLimit,
    schema: {
      ...common,
      operationId: 'acceptInvitation',
      summary: 'Accept an invitation',
      description:
        'Sets the first password of the invited user, who can then log in. The invitation cannot be used again.',
      body: ref(InvitationAcceptance),
      response: { 204: emptyAnswer('The password is set.'), ...refusals(...bodyRefusals, 403, 404, 429) }
    },
    handler: async (request, reply) => {
      const { secret, password } = request.body
      const { login } = await open(request, secret)
      const passwordHash = await hashNewPassword(password, login, '#/password')
      const author = { principal: login, request: auditRequestOf(request) }
      await store.write(async (trx) => {
        // If several acceptances arrive at once, the first one revokes the invitation.
        await lockUser(trx, login)
        const { role } = await requireInvited(trx, secret)
        expectPasswordLogin(role, passwordLogin)
        await acceptInvitation(trx, author, login, passwordHash)
      })
      return reply.code(204).send()
    }
  })

  /** Returns the invited user. Throws `invitation-not-found`, `password-login-off` or `too-many-attempts`. */
  async function open(request: FastifyRequest, secret: string) {
    const invited = await requireInvited(store.read, secret).catch(async (error: unknown) => {
      if (error instanceof ProblemError) {
        await app.throttle.attempt('', { address: request.ip, realm: 'invitation' }, async () => {})
      }
      throw error
    })
    expectPasswordLogin(invited.role, passwordLogin)
    return invited
  }
}

/** Throws `password-login-off` if a user with this role cannot sign in with a password. */
function expectPasswordLogin(role: Role, passwordLogin: boolean) {
  if (!passwordLogin && role !== 'ADMIN') throw new ProblemError('password-login-off')
}
