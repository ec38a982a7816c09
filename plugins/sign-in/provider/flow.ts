import type { FastifyRequest } from 'fastify'
import { ProblemError } from '../../../schemas/problem-catalogue.ts'
import { FLOW_LIFETIME, flowCookie, type Sender } from '../../http/callers/cookies.ts'
import type { Provider, Secrets } from './provider.ts'

/** A sign-in in progress at the identity provider. */
export interface Flow extends Secrets {
  /** The path of the page to open afterwards. */
  to: string
  /** The session token of the user who requested the link; undefined when signing in. */
  token?: string | undefined
}

/** Returns the provider. Throws `provider-missing` if none is configured. */
export function requireProvider(provider: Provider | undefined): Provider {
  if (!provider) throw new ProblemError('provider-missing')
  return provider
}

/**
 * Returns how browsers reach the public address, which determines the cookies. A proxy may use TLS without the server knowing.
 */
export function senderFor({ settings }: Provider, { headers }: FastifyRequest): Sender {
  return { protocol: settings.publicUrl.startsWith('https:') ? 'https' : 'http', headers }
}

/** Starts a sign-in. Returns the provider's address, and a `Set-Cookie` header for the flow. Throws `provider-unavailable`. */
export async function beginFlow(
  provider: Provider,
  key: Buffer,
  request: FastifyRequest,
  flow: Omit<Flow, keyof Secrets>
): Promise<{ url: string; cookie: string }> {
  const { secrets, url } = await provider.begin()
  const sealed = await sealFlow({ ...flow, ...secrets }, key)
  return { url: url.href, cookie: flowCookie(senderFor(provider, request), sealed) }
}

/** Encrypts the flow for its browser. Any process with the key can continue it, and no process has to store anything. */
async function sealFlow(flow: Flow, key: Buffer): Promise<string> {
  // Loaded on first use, since few servers have an identity provider.
  const { EncryptJWT } = await import('jose')
  const until = Date.now() + FLOW_LIFETIME * 1000
  return new EncryptJWT({ ...flow, until }).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(key)
}

/** Decrypts a flow. Returns undefined if it is missing, expired or encrypted with another key. */
export async function openFlow(sealed: string | undefined, key: Buffer): Promise<Flow | undefined> {
  if (sealed === undefined) return undefined
  const options = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] }
  const { jwtDecrypt } = await import('jose')
  const opened = await jwtDecrypt<Flow & { until: number }>(sealed, key, options).catch(() => undefined)
  return opened && opened.payload.until > Date.now() ? opened.payload : undefined
}

/** Returns the path if it is on this server, or else the start page. */
export function localPath(text: string | undefined): string {
  const base = 'http://here.invalid'
  if (!text?.startsWith('/') || !URL.canParse(text, base)) return '/'
  const url = new URL(text, base)
  const path = url.pathname + url.search + url.hash
  // Browsers treat //host as another server, and a backslash as a slash.
  return url.origin === base && !path.startsWith('//') ? path : '/'
}
