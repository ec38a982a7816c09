import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const [NONCE, TAG] = [12, 16]

/** Encrypts the secret for its owner (AES-256-GCM). It cannot be decrypted as another owner's secret. */
export function seal(key: Buffer, owner: string, secret: Buffer): string {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Decrypts the owner's secret. Returns undefined if it was encrypted with another key or for another owner. */
export function unseal(key: Buffer, owner: string, text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE), { authTagLength: TAG })
  decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()])
  } catch {
    return undefined
  }
}
