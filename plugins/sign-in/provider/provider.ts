import { createRemoteJWKSet, customFetch as fetchKeysBy, type JWTVerifyGetKey, jwtVerify } from 'jose'
import * as oidc from 'openid-client'
import { Slots } from '../../../graph/jobs/shares.ts'
import { ProblemError } from '../../../schemas/problem-catalogue.ts'
import { fetchBounded, TIMEOUT, Unreachable } from './bounded-fetch.ts'
import { type IdClaims, isName, LOGOUT_AGE } from './claims.ts'
import type { ProviderSettings } from './settings.ts'

/** The secrets of a sign-in. The browser stores them and sends them back. */
export interface Secrets {
  state: string
  nonce: string
  verifier: string
}

/** How long to use the provider's metadata before fetching it again, in milliseconds. */
const REFRESH = 60 * 60 * 1000

/** How long to wait after a failure before contacting the provider again, in milliseconds. */
const REST = 5000

/** The maximum number of sign-ins that contact the provider at once, and of sign-ins that wait. Guests can use half of each. */
const LIMITS = { slots: 100, waiting: 200 }

/** The allowed difference between the clocks of the provider and the server, in seconds. */
const TOLERANCE = 30

/** The accepted signature algorithms. All are asymmetric, so that only the provider can sign. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** The metadata of the provider, and its keys. */
interface Known {
  config: oidc.Configuration
  issuer: string
  keysUrl: string
  keys: JWTVerifyGetKey
  /** When it was fetched, as measured by `performance.now()`. */
  at: number
}

/**
 * The identity provider. Its metadata and keys are fetched on demand, so the server can start while the provider is down. All
 * responses are limited in time and size.
 */
export class Provider {
  readonly settings: ProviderSettings
  #known: Known | undefined
  #asking: Promise<Known> | undefined
  #failedAt = Number.NEGATIVE_INFINITY
  readonly #slots = new Slots(LIMITS)

  constructor(settings: ProviderSettings) {
    this.settings = settings
  }

  /** Returns new secrets, and the address at the provider where the sign-in starts. Throws `provider-unavailable`. */
  async begin(): Promise<{ secrets: Secrets; url: URL }> {
    const { config } = await this.#describe()
    const secrets = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() }
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: `${this.settings.publicUrl}/api/oidc/callback`,
      scope: 'openid profile email',
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256'
    })
    return { secrets, url }
  }

  /**
   * Exchanges the code in the callback address for tokens. Returns the claims of the ID token. Throws `identity-invalid`,
   * `sign-in-expired`, `sign-in-refused` or `provider-unavailable`.
   */
  async redeem(callback: URL, { state, nonce, verifier }: Secrets): Promise<IdClaims> {
    const { config, issuer, keys } = await this.#describe()
    return this.#bounded(async () => {
      const tokens = await oidc.authorizationCodeGrant(config, callback, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true
      })
      // openid-client does not verify the signature of a token received over TLS. However, a proxy may terminate TLS.
      const { payload } = await jwtVerify<IdClaims>(tokens.id_token ?? '', keys, {
        issuer,
        audience: this.settings.clientId,
        algorithms: ALGORITHMS,
        clockTolerance: TOLERANCE,
        requiredClaims: ['sub', 'iat', 'exp', 'nonce']
      })
      if (payload.nonce !== nonce) throw new ProblemError('identity-invalid', { detail: 'The nonce does not match.' })
      if (payload.azp !== undefined && payload.azp !== this.settings.clientId) {
        throw new ProblemError('identity-invalid', { detail: 'The ID token was issued to another client.' })
      }
      if (!isName(payload.sub)) {
        throw new ProblemError('identity-invalid', { detail: 'The subject must be a string of 1 to 255 characters.' })
      }
      return payload
    })
  }

  /**
   * Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6), but does not check whether it was used
   * before. Throws `logout-token-invalid` or `provider-unavailable`.
   */
  async verifyLogout(token: string) {
    const { issuer, keys } = await this.#describe()
    const refuse = (detail: string) => new ProblemError('logout-token-invalid', { detail })
    const { payload } = await this.#bounded(() =>
      jwtVerify(token, keys, {
        issuer,
        audience: this.settings.clientId,
        algorithms: ALGORITHMS,
        clockTolerance: TOLERANCE,
        maxTokenAge: LOGOUT_AGE,
        requiredClaims: ['iat', 'jti', 'events']
      })
    ).catch((error: unknown) => {
      if (error instanceof ProblemError && error.code !== 'identity-invalid') throw error
      throw refuse('The signature or claims of the token are not valid.')
    })
    const { sub, sid, jti, events, nonce } = payload
    if (!isObject(events) || !isObject(events[LOGOUT_EVENT])) throw refuse('The token is not a logout token.')
    if (nonce !== undefined) throw refuse('The token must not have a nonce.')
    for (const value of [sub, sid])
      if (value !== undefined && !isName(value)) throw refuse('The sub and sid claims must be strings.')
    if (sub === undefined && sid === undefined) throw refuse('The token has neither a sub nor a sid claim.')
    return { issuer, subject: sub, sid: sid as string | undefined, id: String(jti) }
  }

  /** Returns the provider's metadata. Old metadata remains in use until new metadata is available. */
  async #describe(): Promise<Known> {
    const now = performance.now()
    if (this.#known && now - this.#known.at < REFRESH) return this.#known
    if (now - this.#failedAt < REST) {
      if (this.#known) return this.#known
      throw unavailable()
    }
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined
    })
    try {
      return await this.#asking
    } catch (error) {
      this.#failedAt = performance.now()
      if (this.#known) return this.#known
      throw unavailable(error)
    }
  }

  async #ask(): Promise<Known> {
    const server = new URL(this.settings.issuer)
    const { clientId, clientSecret } = this.settings
    const isLocal = server.protocol === 'http:'
    const config = await oidc.discovery(
      server,
      clientId,
      { [oidc.clockTolerance]: TOLERANCE },
      authenticationOf(clientSecret),
      {
        timeout: TIMEOUT / 1000,
        [oidc.customFetch]: fetchBounded as oidc.CustomFetch,
        execute: isLocal ? [oidc.allowInsecureRequests] : []
      }
    )
    const { issuer, authorization_endpoint, token_endpoint, jwks_uri } = config.serverMetadata()
    // For some multi-tenant issuers, openid-client allows a different issuer. This server does not.
    if (issuer !== this.settings.issuer) throw new Unreachable(`the issuer identifies itself as ${issuer}`)
    for (const url of [authorization_endpoint, token_endpoint, jwks_uri]) {
      const protocol = url !== undefined && URL.canParse(url) ? new URL(url).protocol : undefined
      if (protocol === 'https:' || (isLocal && protocol === 'http:')) continue
      throw new Unreachable('an endpoint of the provider is missing or does not use https')
    }
    const keysUrl = String(jwks_uri)
    const keys =
      this.#known?.keysUrl === keysUrl
        ? this.#known.keys
        : createRemoteJWKSet(new URL(keysUrl), { timeoutDuration: TIMEOUT, [fetchKeysBy]: restingAfterFailure() })
    this.#known = { config, issuer, keysUrl, keys, at: performance.now() }
    return this.#known
  }

  /** Contacts the provider, one caller at a time for each holder. Throws problems from the catalogue. */
  async #bounded<T>(ask: () => Promise<T>): Promise<T> {
    return this.#slots.run(ask).catch((error: unknown) => {
      throw problemOf(error)
    })
  }
}

