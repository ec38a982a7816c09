/** Scheme, host and port as `frame-ancestors` can name them (CSP 3, section 2.3.1): no wildcards, no addresses of IPv6. */
const ORIGIN = /^https?:\/\/[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:\d{1,5})?$/

/** Returns the origin in its normal form, such as `https://example.org`; undefined if the text is anything else than an origin. */
export function normalOrigin(text: string): string | undefined {
  if (/[\s*]/.test(text)) return undefined
  const url = URL.parse(text)
  // Everything beyond the origin is refused, and not dropped: it would not have the meaning that its author expects.
  if (!url || url.href !== `${url.origin}/` || !ORIGIN.test(url.origin)) return undefined
  return url.origin
}
