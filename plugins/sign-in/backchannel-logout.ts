import { system } from '../../db/actors.ts'
import { countAttempt } from '../../db/users/attempts.ts'
import { findLinked } from '../../db/users/identities.ts'
import { endProviderSessions, findUserOfSession } from '../../db/users/sessions.ts'
import { lockUser } from '../../db/users/users.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { bodyRefusals, emptyAnswer, refusals } from '../../schemas/responses.ts'
import { LogoutNotice } from '../../schemas/sign-in.ts'
import { ref } from '../../schemas/types.ts'
import { auditRequestOf } from '../http/callers/audit-request.ts'
import { hmacOf } from '../http/derived-keys.ts'
import { LeakyBucket } from '../http/leaky-bucket.ts'
import { networkOf } from '../http/networks.ts'
import type { Plugin } from '../http/plugin.ts'
import { LOGOUT_AGE } from './provider/claims.ts'
import { requireProvider } from './provider/flow.ts'
import type { Provider } from './provider/provider.ts'

const FORM = 'application/x-www-form-urlencoded'

/** The average number of invalid logout tokens to tolerate, per address per minute. */
const FAILURES = 60

/** How long a token is remembered, in milliseconds: longer than it is valid. */
const KNOWN = 2 * LOGOUT_AGE * 1000

/**
 * Receives notifications from the identity provider that a person has logged out (OpenID Connect Back-Channel Logout 1.0). The
 * route is public.
 */
const backchannelLogout: Plugin<{ provider: Provider | undefined; key: Buffer }> = async (app, { provider, key }) => {
  const { store } = app
  const failures = new LeakyBucket(FAILURES)
  app.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))))
  })

  app.post('/oidc/backchannel-logout', {
    // More than the longest token needs, even with every character escaped.
    bodyLimit: 64 * 1024,
    schema: {
      tags: ['account'],
      operationId: 'endProviderSessions',
      summary: 'Log out through the identity provider',
      description:
        'Called by the identity provider. Ends the sessions that a person started through the provider, or those of one provider session. Each logout token works once. Sessions started with a password are not affected.',
      security: [],
      body: { content: { [FORM]: { schema: ref(LogoutNotice) } } },
      response: { 200: emptyAnswer('The sessions have ended.'), ...refusals(...bodyRefusals, 404, 429) }
    } as const,
    handler: async (request, reply) => {
      const known = requireProvider(provider)
      const address = networkOf(request.ip)
      const wait = failures.take(address, 0)
      if (wait > 0) throw new ProblemError('too-many-requests', { retryAfter: wait })
      const { logout_token: token } = request.body as { logout_token: string }
      const { issuer, subject, sid, id } = await known.verifyLogout(token).catch((error: unknown) => {
        failures.charge(address, 1)
        throw error
      })
      const author = { principal: system.principal, request: auditRequestOf(request) }
      await store.write(async (trx) => {
        const { count } = await countAttempt(trx, hmacOf(key, 'logout', issuer, id), KNOWN)
        if (count > 1) throw new ProblemError('logout-token-invalid', { detail: 'The token has already been used.' })
        const user =
          subject === undefined ? await findUserOfSession(trx, sid ?? '') : await findLinked(trx, { issuer, subject })
        if (!user) return
        await lockUser(trx, user.login)
        await endProviderSessions(trx, author, user, sid)
      })
      return reply.send()
    }
  })
}

export default backchannelLogout
