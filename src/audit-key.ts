import { randomUUID } from 'node:crypto'
import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readHead } from '../audit/checkpoint.ts'
import { NoteError, readSigner, type Signer, signerText, splitNote } from '../audit/note.ts'
import { type AuditKey, epochOf } from '../db/audit-key.ts'

/** A file of the audit key cannot be read or trusted. The message tells the operator how to fix it. */
export class AuditKeyRefused extends Error {
  override readonly name = 'AuditKeyRefused'
}

/** The longest file that is read, in bytes. */
const LONGEST = 4096

/** The places of these files. */
export interface AuditKeyPlaces {
  data: string
  /** The file of the key; by default `audit.key` beside the token key, since processes that share one key share both. */
  auditKeyFile?: string
  /** The file of the token key, if it is not in the data folder. */
  jwtSecretFile?: string
}

/**
 * The key that signs checkpoints, and beside it the last published checkpoint, as `audit.head`: one without the other is worth nothing.
 * Both change with each epoch, so they are read again whenever they are asked for.
 */
export class AuditKeyFiles implements AuditKey {
  readonly #keyFile: string
  readonly #headFile: string

  constructor({ data, auditKeyFile, jwtSecretFile }: AuditKeyPlaces) {
    this.#keyFile = auditKeyFile ?? join(jwtSecretFile === undefined ? data : dirname(jwtSecretFile), 'audit.key')
    this.#headFile = join(dirname(this.#keyFile), 'audit.head')
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

  async keepHead(checkpoint: string) {
    // Another process with the same files may have been faster.
    if (isLater(await this.head(), checkpoint)) return
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

/** Returns the key of the data folder, for commands: its files are where the environment of the server says. */
export function auditKeyOf(data: string, env: NodeJS.ProcessEnv = process.env): AuditKeyFiles {
  const { GRAPHSTEAD_AUDIT_KEY_FILE: auditKeyFile, GRAPHSTEAD_JWT_SECRET_FILE: jwtSecretFile } = env
  return new AuditKeyFiles({ data, ...(auditKeyFile && { auditKeyFile }), ...(jwtSecretFile && { jwtSecretFile }) })
}

/** Tells whether the first checkpoint is of a later epoch, or a later one of the same origin. */
function isLater(one: string | undefined, other: string): boolean {
  if (one === undefined) return false
  const [first, second] = [one, other].map((checkpoint) => readHead(splitNote(checkpoint).text))
  if (first === undefined || second === undefined) return false
  if (first.origin === second.origin) return first.size > second.size
  return epochOf(first.origin) > epochOf(second.origin)
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

/** Replaces a file, durably. Throws AuditKeyRefused. */
function replaceFile(path: string, text: string) {
  const draft = `${path}.${randomUUID()}`
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true })
    chmodSync(draft, 0o600)
    renameSync(draft, path)
    syncFolder(dirname(path))
  } catch (error) {
    throw new AuditKeyRefused(`${path} cannot be written: ${(error as Error).message}.`)
  } finally {
    rmSync(draft, { force: true })
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
