import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject, sign, verify } from 'node:crypto'

// Signed notes (c2sp.org/signed-note): a text, an empty line, and lines with signatures.

/** The types of signatures that are known here: of a log, and with a time of a witness (c2sp.org/tlog-cosignature). */
export const [ED25519, COSIGNATURE] = [1, 4] as const
type KeyType = typeof ED25519 | typeof COSIGNATURE

/** A key by which signatures are verified. */
export interface Verifier {
  /** The name of its owner: for a log, its origin. */
  name: string
  /** The first four bytes of a hash over its name, type and key. */
  id: Buffer
  type: KeyType
  key: KeyObject
}

/** A key that signs, with its verifier. */
export interface Signer {
  verifier: Verifier
  privateKey: KeyObject
}

/** A note whose known signatures are valid. */
interface OpenedNote {
  text: string
  /** The keys that have signed it. */
  signers: Verifier[]
}

/** A note that is malformed, or is not signed as it has to be. */
export class NoteError extends Error {
  override readonly name = 'NoteError'
}

/** The longest note, in characters, and the most signatures. */
const [LONGEST_NOTE, MOST_SIGNATURES] = [1_000_000, 100]

/** The DER encodings of Ed25519 keys, in front of the 32 bytes of the key (RFC 8410). */
const [PRIVATE_DER, PUBLIC_DER] = ['302e020100300506032b657004220420', '302a300506032b6570032100'].map((hex) =>
  Buffer.from(hex, 'hex')
) as [Buffer, Buffer]

const KEY_LENGTH = 32

/** Makes a key that signs in this name. */
export function createSigner(name: string): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return { verifier: verifierOf(name, ED25519, bytesOf(publicKey)), privateKey }
}

/** Returns the key as text, `PRIVATE+KEY+name+id+key`, as the note package of golang.org/x/mod writes it. */
export function signerText({ verifier: { name, id }, privateKey }: Signer): string {
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-KEY_LENGTH)
  return `PRIVATE+KEY+${name}+${id.toString('hex')}+${Buffer.concat([Buffer.of(ED25519), seed]).toString('base64')}`
}

