import { generateKeyPairSync, hash, sign } from 'node:crypto'
import { COSIGNATURE, lineOf, readVerifier } from '../../audit/note.ts'

/** Creates a witness with a key of its own and a short independent implementation (c2sp.org/tlog-cosignature). */
export function cosigner(name: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = Buffer.concat([Buffer.of(COSIGNATURE), publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)])
  const id = hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), key])).slice(0, 8)
  const vkey = `${name}+${id}+${key.toString('base64')}`
  /** Returns the witness's signature line for the note. */
  const cosign = (note: string, time = 1_700_000_000n) => {
    const begin = Buffer.alloc(8)
    begin.writeBigUInt64BE(time)
    const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${time}\n${note}`), privateKey)
    return lineOf(readVerifier(vkey), Buffer.concat([begin, signature]))
  }
  return { vkey, cosign }
}
