import type { LinkRow } from '../../db/tables.ts'
import { signerOf } from '../http/signatures.ts'

/** The addresses of links. Their secrets are made of rows and a key, so that they can be shown again and are stored nowhere. */
export class LinkAddresses {
  readonly #sign: (text: string) => string
  readonly #publicUrl: string

  /** `publicUrl` is the address of the server from outside; without it, addresses of links are relative. */
  constructor(key: Buffer, publicUrl = '') {
    this.#sign = signerOf(key)
    this.#publicUrl = publicUrl
  }

  /** Returns the secret of the link: 256 bits in base64url. */
  secretOf({ id, salt }: Pick<LinkRow, 'id' | 'salt'>): string {
    return this.#sign(JSON.stringify([id, salt]))
  }

  /** Returns the absolute address of a picture of the link with this name; undefined if the server does not know its own address. */
  previewOf(publicId: string): string | undefined {
    return this.#publicUrl === '' ? undefined : `${this.#publicUrl}/s/${encodeURIComponent(publicId)}/preview.png`
  }

  /** Returns the address of the link, with its secret as the fragment. */
  urlOf(link: Pick<LinkRow, 'id' | 'salt' | 'publicId'>): string {
    return `${this.#publicUrl}/s/${link.publicId}#${this.secretOf(link)}`
  }
}
