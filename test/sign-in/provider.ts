import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'

const SECRET = 'a client secret of at least thirty-two characters'

/**
 * Starts a real identity provider for the server at this address, and writes its secret to a file in the folder. Returns the
 * provider, and the arguments of the server.
 */
export async function startProvider(t: Test, publicUrl: string, folder: string) {
  const callback = `${publicUrl}/api/oidc/callback`
  const logout = `${publicUrl}/api/oidc/backchannel-logout`
  const child = spawn(process.execPath, [join(import.meta.dirname, 'provider-process.ts'), callback, logout, SECRET], {
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const ended = new Promise((resolve) => child.on('exit', resolve))
  const stop = () => {
    child.kill('SIGKILL')
    return ended
  }
  t.teardown(stop)
  const issuer = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      const named = /issuer (\S+)/.exec(String(chunk))?.[1]
      if (named) resolve(named)
    })
    ended.then(() => reject(new Error(`the provider does not start: ${said}`)))
  })
  const secretFile = join(folder, 'secret')
  writeFileSync(secretFile, SECRET)
  const args = [
    ...['--public-url', publicUrl, '--oidc-issuer', issuer, '--oidc-client-id', 'graphstead'],
    ...['--oidc-client-secret-file', secretFile, '--oidc-create-users', 'on', '--oidc-name', 'Example Lab'],
    ...['--oidc-role-claim', 'groups', '--oidc-admin-values', 'graph-admins']
  ]
  return { issuer, args, stop }
}

/** A browser. It keeps cookies by origin, and follows redirects as far as a test needs. */
export class Visitor {
  readonly #cookies = new Map<string, Map<string, string>>()

  set(origin: string, name: string, value: string) {
    const own = this.#cookies.get(origin) ?? new Map<string, string>()
    this.#cookies.set(origin, own)
    if (value === '') own.delete(name)
    else own.set(name, value)
  }

  /**
   * Sends the cookies of `origin`, by default the URL's. A load balancer may send requests for one origin to any
   * server.
   */
  async fetch(url: string, options: RequestInit = {}, origin = new URL(url).origin) {
    const cookie = [...(this.#cookies.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...options.headers, ...(cookie && { cookie }) }
    const response = await fetch(url, { ...options, headers, redirect: 'manual' })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      this.set(origin, name, value)
    }
    return response
  }

  /** Follows redirects until an address begins with `end`. Returns that address. */
  async follow(url: string, end: string): Promise<string> {
    for (let at = url, steps = 0; steps < 15; steps++) {
      const response = await this.fetch(at)
      const location = response.headers.get('location')
      if (!location) throw new Error(`${at} returned ${response.status}: ${await response.text()}`)
      at = new URL(location, at).href
      if (at.startsWith(end)) return at
    }
    throw new Error('there are too many redirects')
  }
}