/** Reads a key that signs. Throws NoteError. */
export function readSigner(text: string): Signer {
  const [, name = '', id = '', key = ''] = /^PRIVATE\+KEY\+([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text.trim()) ?? []
  const bytes = decodeBase64(key)
  if (bytes?.length !== KEY_LENGTH + 1 || bytes[0] !== ED25519) throw new NoteError('this is no private key of a log')
  const der = Buffer.concat([PRIVATE_DER, bytes.subarray(1)])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const verifier = verifierOf(name, ED25519, bytesOf(createPublicKey(privateKey)))
  if (verifier.id.toString('hex') !== id) throw new NoteError('the private key has another id than it says')
  return { verifier, privateKey }
}

/** Returns the key as text: `name+id+key` (c2sp.org/signed-note, verifier keys). */
export function verifierText({ name, id, type, key }: Verifier): string {
  return `${name}+${id.toString('hex')}+${Buffer.concat([Buffer.of(type), bytesOf(key)]).toString('base64')}`
}

/** Reads a key that verifies. Throws NoteError. */
export function readVerifier(text: string): Verifier {
  const [, name = '', id = '', key = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text.trim()) ?? []
  const bytes = decodeBase64(key)
  const type = [ED25519, COSIGNATURE].find((type) => type === bytes?.[0])
  if (bytes?.length !== KEY_LENGTH + 1 || type === undefined) {
    throw new NoteError('this is no verifier key: it has to be NAME+ID+KEY, of Ed25519')
  }
  const verifier = verifierOf(name, type, bytes.subarray(1))
  if (verifier.id.toString('hex') !== id) throw new NoteError('the verifier key has another id than it says')
  return verifier
}

/** Returns the text with the signature of each signer. The text ends with a newline. */
export function signNote(text: string, signers: readonly Signer[]): string {
  if (!text.endsWith('\n') || !isPrintable(text)) throw new NoteError('the text of the note is malformed')
  const lines = signers.map(({ verifier, privateKey }) => lineOf(verifier, sign(null, Buffer.from(text), privateKey)))
  return `${text}\n${lines.join('')}`
}

/** Returns the line of a signature. */
export function lineOf({ name, id }: Verifier, signature: Uint8Array): string {
  return `— ${name} ${Buffer.concat([id, signature]).toString('base64')}\n`
}

/**
 * Opens a note: signatures by unknown keys are ignored, and one of a known key that is not valid refuses the note. Throws NoteError,
 * also if no known key has signed it.
 */
export function openNote(note: string, verifiers: readonly Verifier[]): OpenedNote {
  const { text, lines } = splitNote(note)
  const signers = new Set<Verifier>()
  for (const line of lines) {
    const { name, id, signature } = signatureOf(line)
    const verifier = verifiers.find((known) => known.name === name && known.id.equals(id))
    if (!verifier || signers.has(verifier)) continue
    if (!isSignature(verifier, text, signature)) throw new NoteError(`the signature of ${name} is not valid`)
    signers.add(verifier)
  }
  if (signers.size === 0) throw new NoteError('no known key has signed this')
  return { text, signers: [...signers] }
}

/** Returns the text of a note and the lines of its signatures, nothing of which is verified. Throws NoteError. */
export function splitNote(note: string): { text: string; lines: string[] } {
  if (note.length > LONGEST_NOTE) throw new NoteError('the note is too long')
  const end = note.lastIndexOf('\n\n')
  if (end < 0 || !note.endsWith('\n') || !isPrintable(note)) throw new NoteError('this is no signed note')
  const lines = note.slice(end + 2, -1).split('\n')
  if (lines.length > MOST_SIGNATURES) throw new NoteError('the note has too many signatures')
  return { text: note.slice(0, end + 1), lines }
}

/** Reads the line of a signature. */
function signatureOf(line: string) {
  const [, name = '', encoded = ''] = /^— ([^\s+]+) (\S+)$/u.exec(line) ?? []
  const bytes = decodeBase64(encoded)
  if (!bytes || bytes.length < 5) throw new NoteError('a line of the note is no signature')
  return { name, id: bytes.subarray(0, 4), signature: bytes.subarray(4) }
}

/** Tells whether the signature is of this key and text. */
function isSignature({ type, key }: Verifier, text: string, signature: Buffer): boolean {
  if (type === ED25519) return verify(null, Buffer.from(text), key, signature)
  // A witness signs the time as well (c2sp.org/tlog-cosignature).
  if (signature.length !== 8 + 64) return false
  const time = signature.readBigUInt64BE()
  // It is at most 2^63 - 1.
  if (time >> 63n !== 0n) return false
  return verify(null, Buffer.from(`cosignature/v1\ntime ${time}\n${text}`), key, signature.subarray(8))
}

function verifierOf(name: string, type: KeyType, publicKey: Uint8Array): Verifier {
  if (!/^[^+\s]+$/u.test(name) || !isPrintable(name)) throw new NoteError('the name of a key has no spaces and no +')
  const key = createPublicKey({ key: Buffer.concat([PUBLIC_DER, publicKey]), format: 'der', type: 'spki' })
  const hashed = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(type), publicKey])
  return { name, id: hash('sha256', hashed, 'buffer').subarray(0, 4), type, key }
}

function bytesOf(publicKey: KeyObject): Buffer {
  return publicKey.export({ format: 'der', type: 'spki' }).subarray(-KEY_LENGTH)
}

/** Returns the bytes of standard base64 in its one canonical form (RFC 4648, section 4); undefined for other text. */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}

/** Tells whether the text is well-formed Unicode without control characters but newlines. */
function isPrintable(text: string): boolean {
  return text.isWellFormed() && !/[\u0000-\u0009\u000b-\u001f]/.test(text)
}
