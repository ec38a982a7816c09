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

/** How long before a certificate expires the warnings begin, in milliseconds. Let's Encrypt renews 30 days before expiry. */
const SOON = 21 * DAY

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/

/** Examines the certificate and its key, or the reason why there are none. */
export function examineTls(config: Settings, now = Date.now()): Finding[] {
  try {
    const tls = readTls(config)
    if (!tls) return [judgePlainHttp(config)]
    const certificate = judgeCertificate(new X509Certificate(tls.cert as Buffer), config.publicUrl, now)
    return [certificate, ...judgeKeyFile(config.tlsKey as string)]
  } catch (error) {
    if (error instanceof BadSetting) return [finding('bad', `${error.message}; the server does not start with it`)]
    return [finding('bad', `the certificate cannot be read: ${(error as Error).message}`)]
  }
}

function judgePlainHttp({ host, trustProxy }: Settings): Finding {
  if (LOOPBACK.test(host)) return finding('good', 'none, and only this machine reaches the server')
  if (readTrustProxy(trustProxy) !== false)
    return finding('good', 'none; a proxy that --trust-proxy names has to speak it')
  return finding(
    'warning',
    `none on ${host}: passwords cross the network readable; set --tls-cert and --tls-key, or let a proxy speak TLS`
  )
}

/** Returns a finding about a certificate that matches its key. */
export function judgeCertificate(certificate: X509Certificate, publicUrl: string | undefined, now: number): Finding {
  const { validFromDate: from, validToDate: to } = certificate
  const left = to.getTime() - now
  const until = `the certificate is valid until ${to.toISOString()}`
  const renew = 'renew it, then reload the service'
  if (from.getTime() > now)
    return finding('bad', `the certificate is not valid before ${from.toISOString()}; look at the clock`)
  if (left <= 0) return finding('bad', `the certificate has expired on ${to.toISOString()}; ${renew}`)
  if (left < SOON) return finding('warning', `${until}, for ${spanText(left)}; ${renew}`)
  const name = publicUrl === undefined ? undefined : new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')
  if (name !== undefined && !(isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name))) {
    return finding('warning', `the certificate is not for ${name}, the name in --public-url; get one for it`)
  }
  return finding('good', `${until}, for ${spanText(left)}, and fits its key`)
}

function judgeKeyFile(path: string): Finding[] {
  const { mode } = statSync(path)
  // A group may read the key: distributions have one for this purpose.
  if (isPrivate(mode & ~0o070)) return []
  return [finding('warning', `${path} can be read by everybody; chmod 640 it`)]
}
