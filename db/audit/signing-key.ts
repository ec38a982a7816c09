import type { Signer } from '../../audit/note.ts'

/**
 * The signing key of the audit log, and the last published checkpoint. Both are stored outside the database; see
 * src/audit/signing-key.ts.
 */
export interface AuditKey {
  /** Returns the key, or undefined if there is none yet. */
  signer(): Promise<Signer | undefined>
  /** Durably replaces the key and the saved checkpoint. */
  replace(signer: Signer, checkpoint: string): void
  /** Returns the last saved checkpoint, or undefined if there is none. */
  head(): Promise<string | undefined>
  /**
   * Durably replaces the saved checkpoint `before`. Returns false and saves nothing if the saved checkpoint is no longer
   * `before`.
   */
  keepHead(checkpoint: string, before: string | undefined): Promise<boolean>
}

/** A key that lives in memory, for services that do not outlive the process. */
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
