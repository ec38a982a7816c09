/** The timeout for a response, in milliseconds. */
export const TIMEOUT = 5000

/** The maximum size of a response, in bytes. */
const MOST_BYTES = 256 * 1024

/** Thrown if a response is too large, too late or a redirect. */
export class Unreachable extends Error {
  override name = 'Unreachable'
}

/**
 * Fetches a complete response from another server. Limits its time and size, and does not follow redirects. Throws Unreachable,
 * or the errors of `fetch`.
 */
export async function fetchBounded(url: string, options: RequestInit): Promise<Response> {
  const signals = [AbortSignal.timeout(TIMEOUT), ...(options.signal ? [options.signal] : [])]
  const response = await fetch(url, { ...options, redirect: 'manual', signal: AbortSignal.any(signals) })
  const { status, headers, body } = response
  if (status >= 300 && status < 400) {
    await body?.cancel()
    throw new Unreachable(`the response from ${new URL(url).host} is a redirect`)
  }
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.byteLength
    // Throwing ends the loop, which cancels the rest of the response.
    if (length > MOST_BYTES) throw new Unreachable(`the response from ${new URL(url).host} is too large`)
    chunks.push(chunk)
  }
  return new Response(status === 204 ? null : Buffer.concat(chunks), { status, headers })
}
