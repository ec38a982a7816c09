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

/** The caller's own second factor. Registered in a context that authenticates the caller. API tokens are refused. */
export const mySecondFactor: Plugin = async (app) => {
  const { store } = app
  const common = { tags: ['account'] }
  const path = '/account/second-factor'
  const bodyLimit = 16 * 1024

  app.get(path, {
    schema: {
      ...common,
      operationId: 'getSecondFactor',
      summary: 'Fetch my second factor',
      description: 'Tells whether the caller has one, and not its secret.',
      response: { 200: answer(SecondFactor, 'The second factor.'), ...refusals(400) }
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
      summary: 'Begin to set a second factor up',
      description:
        'Makes a secret for an authenticator app (TOTP, RFC 6238: SHA-1, six digits, 30 seconds). It counts after `POST /api/account/second-factor/confirmation`; until then, another call replaces it. Only the session that began it can confirm it, within ten minutes.',
      body: ref(OwnPassword),
      response: { 201: answer(SecondFactorSetup, 'To be confirmed.'), ...refusals(...bodyRefusals, 409, 429) }
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
      summary: 'Confirm my second factor',
      description:
        'Sign-ins with the password ask for a code from then on. Other sessions of the caller end; tokens of programs work on. The answer has recovery codes, which nobody can see again. Wrong codes count like those at the sign-in. 409 `second-factor-not-begun` in another session than the one that began, or after ten minutes.',
      body: ref(Confirmation),
      response: { 200: answer(RecoveryCodeList, 'It counts.'), ...refusals(...bodyRefusals, 409, 429) }
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
      summary: 'Make new recovery codes',
      description: 'The old ones do not work any more.',
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
      summary: 'Take my second factor away',
      description: 'Sign-ins ask for the password alone from then on. The recovery codes are gone.',
      body: ref(OwnCredentials),
      response: { 204: emptyAnswer('There is none.'), ...refusals(...bodyRefusals, 429) }
    },
    handler: async (request, reply) => {
      await app.writeProven(request, request.body, removeSecondFactor)
      return reply.code(204).send()
    }
  })
}

/** The second factors of other users. Registered in a context for administrators. API tokens are refused. */
export const userSecondFactors: Plugin = async (app) => {
  app.delete('/users/:login/second-factor', {
    schema: {
      tags: ['users'],
      operationId: 'removeSecondFactor',
      summary: 'Take the second factor of a user away',
      description:
        'For somebody who has lost the authenticator app and the recovery codes. Their own is 403 for administrators too: `POST /api/account/second-factor/removal` asks for the password and a code.',
      params: LoginParameter,
      response: { 204: emptyAnswer('There is none.'), ...refusals(400, 404) }
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
