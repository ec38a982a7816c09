import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import type { Test } from 'tap'
import { listenOn } from '../support/listening.ts'

export const CLIENT_ID = 'graphstead'

/** A person at the provider, and any defects in the ID token. */
export interface Answer {
  claims?: JWTPayload
  /** By default, signs with the published key. */
  sign?: (claims: JWTPayload) => Promise<string> | string
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

/**
 * Starts an identity provider in this process. Tests can replace its responses by path. It issues each
 * code once, and checks the PKCE verifier.
 */
export async function startHostileProvider(t: Test) {
  const codes = new Map<string, { challenge: string; nonce: string; answer: Answer }>()
  const asked: Record<string, number> = {}
  const replaced = new Map<string, Handler>()
  let key = await newKey('first')

  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname
    asked[path] = (asked[path] ?? 0) + 1
    const handler = replaced.get(path) ?? handlers[path]
    if (!handler) return response.writeHead(404).end()
    await handler(request, response)
  })
  const issuer = await listenOn(t, server)

  const metadata: Record<string, unknown> = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'ES256', 'none', 'HS256'],
    authorization_response_iss_parameter_supported: true
  }
  const handlers: Record<string, Handler> = {
    '/.well-known/openid-configuration': (_, response) => sendJson(response, metadata),
    '/jwks': (_, response) => sendJson(response, { keys: [key.published] }),
    '/token': async (request, response) => {
      const form = new URLSearchParams(await text(request))
      const code = form.get('code') ?? ''
      const known = codes.get(code)
      codes.delete(code)
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      if (known?.challenge !== challenge) return sendJson(response, { error: 'invalid_grant' }, 400)
      const { claims, sign = signed } = known.answer
      const id_token = await sign({ ...standardClaims(), nonce: known.nonce, ...claims })
      sendJson(response, { access_token: randomUUID(), token_type: 'Bearer', expires_in: 60, id_token })
    }
  }

  const now = () => Math.floor(Date.now() / 1000)
  const standardClaims = (): JWTPayload => ({
    iss: issuer,
    aud: CLIENT_ID,
    sub: 'eve',
    preferred_username: 'eve',
    iat: now(),
    exp: now() + 300
  })

  /** Signs the claims with the published key. */
  const signed = (claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: key.published.kid ?? '' }).sign(key.secret)

  return {
    issuer,
    metadata,
    asked,
    signed,
    now,
    /** Signs in a person. Returns the path that the provider redirects the browser to. */
    arrive(location: string, answer: Answer = {}): string {
      const { searchParams } = new URL(location)
      const code = randomUUID()
      codes.set(code, {
        challenge: searchParams.get('code_challenge') ?? '',
        nonce: searchParams.get('nonce') ?? '',
        answer
      })
      return `/api/oidc/callback?${new URLSearchParams({ code, state: searchParams.get('state') ?? '', iss: issuer })}`
    },
    /** Signs a logout token with the standard claims and the test's own. */
    logoutToken: (claims: JWTPayload = {}, sign = signed) =>
      sign({
        iss: issuer,
        aud: CLIENT_ID,
        iat: now(),
        exp: now() + 120,
        jti: randomUUID(),
        sub: 'eve',
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        ...claims
      }),
    /** Replaces the handler of the path, or restores the default if `handler` is omitted. */
    replace(path: string, handler?: Handler) {
      if (handler) replaced.set(path, handler)
      else replaced.delete(path)
    },
    /** Replaces the published key with a new one. */
    async rotate() {
      key = await newKey(randomUUID())
    }
  }
}

async function newKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  return { secret: privateKey, published: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } }
}

function sendJson(response: ServerResponse, body: object, status = 200) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