/**
 * Returns how the server authenticates to the provider: with the Authorization header, or in the body if the provider's list of
 * methods omits `client_secret_basic`.
 */
function authenticationOf(secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None()
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]
  return (provider, ...rest) => {
    const methods = provider.token_endpoint_auth_methods_supported as string[] | undefined
    return (methods?.includes('client_secret_basic') === false ? post : basic)(provider, ...rest)
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Returns a `fetch` that, after a failure, fails immediately for a while, since any token with an unknown key triggers a
 * request for keys.
 */
function restingAfterFailure(): typeof fetchBounded {
  let failedAt = Number.NEGATIVE_INFINITY
  return async (url, options) => {
    if (performance.now() - failedAt < REST) throw new Unreachable('the provider failed a moment ago')
    try {
      const response = await fetchBounded(url, options)
      if (response.status !== 200) throw new Unreachable(`fetching the keys failed with status ${response.status}`)
      return response
    } catch (error) {
      failedAt = performance.now()
      throw error
    }
  }
}

function unavailable(cause?: unknown) {
  return new ProblemError('provider-unavailable', { retryAfter: REST / 1000, cause: withoutSecrets(cause) })
}

/** Returns an error that is safe to log. The cause of openid-client's errors contains whole responses. */
function withoutSecrets(error: unknown): Error | undefined {
  return error instanceof Error ? new Error(`${error.name}: ${error.message}`) : undefined
}

/** Error codes from openid-client and jose that concern the provider or the settings rather than the person. */
const UNAVAILABLE = [
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_PARSE_ERROR',
  'OAUTH_RESPONSE_BODY_ERROR',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
  'ERR_JOSE_GENERIC',
  'ERR_JWKS_INVALID',
  'ERR_JWKS_TIMEOUT'
]

/** Converts an error of openid-client or jose to a problem. */
function problemOf(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error
  const cause = withoutSecrets(error)
  if (error instanceof oidc.AuthorizationResponseError) return new ProblemError('sign-in-refused', { cause })
  // The code has expired or has already been used.
  if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant') {
    return new ProblemError('sign-in-expired', { cause })
  }
  const { code = '', cause: inner } = error as { code?: string; cause?: unknown }
  const isUnreachable = [error, inner].some(
    (one) => one instanceof Unreachable || one instanceof TypeError || one instanceof DOMException
  )
  if (isUnreachable || UNAVAILABLE.includes(code)) return unavailable(error)
  return new ProblemError('identity-invalid', { cause })
}
