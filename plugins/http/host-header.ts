import type { IncomingMessage } from 'node:http'

/** A name or address, with or without a port; or nothing (RFC 3986, section 3.2). */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\w.~!$&'()*+,;=:-]+\])(?::\d*)?$/

/** Returns the fault of a request's Host, if any: there has to be exactly one (RFC 9112, section 3.2). */
export function findHostFault({ httpVersion, headers, rawHeaders }: IncomingMessage): string | undefined {
  const { host } = headers
  if (host === undefined) return httpVersion === '1.0' ? undefined : 'The Host header is missing.'
  // Node.js keeps the first one only.
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  if (count > 1) return 'There is more than one Host header.'
  return HOST.test(host) ? undefined : 'The Host header is not a host.'
}

/** Requests that programs of the operator make by address. */
const BY_ADDRESS = ['/healthz', '/readyz', '/metrics']

/** This machine, by any port. */
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * Tells whether a request is for another server than the one with this public name. Ports do not count, since proxies and
 * containers change them. Otherwise a page of another name, whose owner points it here, could read what this server says.
 */
export function isMisdirected(hostname: string, path: string, publicHostname: string): boolean {
  const name = hostname.toLowerCase()
  return name !== '' && name !== publicHostname && !LOOPBACK.test(name) && !BY_ADDRESS.includes(path)
}
