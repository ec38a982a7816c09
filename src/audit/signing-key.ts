import { randomUUID } from 'node:crypto'
import { chmodSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readHead } from '../../audit/checkpoint.ts'
import { NoteError, readSigner, type Signer, signerText, splitNote } from '../../audit/note.ts'
import type { AuditKey } from '../../db/audit/signing-key.ts'
import { isPassing, syncFolder, syncFolderNow } from '../../db/engine/disk.ts'
import { isPrivate } from '../system/platform.ts'

/** Thrown if a file of the audit key cannot be read or trusted. The message tells the operator how to fix the problem. */
export class AuditKeyRefused extends Error {
  override readonly name = 'AuditKeyRefused'
}

/** The maximum length of a file, in bytes. */
const LONGEST = 4096

/** The locations of the key files. */
export interface AuditKeyPlaces {
  data: string
  /**
   * The file with the key. Defaults to `audit.key` next to the token key, because processes that share one of the keys share
   * the other too.
   */
  auditKeyFile?: string
  /** The file with the token key, if it is not in the data folder. */
  jwtSecretFile?: string
}

/**
 * The files of the key that signs checkpoints and, next to it, the last published checkpoint (`audit.head`). Neither is useful
 * without the other. Both change with each epoch, so every call reads them again.
 */
export class AuditKeyFiles implements AuditKey {
  readonly #keyFile: string
  readonly #headFile: string

  constructor({ data, auditKeyFile, jwtSecretFile }: AuditKeyPlaces) {
    this.#keyFile = auditKeyFile ?? join(jwtSecretFile === undefined ? data : dirname(jwtSecretFile), 'audit.key')
    this.#headFile = join(dirname(this.#keyFile), 'audit.head')
  }

  /** The folder that contains both files. */
  get folder(): string {
    return dirname(this.#keyFile)
  }

  async signer(): Promise<Signer | undefined> {
    const text = await readShort(this.#keyFile)
    if (text === undefined) return undefined
    if (!isPrivate((await stat(this.#keyFile)).mode)) {
      throw new AuditKeyRefused(
        `${this.#keyFile} can be read by others, who could then sign checkpoints: chmod 600 it.`
      )
    }
    try {
      return readSigner(text)
    } catch (error) {
      if (error instanceof NoteError)
        throw new AuditKeyRefused(`${this.#keyFile} is not a valid key: ${error.message}.`)
      throw error
    }
  }

  replace(signer: Signer, checkpoint: string) {
    replaceFile(this.#keyFile, `${signerText(signer)}\n`)
    replaceFile(this.#headFile, checkpoint)
  }

  async head(): Promise<string | undefined> {
    const head = await readShort(this.#headFile)
    if (head === undefined) return undefined
    try {
      readHead(splitNote(head).text)
      return head
    } catch {
      throw new AuditKeyRefused(`${this.#headFile} is damaged: if it cannot be restored, remove it.`)
    }
  }

  async keepHead(checkpoint: string, before: string | undefined) {
    const lock = new FileLock(`${this.#headFile}.lock`)
    const draft = `${this.#headFile}.${randomUUID()}`
    await lock.take()
    try {
      if ((await this.head()) !== before) return false
      await writeDurably(draft, checkpoint)
      // Check again in the same turn as the change, because this process may have been suspended for a long time.
      if (!lock.isHeld()) return false
      renameSync(draft, this.#headFile)
      await syncFolder(dirname(this.#headFile))
      return true
    } catch (error) {
      if (error instanceof AuditKeyRefused) throw error
      throw new AuditKeyRefused(`${this.#headFile} cannot be written: ${(error as Error).message}.`)
    } finally {
      lock.release()
      await rm(draft, { force: true })
    }
  }
}

/** Writes a new file and flushes it to disk without blocking the event loop. */
async function writeDurably(path: string, text: string) {
  const handle = await open(path, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** How long a process may hold the lock, in milliseconds. */
const LOCK_TIMEOUT = 10_000

/** A lock file, which contains a random id that identifies its holder. */
class FileLock {
  readonly #path: string
  readonly #own = randomUUID()

  constructor(path: string) {
    this.#path = path
  }

  /** Waits until no other process holds the lock. Throws AuditKeyRefused. */
  async take() {
    const deadline = performance.now() + LOCK_TIMEOUT
    while (!this.#create()) {
      // A killed process leaves its lock behind.
      if (this.#isOld()) this.#breakOpen()
      else if (performance.now() > deadline) throw new AuditKeyRefused(`${this.#path} is in use by another process.`)
      else await sleep(5 + Math.random() * 10)
    }
  }

  isHeld(): boolean {
    return readIfThere(this.#path) === this.#own
  }

  release() {
    if (this.isHeld()) rmSync(this.#path, { force: true })
  }

  #create(): boolean {
    try {
      writeFileSync(this.#path, this.#own, { flag: 'wx', mode: 0o600 })
      return true
    } catch (error) {
      const { code, syscall, message } = error as NodeJS.ErrnoException
      if (code === 'EEXIST' || isPassing(error)) return false
      // The disk is full, so the file was created without its content.
      if (syscall === 'write') rmSync(this.#path, { force: true })
      throw new AuditKeyRefused(`${this.#path} cannot be written: ${message}.`)
    }
  }

  #isOld(): boolean {
    const { mtimeMs } = statSync(this.#path, { throwIfNoEntry: false }) ?? { mtimeMs: Number.POSITIVE_INFINITY }
    return Date.now() - mtimeMs > LOCK_TIMEOUT
  }

  /**
   * Removes an expired lock. Puts the lock back if it has not expired, because another process may have removed the expired one
   * first.
   */
  #breakOpen() {
    const aside = `${this.#path}.${this.#own}`
    try {
      renameSync(this.#path, aside)
      const isOld = Date.now() - statSync(aside).mtimeMs > LOCK_TIMEOUT
      if (!isOld) linkSync(aside, this.#path)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' && code !== 'EEXIST' && !isPassing(error))
        throw new AuditKeyRefused(`${this.#path} cannot be removed: ${message}.`)
    } finally {
      rmSync(aside, { force: true })
    }
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/**
 * Returns the key of the data folder for commands, which find its files through the same environment variables as the server.
 */
export function auditKeyOf(data: string, env: NodeJS.ProcessEnv = process.env): AuditKeyFiles {
  const { GRAPHSTEAD_AUDIT_KEY_FILE: auditKeyFile, GRAPHSTEAD_JWT_SECRET_FILE: jwtSecretFile } = env
  return new AuditKeyFiles({ data, ...(auditKeyFile && { auditKeyFile }), ...(jwtSecretFile && { jwtSecretFile }) })
}

/** Reads a short file. Returns undefined if it does not exist. Throws AuditKeyRefused. */
async function readShort(path: string): Promise<string | undefined> {
  try {
    const { size } = await stat(path)
    if (size > LONGEST) throw new AuditKeyRefused(`${path} is too long.`)
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    if (error instanceof AuditKeyRefused) throw error
    throw new AuditKeyRefused(`${path} cannot be read: ${(error as Error).message}.`)
  }
}

/** Durably replaces a file. Throws AuditKeyRefused. */
function replaceFile(path: string, text: string) {
  const draft = `${path}.${randomUUID()}`
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true })
    chmodSync(draft, 0o600)
    renameSync(draft, path)
    syncFolderNow(dirname(path))
  } catch (error) {
    throw new AuditKeyRefused(`${path} cannot be written: ${(error as Error).message}.`)
  } finally {
    rmSync(draft, { force: true })
  }
}
