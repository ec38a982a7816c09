import type { Signer } from '../../audit/note.ts'

/** The key of the audit log, and the checkpoint that was last published. Both lie outside of the database; see src/audit/signing-key.ts. */
export interface AuditKey {
  /** Returns the key; undefined if there is none yet. */
  signer(): Promise<Signer | undefined>
  /** Stores another key in place of it, and keeps the checkpoint, both durably. */
  replace(signer: Signer, checkpoint: string): void
  /** Returns the checkpoint that was last kept; undefined if there is none. */
  head(): Promise<string | undefined>
  /** Keeps the checkpoint in place of `before`, durably. Returns false, and keeps nothing, if another one is kept by now. */
  keepHead(checkpoint: string, before: string | undefined): Promise<boolean>
}

/** A key that is gone with the process: for services that last as long. */
export class MemoryAuditKey implements AuditKey {
  #signer: Signer | undefined
  #head: string | undefined

  async signer() {
    return this.#signer
  }

  replace(signer: Signer, checkpoint: string) {
    this.#signer = signer
    this.#head = checkpoint
  }

  async head() {
    return this.#head
  }

  async keepHead(checkpoint: string, before: string | undefined) {
    if (this.#head !== before) return false
    this.#head = checkpoint
    return true
  }
}

/** Returns the number at the end of an origin. */
export function epochOf(origin: string): number {
  return Number(origin.split('/').at(-1))
}
