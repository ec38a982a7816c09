import type { FastifyReply, FastifyRequest } from 'fastify'
import { accountOf } from '../../db/actors.ts'
import { recordEvent } from '../../db/audit/events.ts'
import { admit, linkIdentity } from '../../db/users/identities.ts'
import { requireUser, targetOf } from '../../db/users/users.ts'
import { ProblemError, statusAndTitleOf } from '../../schemas/problem-catalogue.ts'
import { answer, goesOn, refusals } from '../../schemas/responses.ts'
import { CallbackQuery, SignInWays, StartQuery } from '../../schemas/sign-in.ts'
import { auditRequestOf } from '../http/callers/audit-request.ts'
import { endedFlowCookie, flowOf } from '../http/callers/cookies.ts'
import { LeakyBucket } from '../http/leaky-bucket.ts'
import { prefersPage } from '../http/navigations.ts'
import { networkOf } from '../http/networks.ts'
import type { Plugin } from '../http/plugin.ts'
import { expectedProblemOf } from '../http/problem-details.ts'
import { queryOf } from '../http/urls.ts'
import { arrivalOf, type IdClaims, isName } from './provider/claims.ts'
import { beginFlow, localPath, openFlow, requireProvider, senderFor } from './provider/flow.ts'
import type { Provider } from './provider/provider.ts'

/** The average number of failed sign-ins to tolerate, per address per minute. */
const FAILURES = 60

/** Handles sign-in with an identity provider (OpenID Connect), to which the browser is redirected. The routes are public. */
const oidc: Plugin<{ provider: Provider | undefined; flowKey: Buffer; passwordLogin: boolean }> = async (
  app,
  { provider, flowKey, passwordLogin }
) => {
  const { store } = app
  const tags = ['account']
  const failures = new LeakyBucket(FAILURES)

  app.get('/sign-in', {
    schema: {
      tags,
      operationId: 'getSignInWays',
      summary: 'Fetch the available sign-in methods',
      description: 'Used by the sign-in page of the web app.',
      security: [],
      response: { 200: answer(SignInWays, 'The sign-in methods.'), ...refusals(400) }
    },
    handler: async () => ({ passwordLogin, ...(provider && { provider: provider.settings.name }) })
  })

  app.get('/oidc/start', {
    schema: {
      tags,
      operationId: 'startSignIn',
      summary: 'Sign in with the identity provider',
      description:
        'Redirects the browser to the identity provider. A cookie holds the secrets of the sign-in for ten minutes. If something goes wrong, browsers that request a page are redirected to `/sign-in?error={code}`.',
      security: [],
      querystring: StartQuery,
      response: { 302: goesOn('Redirects to the identity provider.'), ...refusals(400, 404) }
    },
    handler: async (request, reply) => {
      try {
        const known = requireProvider(provider)
        const { url, cookie } = await beginFlow(known, flowKey, request, { to: localPath(request.query.to) })
        return reply.header('set-cookie', cookie).redirect(url)
      } catch (error) {
        const problem = expectedProblemOf(error)
        if (!problem || !prefersPage(request)) throw error
        return sendError(request, reply, problem, '/sign-in')
      }
    }
  })

  app.get('/oidc/callback', {
    schema: {
      tags,
      operationId: 'finishSignIn',
      summary: 'Return from the identity provider',
      description:
        'The identity provider redirects browsers here. They continue, signed in, to the page where the sign-in started or, after linking an account, to `/account`. Errors redirect to `/sign-in?error={code}`, or to `/account?error={code}` when linking.',
      security: [],
      querystring: CallbackQuery,
      response: { 302: goesOn('Redirects to a page of the web app.'), ...refusals(400, 404) }
    },
    handler: async (request, reply) => {
      const known = requireProvider(provider)
      const sender = senderFor(known, request)
      const callback = new URL(`/api/oidc/callback?${queryOf(request.url) ?? ''}`, known.settings.publicUrl)
      const states = callback.searchParams.getAll('state')
      const begun = await openFlow(flowOf(sender), flowKey)
      // Any website can redirect a browser here without the flow's state. Such a request is not counted as a guess and does not
      // end the flow.
      const flow = states.length === 1 && states[0] === begun?.state ? begun : undefined
      if (flow) reply.header('set-cookie', endedFlowCookie(sender))
      const address = networkOf(request.ip)
      try {
        if (!flow) throw new ProblemError('sign-in-expired')
        const wait = failures.take(address, 0)
        if (wait > 0) throw new ProblemError('too-many-attempts', { retryAfter: wait })
        const claims = await known.redeem(callback, flow)
        if (flow.token !== undefined) return await link(request, reply, flow.token, claims)
        const { user, issued } = await signIn(request, known, claims)
        return reply.startSession(user, issued, sender).redirect(flow.to)
      } catch (error) {
        const problem = expectedProblemOf(error)
        if (!problem) throw error
        if (isOfSender(problem)) {
          if (flow) failures.charge(address, 1)
          await recordFailure(request, problem)
        }
        return sendError(request, reply, problem, flow?.token === undefined ? '/sign-in' : '/account')
      }
    }
  })

  /** Starts a session for the user that the person signs in as. */
  async function signIn(request: FastifyRequest, { settings }: Provider, claims: IdClaims) {
    const arrival = arrivalOf(claims, settings)
    return store.write(async (trx) => {
      const author = { request: auditRequestOf(request) }
      const user = await admit(trx, author, arrival, settings)
      const event = { type: 'AUTHENTICATION_SUCCESS', target: targetOf(user), data: { method: 'oidc' } } as const
      await recordEvent(trx, { ...author, principal: user.login }, event)
      const { sid } = claims
      const by = isName(sid) ? { sid } : {}
      const familiar = await app.throttle.arrived(trx, user.login, request.ip)
      const signIn = { method: 'oidc', browser: true, rememberMe: false, familiar, ...by } as const
      return { user, issued: await app.issueSession(trx, user, request, signIn) }
    })
  }

  /** Links the person to the user who requested the link, if that user's session is still valid. */
  async function link(request: FastifyRequest, reply: FastifyReply, token: string, { iss, sub }: IdClaims) {
    request.actor = await app.identify(request, token)
    const login = accountOf(request.actor)
    await request.writeUser(login, async (trx, actor) =>
      linkIdentity(trx, actor, await requireUser(trx, login), { issuer: iss, subject: sub })
    )
    return reply.redirect('/account')
  }

  /** Records a failed sign-in. */
  async function recordFailure(request: FastifyRequest, { code, circumstances: { target } }: ProblemError) {
    app.metrics.countRefusedLogin('identity')
    const stranger = { principal: target?.name ?? 'anonymous', request: auditRequestOf(request) }
    const data = { method: 'oidc', reason: code }
    const event = { type: 'AUTHENTICATION_FAILURE', outcome: 'FAILURE', ...(target && { target }), data } as const
    await app.denials.record(request.actor ?? stranger, event)
  }
}

export default oidc

/**
 * Returns whether a sign-in failed because of what the browser sent, rather than because of the server, the provider or earlier
 * failures.
 */
function isOfSender({ code }: ProblemError) {
  const { status } = statusAndTitleOf(code)
  return status < 500 && status !== 429
}

/** Redirects the browser to a page that displays the error with this code. */
function sendError(request: FastifyRequest, reply: FastifyReply, problem: ProblemError, page: string) {
  const { code, circumstances } = problem
  const { message } = (circumstances.cause ?? problem) as Error
  request.log.warn({ reqId: request.id, code, detail: message }, 'a sign-in through the identity provider failed')
  return reply.redirect(`${page}?error=${code}`)
}
