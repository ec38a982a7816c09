/** The headers of every response, including errors. API responses may not be framed or run scripts. */
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
 * Strict-Transport-Security (RFC 6797), for responses over TLS only. Browsers then use TLS for a year. Subdomains are not
 * covered.
 */
export const transportSecurity = 'max-age=31536000'

/** Cache-Control for responses that a client may cache, but must revalidate by ETag before each use (RFC 9111). */
export const checkedByEtag = 'private, no-cache'

/**
 * Content-Security-Policy for a page that only loads files from this server. Scripts may still set individual style properties,
 * and the HTML contains no inline styles.
 */
export const ownFilesOnly =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
