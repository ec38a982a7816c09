/** The headers of every answer, also of errors. An API shows nothing in a frame and runs nothing. */
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
 * Strict-Transport-Security (RFC 6797), for answers by TLS only: browsers use TLS for a year. It does not apply to other hosts
 * of the domain.
 */
export const transportSecurity = 'max-age=31536000'

/** Cache-Control of answers that a client may keep, but has to check by their ETag before each use (RFC 9111). */
export const checkedByEtag = 'private, no-cache'
