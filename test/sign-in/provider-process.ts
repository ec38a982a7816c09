import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import OidcProvider from 'oidc-provider'

// A certified identity provider in its own process; see test/sign-in/provider.ts. It signs in the person specified by the
// cookie `person`.

const [redirectUri = '', logoutUri = '', clientSecret = ''] = process.argv.slice(2)

const server = createServer().listen(0, '127.0.0.1', async () => {
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const provider = new OidcProvider(issuer, {
    clients: [
      {
        client_id: 'graphstead',
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        backchannel_logout_uri: logoutUri,
        backchannel_logout_session_required: true
      }
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'first', alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['a secret of the tests'] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    claims: { openid: ['sub'], profile: ['preferred_username', 'groups'], email: ['email'] },
    // Puts claims into the id token, as most providers do.
    conformIdTokenClaims: false,
    // The provider's default fetch refuses to notify servers on loopback.
    fetch: (url: string, { dispatcher: _, ...options }: RequestInit & { dispatcher: unknown }) => fetch(url, options),
    pkce: { required: () => true },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        preferred_username: id,
        groups: id.startsWith('chief') ? ['graph-admins'] : ['others']
      })
    })
  })

  /** Answers the provider's prompts: signs the person in and gives consent. */
  async function answerQuestion(request: IncomingMessage, response: ServerResponse) {
    const { prompt, params, session } = await provider.interactionDetails(request, response)
    const person = /(?:^|; )person=([^;]+)/.exec(request.headers.cookie ?? '')?.[1]
    if (prompt.name === 'login') {
      const result = person
        ? { login: { accountId: person } }
        : { error: 'access_denied', error_description: '<b>no</b>' }
      return provider.interactionFinished(request, response, result)
    }
    const grant = new provider.Grant({ accountId: session.accountId, clientId: params.client_id })
    grant.addOIDCScope('openid profile email')
    const result = { consent: { grantId: await grant.save() } }
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true })
  }

  const callback = provider.callback()
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/')) {
      answerQuestion(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
    } else callback(request, response)
  })
  process.stdout.write(`issuer ${issuer}\n`)
})
