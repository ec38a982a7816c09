import type { IncomingMessage } from 'node:http'

/** A name or address, perhaps with a port; or nothing (RFC 3986, section 3.2). */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\w.~!$&'()*+,;=:-]+\])(?::\d*)?$/

/** What is wrong with the Host of a request, if anything: there has to be one, and only one (RFC 9112, section 3.2). */
export function hostFault({ httpVersion, headers, rawHeaders }: IncomingMessage): string | undefined {
  const { host } = headers
  if (host === undefined) return httpVersion === '1.0' ? undefined : 'The Host header is missing.'
  // Node tells the first one only.
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  if (count > 1) return 'There is more than one Host header.'
  return HOST.test(host) ? undefined : 'The Host header is not a host.'
}
