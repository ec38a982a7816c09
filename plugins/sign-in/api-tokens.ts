import { Type } from '@sinclair/typebox'
import { createApiToken, listApiTokens, revokeApiToken } from '../../db/users/api-tokens.ts'
import { requireUser } from '../../db/users/users.ts'
import { ApiToken, CreatedToken, TOKEN_DAYS, TokenCreate } from '../../schemas/api-token.ts'
import { invalid } from '../../schemas/problem-catalogue.ts'
import { answer, bodyRefusals, emptyAnswer, locationHeader, refusals } from '../../schemas/responses.ts'
import { idDigits, ref } from '../../schemas/types.ts'
import type { Plugin } from '../http/plugin.ts'
import { idOf } from '../http/urls.ts'
import { mine, ofUser, type Whose } from './addressed-user.ts'

const tags = ['tokens']

/** Manages the caller's own API tokens. The context authenticates the caller. */
export const myTokens: Plugin = async (app) => addRoutes(app, mine('tokens'))

/** Manages the API tokens of all users. The context admits only administrators. */
export const userTokens: Plugin = async (app) => addRoutes(app, ofUser('tokens'))

/** Adds the routes for a user's API tokens. The routes declare no scope, so an API token cannot create another one. */
function addRoutes(app: Parameters<Plugin>[0], { path, noun, possessive, params, loginOf }: Whose) {
  const { store } = app

  app.get(path, {
    schema: {
      tags,
      operationId: `list${noun}Tokens`,
      summary: `List ${possessive} API tokens`,
      description:
        'Returns all tokens, including expired ones, without their secrets, which the server does not store.',
      params: Type.Object(params),
      response: { 200: answer(Type.Array(ref(ApiToken)), 'The tokens, sorted by id.'), ...refusals(400, 404) }
    },
    handler: async (request) => listApiTokens(store.read, await requireUser(store.read, loginOf(request)))
  })

  app.post(path, {
    bodyLimit: 16 * 1024,
    schema: {
      tags,
      operationId: `create${noun}Token`,
      summary: possessive === 'my' ? 'Create an API token' : 'Create an API token for a user',
      description:
        "Requires the caller's password, and a two-factor code if the caller uses two-factor authentication. Callers without a password must have signed in with the identity provider in the last ten minutes (403 `sign-in-again`). The response contains the token itself, which is shown only once. Changing the password does not affect API tokens; they are refused while their user is disabled.",
      params: Type.Object(params),
      body: ref(TokenCreate),
      response: { 201: answer(CreatedToken, 'Created.', locationHeader), ...refusals(...bodyRefusals, 404, 409, 429) }
    },
    handler: async (request, reply) => {
      const login = loginOf(request)
      const values = valuesOf(request.body)
      // The token outlives the session, so a session alone is not enough to create a token.
      const token = await app.writeProven(
        request,
        request.body,
        async (trx, actor) => createApiToken(trx, actor, await requireUser(trx, login), values),
        { login }
      )
      const location = `/api${path.replace(':login', login)}/${token.id}`
      return reply.code(201).header('location', location).send(token)
    }
  })

  app.delete(`${path}/:tokenId`, {
    schema: {
      tags,
      operationId: `revoke${noun}Token`,
      summary: `Revoke one of ${possessive} API tokens`,
      description: 'The token is refused from then on. Changes already in progress are completed.',
      params: Type.Object({ ...params, tokenId: idDigits({ description: 'The id of the token.', examples: ['7'] }) }),
      response: { 204: emptyAnswer('Revoked.'), ...refusals(400, 404) }
    },
    handler: async (request, reply) => {
      const login = loginOf(request)
      const { tokenId } = request.params as { tokenId: string }
      await request.writeUser(login, async (trx, actor) =>
        revokeApiToken(trx, actor, await requireUser(trx, login), idOf(tokenId))
      )
      return reply.code(204).send()
    }
  })
}

/** A day, in milliseconds. */
const DAY = 24 * 60 * 60 * 1000

/** Returns the values of a new token. Throws `validation-failed` if its expiry time is in the past or too far in the future. */
function valuesOf({ name, scopes, expiresAt: text }: TokenCreate) {
  const now = Date.now()
  const expiresAt = new Date(text ?? now + TOKEN_DAYS.default * DAY)
  const refuse = (detail: string) => invalid({ pointer: '#/expiresAt', code: 'out-of-range', detail })
  // The schema allows a leap second, which Date does not support.
  if (Number.isNaN(expiresAt.getTime())) throw refuse('is not a valid time')
  if (expiresAt.getTime() <= now) throw refuse('is in the past')
  if (expiresAt.getTime() > now + TOKEN_DAYS.most * DAY) throw refuse(`must be at most ${TOKEN_DAYS.most} days away`)
  return { name, scopes, expiresAt }
}
