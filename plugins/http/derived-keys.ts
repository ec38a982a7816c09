import { createHmac } from 'node:crypto'

/** Another key from the same secret, so that a signature made for one purpose is worth nothing for another. */
export function deriveKey(key: Buffer, purpose: string): Buffer {
  return createHmac('sha256', key).update(purpose).digest()
}
