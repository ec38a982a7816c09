import { accountOf } from '../../db/actors.ts'
import {
  beginSecondFactor,
  countRecoveryCodes,
  enableSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes
} from '../../db/users/second-factor.ts'
import { endOtherSessions } from '../../db/users/sessions.ts'
import { requireUser } from '../../db/users/users.ts'
import { OwnCredentials, OwnPassword } from '../../schemas/own-credentials.ts'
import { answer, bodyRefusals, emptyAnswer, refusals } from '../../schemas/responses.ts'
import { Confirmation, RecoveryCodeList, SecondFactor, SecondFactorSetup } from '../../schemas/second-factor.ts'
import { ref } from '../../schemas/types.ts'
import { LoginParameter } from '../../schemas/user.ts'
import type { Plugin } from '../http/plugin.ts'
import { expectOther } from './addressed-user.ts'
import { otpauthUri } from './totp.ts'

const ISSUER = 'Graphstead'

/** Manages the caller's own second factor. The context authenticates the caller. API tokens are refused. */
export const mySecondFactor: Plugin = async (app) => {
  const { store } = app
  const common = { tags: ['account'] }
  const path = '/account/second-factor'
  const bodyLimit = 16 * 1024

  app.get(path, {
    schema: {
      ...common,
      operationId: 'getSecondFactor',
      summary: 'Fetch my two-factor settings',
      description: 'Returns whether the caller uses two-factor authentication, without the secret.',
      response: { 200: answer(SecondFactor, 'The two-factor settings.'), ...refusals(400) }
    },
    handler: async (request) => {
      const user = await requireUser(store.read, accountOf(request.actor))
      return { since: user.secondFactorSince, recoveryCodes: await countRecoveryCodes(store.read, user) }
    }
  })

  app.post(path, {
    bodyLimit,
    schema: {
      ...common,
      operationId: 'beginSecondFactor',
      summary: 'Start two-factor setup',
      description:
        'Creates a secret for an authenticator app (TOTP, RFC 6238: SHA-1, six digits, 30 seconds). It takes effect after `POST /api/account/second-factor/confirmation`; until then, another call replaces it. Only the session that started the setup can confirm it, within ten minutes.',
      body: ref(OwnPassword),
      response: { 201: answer(SecondFactorSetup, 'The secret to confirm.'), ...refusals(...bodyRefusals, 409, 429) }
    },
    handler: async (request, reply) => {
      const { login } = await app.proveOwnPassword(request, request.body.password, '#/password')
      const secret = await request.writeUser(login, async (trx, actor) => {
        const user = await requireUser(trx, login)
        const { secret, sealed } = app.secondFactors.create(user)
        await beginSecondFactor(trx, user, actor.token.id, sealed)
        return secret
      })
      return reply.code(201).send({ secret, uri: otpauthUri(ISSUER, login, secret) })
    }
  })

  app.post(`${path}/confirmation`, {
    bodyLimit,
    schema: {
      ...common,
      operationId: 'confirmSecondFactor',
      summary: 'Confirm two-factor setup',
      description:
        "From then on, signing in with the password requires a code. The caller's other sessions end; API tokens keep working. The response contains recovery codes, which are shown only once. Wrong codes count towards the sign-in limit. Fails with 409 `second-factor-not-begun` in a session that did not start the setup, or after ten minutes.",
      body: ref(Confirmation),
      response: {
        200: answer(RecoveryCodeList, 'Two-factor authentication is on.'),
        ...refusals(...bodyRefusals, 409, 429)
      }
    },
    handler: async (request) => {
      const recoveryCodes = app.secondFactors.createRecoveryCodes()
      await app.writeConfirmed(request, request.body.code, async (trx, actor, user, step) => {
        await enableSecondFactor(trx, actor, user, step, recoveryCodes)
        await endOtherSessions(trx, actor, user, actor.token.id)
      })
      return { recoveryCodes }
    }
  })

  app.post(`${path}/recovery-codes`, {
    bodyLimit,
    schema: {
      ...common,
      operationId: 'renewRecoveryCodes',
      summary: 'Replace my recovery codes',
      description: 'The old codes stop working.',
      body: ref(OwnCredentials),
      response: { 200: answer(RecoveryCodeList, 'The new codes.'), ...refusals(...bodyRefusals, 409, 429) }
    },
    handler: async (request) => {
      const recoveryCodes = app.secondFactors.createRecoveryCodes()
      await app.writeProven(request, request.body, (trx, actor, user) =>
        renewRecoveryCodes(trx, actor, user, recoveryCodes)
      )
      return { recoveryCodes }
    }
  })

  app.post(`${path}/removal`, {
    bodyLimit,
    schema: {
      ...common,
      operationId: 'removeMySecondFactor',
      summary: 'Turn off my two-factor authentication',
      description: 'From then on, signing in requires only the password. The recovery codes are deleted.',
      body: ref(OwnCredentials),
      response: { 204: emptyAnswer('Two-factor authentication is off.'), ...refusals(...bodyRefusals, 429) }
    },
    handler: async (request, reply) => {
      await app.writeProven(request, request.body, removeSecondFactor)
      return reply.code(204).send()
    }
  })
}

/** Manages the second factors of other users. The context admits only administrators. API tokens are refused. */
export const userSecondFactors: Plugin = async (app) => {
  app.delete('/users/:login/second-factor', {
    schema: {
      tags: ['users'],
      operationId: 'removeSecondFactor',
      summary: 'Turn off two-factor authentication for a user',
      description:
        'For users who have lost their authenticator app and recovery codes. Administrators cannot use this operation for their own account (403): `POST /api/account/second-factor/removal` asks for the password and a code.',
      params: LoginParameter,
      response: { 204: emptyAnswer('Two-factor authentication is off.'), ...refusals(400, 404) }
    },
    handler: async (request, reply) => {
      const { login } = request.params
      await request.writeUser(login, async (trx, actor) => {
        expectOther(actor, login)
        await removeSecondFactor(trx, actor, await requireUser(trx, login))
      })
      return reply.code(204).send()
    }
  })
}
