import { accountOf } from '../../db/actors.ts'
import type { Trx } from '../../db/store.ts'
import { findIdentity, linkIdentity, unlinkIdentity } from '../../db/users/identities.ts'
import { hasUsablePassword, requireUser } from '../../db/users/users.ts'
import { OwnCredentials } from '../../schemas/own-credentials.ts'
import { invalid, ProblemError } from '../../schemas/problem-catalogue.ts'
import { answer, bodyRefusals, cookieHeader, emptyAnswer, refusals } from '../../schemas/responses.ts'
import { Identity, IdentityLink, SignInLocation } from '../../schemas/sign-in.ts'
import { ref } from '../../schemas/types.ts'
import { LoginParameter } from '../../schemas/user.ts'
import { tokenOf } from '../http/callers/tokens.ts'
import type { Plugin } from '../http/plugin.ts'
import { expectOther } from './addressed-user.ts'
import type { Caller } from './caller.ts'
import { beginFlow, requireProvider } from './provider/flow.ts'
import type { Provider } from './provider/provider.ts'

const tags = ['account']

/** Manages the caller's own identity at the provider. The context authenticates the caller. API tokens are refused. */
export const myIdentity: Plugin<{ provider: Provider | undefined; flowKey: Buffer; passwordLogin: boolean }> = async (
  app,
  { provider, flowKey, passwordLogin }
) => {
  app.post('/account/identity', {
    bodyLimit: 16 * 1024,
    schema: {
      tags,
      operationId: 'startLinking',
      summary: 'Link my account to the identity provider',
      description:
        'Returns an address at the provider, to be opened in the same browser. The provider then redirects the browser to `/account`. The session must last until then.',
      body: ref(OwnCredentials),
      response: {
        200: answer(SignInLocation, 'Open this address.', cookieHeader),
        ...refusals(...bodyRefusals, 404, 429)
      }
    },
    handler: async (request, reply) => {
      const known = requireProvider(provider)
      await app.writeProven(request, request.body, async () => {})
      const flow = { to: '/account', token: tokenOf(request) }
      const { url, cookie } = await beginFlow(known, flowKey, request, flow)
      return reply.header('set-cookie', cookie).send({ location: url })
    }
  })

  app.delete('/account/identity', {
    schema: {
      tags,
      operationId: 'unlinkMyIdentity',
      summary: 'Unlink my account from the identity provider',
      description:
        'Ends the sessions started through the provider, possibly including this one. Fails with 409 `only-way-in` if the caller has no other way to sign in.',
      response: { 204: emptyAnswer('The account is not linked.'), ...refusals(400, 409) }
    },
    handler: async (request, reply) => {
      const login = accountOf(request.actor)
      await request.writeUser(login, async (trx, actor) => {
        const user = await requireUser(trx, login)
        if (user.linked && !hasUsablePassword(user, passwordLogin)) throw new ProblemError('only-way-in')
        await unlinkIdentity(trx, actor, user)
      })
      return reply.code(204).send()
    }
  })
}

/** Manages the identities of all users. The context admits only administrators. API tokens cannot change identities. */
export const userIdentities: Plugin<{ provider: Provider | undefined }> = async (app, { provider }) => {
  const { store } = app
  const path = '/users/:login/identity'

  app.get(path, {
    config: { scope: 'read:users' },
    schema: {
      tags: ['users'],
      operationId: 'getIdentity',
      summary: 'Fetch the identity of a user',
      description: 'Returns the identity with which the user signs in at the identity provider.',
      params: LoginParameter,
      response: { 200: answer(Identity, 'The identity.'), ...refusals(400, 404) }
    },
    handler: async ({ params: { login } }) => {
      const identity = await findIdentity(store.read, await requireUser(store.read, login))
      if (!identity) throw new ProblemError('identity-not-found')
      return identity
    }
  })

  app.put(path, {
    bodyLimit: 16 * 1024,
    schema: {
      tags: ['users'],
      operationId: 'linkIdentity',
      summary: 'Link a user to an identity',
      description:
        'The person with this identity can then sign in as this user. Requires the password of the caller, and a two-factor code if the caller uses two-factor authentication. Callers without a password must have signed in with the identity provider in the last ten minutes (403 `sign-in-again`). Not available for a SERVICE. Fails with 409 `already-linked` if the user is linked to another identity, with 409 `identity-taken` if another user has this identity, and with 403 for your own account: use `POST /api/account/identity` instead.',
      params: LoginParameter,
      body: ref(IdentityLink),
      response: { 204: emptyAnswer('Linked.'), ...refusals(...bodyRefusals, 404, 409, 429) }
    },
    handler: async (request, reply) => {
      const { login } = request.params
      const { subject, issuer = await issuerOf(provider) } = request.body
      expectOther(request.actor, login)
      const link = async (trx: Trx, actor: Caller) => {
        const user = await requireUser(trx, login)
        if (user.kind === 'SERVICE') {
          throw invalid({
            pointer: '#/subject',
            code: 'service',
            detail: 'is not available for a SERVICE, which cannot sign in'
          })
        }
        await linkIdentity(trx, actor, user, { issuer, subject })
      }
      // The identity outlives the session, so a session alone is not enough to link it.
      await app.writeProven(request, request.body, link, { login })
      return reply.code(204).send()
    }
  })

  app.delete(path, {
    schema: {
      tags: ['users'],
      operationId: 'unlinkIdentity',
      summary: 'Unlink a user from their identity',
      description:
        'Works even if the user has no other way to sign in; in that case, give them a password or link another identity. Ends the sessions that the user started through the provider.',
      params: LoginParameter,
      response: { 204: emptyAnswer('The user is not linked.'), ...refusals(400, 404) }
    },
    handler: async (request, reply) => {
      const { login } = request.params
      await request.writeUser(login, async (trx, actor) => unlinkIdentity(trx, actor, await requireUser(trx, login)))
      return reply.code(204).send()
    }
  })
}

/** Returns the issuer from the settings. Throws if there is no provider. */
async function issuerOf(provider: Provider | undefined) {
  if (provider) return provider.settings.issuer
  throw invalid({
    pointer: '#/issuer',
    code: 'required',
    detail: 'is required because no identity provider is configured'
  })
}
