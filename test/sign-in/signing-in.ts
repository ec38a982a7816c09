import type { Test } from 'tap'
import type { Settings } from '../../schemas/settings.ts'
import { build, events } from '../support/helper.ts'
import { type Answer, CLIENT_ID, startHostileProvider } from './hostile-provider.ts'

export const PUBLIC = 'https://graphs.example.org'

/** A server with a provider, and a browser that signs in with it. */
export async function buildWithProvider(t: Test, settings: Partial<Settings> = {}) {
  const provider = await startHostileProvider(t)
  const built = await build(t, {
    publicUrl: PUBLIC,
    oidcIssuer: provider.issuer,
    oidcClientId: CLIENT_ID,
    oidcCreateUsers: 'on',
    ...settings
  })
  const visitor = built.as()

  /** Sends the browser to the provider. Returns the provider's address, and the browser's cookie. */
  async function start(query = '') {
    const { status, headers } = await visitor.get(`/api/oidc/start${query}`)
    t.equal(status, 302)
    return { location: headers.location ?? '', cookie: cookieOf(headers, '__Host-graphstead_sign_in') }
  }

  /** Sends the browser back from the provider. Returns the redirect location and the session. */
  async function comeBack(path: string, cookie: string) {
    const { status, headers } = await visitor.get(path, { cookie })
    t.equal(status, 302)
    return { location: headers.location, session: cookieOf(headers, '__Host-graphstead_session'), headers }
  }

  async function signIn(answer?: Answer) {
    const { location, cookie } = await start()
    return comeBack(provider.arrive(location, answer), cookie)
  }

  /** Returns the user of the session, or undefined if it has ended. */
  async function whoIs(session: string) {
    return (await visitor.get('/api/session', { cookie: session })).body
  }

  return { ...built, provider, visitor, start, comeBack, signIn, whoIs }
}

/**
 * Returns the outcome of the redirect back from the provider. Compare it exactly, since `t.match` accepts any page in place of
 * the first one.
 */
export const endOf = ({ location, session }: { location: string | undefined; session: string }) => ({
  location,
  hasSession: session !== ''
})

export const signedIn = { location: '/', hasSession: true }

export const refusedWith = (code: string) => ({ location: `/sign-in?error=${code}`, hasSession: false })

/** The cookie as the browser sends it back; empty if it was not set. */
export function cookieOf(headers: Record<string, unknown>, name: string): string {
  const set = [headers['set-cookie'] ?? []].flat() as string[]
  return set.find((cookie) => cookie.startsWith(`${name}=`) && !cookie.startsWith(`${name}=;`))?.split(';')[0] ?? ''
}

/** The type, principal, target and data of each event. */
export async function trail(store: Parameters<typeof events>[0]) {
  return (await events(store)).map(({ type, outcome, principal, targetName, data }) => ({
    type,
    outcome,
    principal,
    target: targetName,
    data
  }))
}

/** The event for a failed sign-in. */
export const failure = (reason: string, target: string | null = null) => ({
  type: 'AUTHENTICATION_FAILURE',
  outcome: 'FAILURE',
  principal: target ?? 'anonymous',
  target,
  data: { method: 'oidc', reason }
})
