import { randomUUID } from 'node:crypto'
import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readHead } from '../audit/checkpoint.ts'
import { NoteError, readSigner, type Signer, signerText, splitNote } from '../audit/note.ts'
import type { AuditKey } from '../db/audit-key.ts'

/** A file of the audit key cannot be read or trusted. The message tells the operator how to fix it. */
export class AuditKeyRefused extends Error {
  override readonly name = 'AuditKeyRefused'
}

/** The longest file that is read, in bytes. */
const LONGEST = 4096

/** The places of these files. */
export interface AuditKeyPlaces {
  data: string
  /** The file of the key; by default `audit.key` beside the token key, since processes that share that one share both. */
  auditKeyFile?: string
  /** The file of the token key, if it is not in the data folder. */
  jwtSecretFile?: string
}

/**
 * The key that signs checkpoints, and the last published checkpoint, as `audit.head` in the data folder. Both change with each epoch,
 * so they are read again whenever they are asked for.
 */
export class AuditKeyFiles implements AuditKey {
  readonly #keyFile: string
  readonly #headFile: string

  constructor({ data, auditKeyFile, jwtSecretFile }: AuditKeyPlaces) {
    this.#keyFile = auditKeyFile ?? join(jwtSecretFile === undefined ? data : dirname(jwtSecretFile), 'audit.key')
    this.#headFile = join(data, 'audit.head')
  }

  async signer(): Promise<Signer | undefined> {
    const text = await readShort(this.#keyFile)
    if (text === undefined) return undefined
    if (((await stat(this.#keyFile)).mode & 0o077) !== 0) {
      throw new AuditKeyRefused(
        `${this.#keyFile} can be read by others, who could then sign checkpoints: chmod 600 it.`
      )
    }
    try {
      return readSigner(text)
    } catch (error) {
      if (error instanceof NoteError) throw new AuditKeyRefused(`${this.#keyFile} is no key: ${error.message}.`)
      throw error
    }
  }

  replaceSigner(signer: Signer) {
    const draft = `${this.#keyFile}.${randomUUID()}`
    try {
      writeFileSync(draft, `${signerText(signer)}\n`, { mode: 0o600, flush: true })
      chmodSync(draft, 0o600)
      renameSync(draft, this.#keyFile)
      syncFolder(dirname(this.#keyFile))
    } catch (error) {
      throw new AuditKeyRefused(`${this.#keyFile} cannot be written: ${(error as Error).message}.`)
    } finally {
      rmSync(draft, { force: true })
    }
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

  async keepHead(checkpoint: string) {
    const draft = `${this.#headFile}.${randomUUID()}`
    try {
      const handle = await open(draft, 'wx', 0o600)
      try {
        await handle.writeFile(checkpoint)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(draft, this.#headFile)
      const folder = await open(dirname(this.#headFile), 'r')
      await folder.sync().finally(() => folder.close())
    } catch (error) {
      throw new AuditKeyRefused(`${this.#headFile} cannot be written: ${(error as Error).message}.`)
    } finally {
      await rm(draft, { force: true })
    }
  }
}

/** Reads a short file; undefined if there is none. Throws AuditKeyRefused. */
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

function syncFolder(path: string) {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
