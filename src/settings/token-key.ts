import { randomBytes, randomUUID } from 'node:crypto'
import { chmodSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isPrivate } from '../system/platform.ts'

/** The minimum length of a key, and the length of a new one, in bytes. */
export const MIN_KEY_BYTES = 32

/** Thrown if the key cannot be read or trusted. The message tells the operator how to fix the problem. */
export class TokenKeyRefused extends Error {
  override name = 'TokenKeyRefused'
}

/** Returns the path of the key: `file`, or `token.key` in the data folder by default. */
export function tokenKeyFile(folder: string, file?: string): string {
  return file ?? join(folder, 'token.key')
}

/**
 * Reads the key that signs tokens from `file`, or by default from `token.key` in the data folder, which is created on the first
 * start. Throws TokenKeyRefused if the key is unreadable, too short, or readable by others.
 */
export function readTokenKey(folder: string, file?: string): Buffer {
  const path = tokenKeyFile(folder, file)
  try {
    if (file === undefined) createOnce(path)
    if (!isPrivate(statSync(path).mode)) {
      throw new TokenKeyRefused(`${path} can be read by others, who could use it to sign in as any user: chmod 600 it.`)
    }
    const key = readFileSync(path)
    if (key.length < MIN_KEY_BYTES)
      throw new TokenKeyRefused(`${path} is too short: a key needs at least ${MIN_KEY_BYTES} bytes.`)
    return key
  } catch (error) {
    if (error instanceof TokenKeyRefused) throw error
    throw new TokenKeyRefused(`The token key cannot be read: ${(error as Error).message}.`)
  }
}

/** Creates the key atomically. If two processes start at once, the second uses the key of the first. */
function createOnce(path: string) {
  const draft = `${path}.${randomUUID()}`
  try {
    if (statSync(path, { throwIfNoEntry: false })) return
    writeFileSync(draft, randomBytes(MIN_KEY_BYTES), { mode: 0o600, flush: true })
    chmodSync(draft, 0o600)
    linkSync(draft, path)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
}
