import { randomBytes, randomUUID } from 'node:crypto'
import { chmodSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const KEY_BYTES = 32

/** The key cannot be had, or not be trusted. The message is a sentence for a person who can mend it. */
export class TokenKeyRefused extends Error {
  override name = 'TokenKeyRefused'
}

/**
 * The key that signs tokens: of `file`, or else of `token.key` in the data folder, which the first start makes.
 * Throws TokenKeyRefused where it cannot be read, is too short, or others than its owner can read it.
 */
export function readTokenKey(folder: string, file?: string): Buffer {
  const path = file ?? join(folder, 'token.key')
  try {
    if (file === undefined) createOnce(path)
    if ((statSync(path).mode & 0o077) !== 0) {
      throw new TokenKeyRefused(
        `${path} can be read by others, and whoever reads it can log in as anybody: chmod 600 it.`
      )
    }
    const key = readFileSync(path)
    if (key.length < KEY_BYTES)
      throw new TokenKeyRefused(`${path} is too short for a key: it takes ${KEY_BYTES} bytes.`)
    return key
  } catch (error) {
    if (error instanceof TokenKeyRefused) throw error
    throw new TokenKeyRefused(`The token key cannot be read: ${(error as Error).message}.`)
  }
}

/** Whole or not at all, also where two processes start at once: the one that comes second takes the other's key. */
function createOnce(path: string) {
  const draft = `${path}.${randomUUID()}`
  try {
    if (statSync(path, { throwIfNoEntry: false })) return
    writeFileSync(draft, randomBytes(KEY_BYTES), { mode: 0o600, flush: true })
    chmodSync(draft, 0o600)
    linkSync(draft, path)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
}
