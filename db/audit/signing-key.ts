import type { Signer } from '../../audit/note.ts'

/**
 * The signing key of the audit log, and the last published checkpoint. Both are stored outside the database; see
 * src/audit/signing-key.ts.
 */
export interface AuditKey {
  /** Returns the key, or undefined if it does not exist yet. */
  signer(): Promise<Signer | undefined>
  /** Durably replaces the key and the saved checkpoint. */
  replace(signer: Signer, checkpoint: string): void
  /** Returns the last saved checkpoint, or undefined if none was saved. */
  head(): Promise<string | undefined>
  /**
   * Durably replaces `before`, the saved checkpoint. If another checkpoint has been saved since, saves nothing and returns false.
   */
  keepHead(checkpoint: string, before: string | undefined): Promise<boolean>
}

/** A key that is stored only in memory, for services that do not outlive the process. */
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

/** Returns the epoch, which is the number at the end of an origin. */
export function epochOf(origin: string): number {
  return Number(origin.split('/').at(-1))
}
