import { X509Certificate } from 'node:crypto'
import { statSync } from 'node:fs'
import { isIP } from 'node:net'
import { readTrustProxy } from '../../plugins/http/networks.ts'
import type { Settings } from '../../schemas/settings.ts'
import { BadSetting } from '../settings/config.ts'
import { readTls } from '../settings/tls.ts'
import { isPrivate } from '../system/platform.ts'
import { type Finding, findingsAbout, spanText } from './finding.ts'

const finding = findingsAbout('tls')

const DAY = 24 * 60 * 60 * 1000

/** How long before a certificate expires to start warning, in milliseconds. Let's Encrypt renews 30 days before expiry. */
const SOON = 21 * DAY

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/

/** Checks the certificate and its key, or reports why there is no certificate. */
export function examineTls(config: Settings, now = Date.now()): Finding[] {
  try {
    const tls = readTls(config)
    if (!tls) return [judgePlainHttp(config)]
    const certificate = judgeCertificate(new X509Certificate(tls.cert as Buffer), config.publicUrl, now)
    return [certificate, ...judgeKeyFile(config.tlsKey as string)]
  } catch (error) {
    if (error instanceof BadSetting) return [finding('bad', `${error.message}; the server will not start`)]
    return [finding('bad', `the certificate cannot be read: ${(error as Error).message}`)]
  }
}

function judgePlainHttp({ host, trustProxy }: Settings): Finding {
  if (LOOPBACK.test(host)) return finding('good', 'off, and only this machine can reach the server')
  if (readTrustProxy(trustProxy) !== false) return finding('good', 'off; the proxy in --trust-proxy must provide it')
  return finding(
    'warning',
    `off on ${host}, so passwords cross the network unencrypted; set --tls-cert and --tls-key, or put a proxy with TLS in front`
  )
}

/** Returns a finding about a certificate that matches its key. */
export function judgeCertificate(certificate: X509Certificate, publicUrl: string | undefined, now: number): Finding {
  const { validFromDate: from, validToDate: to } = certificate
  const left = to.getTime() - now
  const until = `the certificate is valid until ${to.toISOString()}`
  const renew = 'renew it, then reload the service'
  if (from.getTime() > now)
    return finding('bad', `the certificate is not valid before ${from.toISOString()}; check the clock`)
  if (left <= 0) return finding('bad', `the certificate expired on ${to.toISOString()}; ${renew}`)
  if (left < SOON) return finding('warning', `${until}, for ${spanText(left)}; ${renew}`)
  const name = publicUrl === undefined ? undefined : new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')
  if (name !== undefined && !(isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name))) {
    return finding('warning', `the certificate does not cover ${name}, the name in --public-url; get one that does`)
  }
  return finding('good', `${until}, for ${spanText(left)}, and matches its key`)
}

function judgeKeyFile(path: string): Finding[] {
  const { mode } = statSync(path)
  // A group may read the key, because distributions have a group for this purpose.
  if (isPrivate(mode & ~0o070)) return []
  return [finding('warning', `${path} can be read by everyone; chmod 640 it`)]
}
