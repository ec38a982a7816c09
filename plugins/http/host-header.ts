import type { IncomingMessage } from 'node:http'

/** A host name or address with an optional port, or nothing (RFC 3986, section 3.2). */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\w.~!$&'()*+,;=:-]+\])(?::\d*)?$/

/** Returns the fault in a request's Host header, if any. There must be exactly one such header (RFC 9112, section 3.2). */
export function findHostFault({ httpVersion, headers, rawHeaders }: IncomingMessage): string | undefined {
  const { host } = headers
  if (host === undefined) return httpVersion === '1.0' ? undefined : 'The Host header is missing.'
  // Node.js keeps only the first header.
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  if (count > 1) return 'There is more than one Host header.'
  return HOST.test(host) ? undefined : 'The Host header is not a valid host.'
}

/** Paths that monitoring tools request by IP address. */
const BY_ADDRESS = ['/healthz', '/readyz', '/metrics']

/** The names and addresses of the loopback interface. */
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * Returns whether the Host header of a request specifies another server. Ports are ignored, since proxies and containers change
 * them. This check prevents DNS rebinding: otherwise, a page on a domain that an attacker points at this server could read its
 * responses.
 */
export function isMisdirected(hostname: string, path: string, publicHostname: string): boolean {
  const name = hostname.toLowerCase()
  return name !== '' && name !== publicHostname && !LOOPBACK.test(name) && !BY_ADDRESS.includes(path)
}
