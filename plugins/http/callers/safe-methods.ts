const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Tells whether requests with this method make no changes (RFC 9110, section 9.2.1). */
export function isSafe(method: string): boolean {
  return SAFE.has(method)
}
