/** On every answer, errors included. An API has nothing to show in a frame and nothing to run. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store'
}

/**
 * Strict-Transport-Security (RFC 6797), of answers by TLS only: for a year a browser that has seen it comes by TLS. Of other
 * hosts of the domain it says nothing.
 */
export const transportSecurity = 'max-age=31536000'
