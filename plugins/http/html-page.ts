import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import type { BuiltFiles } from './built-files.ts'

/**
 * Allows only the server's own files, no inline scripts, and inline styles only if the page's script adds them with the nonce.
 */
const policy = (nonce: string, frames: string, ancestors: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "connect-src 'self'",
    "worker-src 'self'",
    `frame-src ${frames}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors}`
  ].join('; ')

/**
 * Returns a function that sends the page with this name. Only pages from the origins in `ancestors`, by default none, may embed
 * it in a frame. With `hasFrames`, the page itself may embed frames from this server. `tags` are added to its head.
 */
export function htmlPage(files: BuiltFiles, name: string, { hasFrames = false } = {}) {
  const frames = hasFrames ? "'self'" : "'none'"
  const page = loadOnce(async () => (await readBuilt(files, name)).toString())
  return async (reply: FastifyReply, ancestors: readonly string[] = [], tags = '') => {
    const nonce = randomBytes(16).toString('base64')
    const html = (await page()).replaceAll('{{nonce}}', nonce).replace('</head>', () => `${tags}</head>`)
    reply.header('content-security-policy', policy(nonce, frames, ancestors.join(' ') || "'none'"))
    return reply.type('text/html; charset=utf-8').send(html)
  }
}

/** Reads a file. Throws `web-app-missing` if the web app has not been built. */
export function readBuilt(files: BuiltFiles, path: string) {
  const reading = files.get(path)
  if (!reading) throw new ProblemError('web-app-missing')
  return reading()
}

/** Returns a function that loads once and then returns the same promise each time. After a failure, the next call tries again. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}
