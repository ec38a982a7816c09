import { BlockList, isIP, isIPv6 } from 'node:net'

/** Returns the network of an address. For IPv6, this is the /64, which may belong to a single customer. */
export function networkOf(address: string) {
  // Most addresses are IPv4, and the regular expression of isIPv6 is slow.
  if (!address.includes(':') || !isIPv6(address) || address.startsWith('::ffff:')) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter(Boolean)
  if (tail !== undefined) {
    const after = tail.split(':').filter(Boolean)
    while (groups.length + after.length < 8) groups.push('0')
    groups.push(...after)
  }
  return groups.slice(0, 4).join(':')
}

/**
 * Returns the site of an address. For IPv6, this is the /48: providers assign up to a /48 to a customer, who then has 65,536
 * networks.
 */
export function siteOf(address: string) {
  const network = networkOf(address)
  return network === address ? address : network.split(':').slice(0, 3).join(':')
}

/** The named networks that `--trust-proxy` accepts. */
const named: Record<string, string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']
}

/** Converts the value of `--trust-proxy` to Fastify's option. Throws TypeError if a part is neither an address nor a network. */
export function readTrustProxy(text: string): boolean | string[] {
  if (text === '' || text === 'false') return false
  if (text === 'true') return true
  const proxies = text.split(',').map((proxy) => proxy.trim())
  for (const proxy of proxies) {
    if (!Object.hasOwn(named, proxy) && !isNetwork(proxy)) throw new TypeError(`${proxy} is not an address or network`)
  }
  return proxies
}

function isNetwork(text: string) {
  const [address = '', prefix, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
}

/** Returns a predicate for addresses of these proxies, as parsed by readTrustProxy. */
export function createProxyTest(proxies: boolean | string[]): (address: string) => boolean {
  if (typeof proxies === 'boolean') return () => proxies
  const list = new BlockList()
  for (const proxy of proxies.flatMap((proxy) => named[proxy] ?? [proxy])) {
    const [address = '', prefix] = proxy.split('/')
    const [family, bits] = isIPv6(address) ? (['ipv6', 128] as const) : (['ipv4', 32] as const)
    list.addSubnet(address, prefix === undefined ? bits : Number(prefix), family)
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
