import type { LinkRow } from '../../db/tables.ts'
import { signerOf } from '../http/signatures.ts'

/** The addresses of links. Each secret is derived from a row and a key, so it can be shown again without being stored. */
export class LinkAddresses {
  readonly #sign: (text: string) => string
  readonly #publicUrl: string

  /** `publicUrl` is the address at which clients reach the server. If it is empty, the addresses of links are relative. */
  constructor(key: Buffer, publicUrl = '') {
    this.#sign = signerOf(key)
    this.#publicUrl = publicUrl
  }

  /** Returns the secret of the link: 256 bits in base64url. */
  secretOf({ id, salt }: Pick<LinkRow, 'id' | 'salt'>): string {
    return this.#sign(JSON.stringify([id, salt]))
  }

  /**
   * Returns the absolute address of the picture for the link with this id, or undefined if the server does not know its own
   * address.
   */
  previewOf(publicId: string): string | undefined {
    return this.#publicUrl === '' ? undefined : `${this.#publicUrl}/s/${encodeURIComponent(publicId)}/preview.png`
  }

  /** Returns the address of the link, with its secret in the fragment. */
  urlOf(link: Pick<LinkRow, 'id' | 'salt' | 'publicId'>): string {
    return `${this.#publicUrl}/s/${link.publicId}#${this.secretOf(link)}`
  }
}
