import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject, sign, verify } from 'node:crypto'

// Signed notes (c2sp.org/signed-note): text, an empty line, and signature lines.

/** The supported signature types: a log's signature, and a witness's timestamped cosignature (c2sp.org/tlog-cosignature). */
export const [ED25519, COSIGNATURE] = [1, 4] as const
type KeyType = typeof ED25519 | typeof COSIGNATURE

/** A key for verifying signatures. */
export interface Verifier {
  /** The name of the key's owner. For a log, this is its origin. */
  name: string
  /** The first four bytes of a hash of the name, type and key. */
  id: Buffer
  type: KeyType
  key: KeyObject
}

/** A signing key, with its verifier. */
export interface Signer {
  verifier: Verifier
  privateKey: KeyObject
}

/** A note whose signatures by known keys are all valid. */
interface OpenedNote {
  text: string
  /** The keys that signed it. */
  signers: Verifier[]
}

/** Thrown if a note is malformed or lacks a required signature. */
export class NoteError extends Error {
  override readonly name = 'NoteError'
}

/** The maximum length of a note in characters, and the maximum number of signatures. */
const [LONGEST_NOTE, MOST_SIGNATURES] = [1_000_000, 100]

/** The DER prefixes of private and public Ed25519 keys. The 32 bytes of the key follow (RFC 8410). */
const [PRIVATE_DER, PUBLIC_DER] = ['302e020100300506032b657004220420', '302a300506032b6570032100'].map((hex) =>
  Buffer.from(hex, 'hex')
) as [Buffer, Buffer]

const KEY_LENGTH = 32

/** Creates a signing key with this name. */
export function createSigner(name: string): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return { verifier: verifierOf(name, ED25519, bytesOf(publicKey)), privateKey }
}

/** Encodes the key as text, `PRIVATE+KEY+name+id+key`, in the format of the note package in golang.org/x/mod. */
export function signerText({ verifier: { name, id }, privateKey }: Signer): string {
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-KEY_LENGTH)
  return `PRIVATE+KEY+${name}+${id.toString('hex')}+${Buffer.concat([Buffer.of(ED25519), seed]).toString('base64')}`
}

/** Parses a signing key. Throws NoteError. */
export function readSigner(text: string): Signer {
  const [, name = '', id = '', key = ''] = /^PRIVATE\+KEY\+([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text.trim()) ?? []
  const bytes = decodeBase64(key)
  if (bytes?.length !== KEY_LENGTH + 1 || bytes[0] !== ED25519) throw new NoteError('not the private key of a log')
  const der = Buffer.concat([PRIVATE_DER, bytes.subarray(1)])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const verifier = verifierOf(name, ED25519, bytesOf(createPublicKey(privateKey)))
  if (verifier.id.toString('hex') !== id) throw new NoteError('the id of the private key does not match the key')
  return { verifier, privateKey }
}

/** Encodes the key as text: `name+id+key` (c2sp.org/signed-note, verifier keys). */
export function verifierText({ name, id, type, key }: Verifier): string {
  return `${name}+${id.toString('hex')}+${Buffer.concat([Buffer.of(type), bytesOf(key)]).toString('base64')}`
}

/** Parses a verifier key. Throws NoteError. */
export function readVerifier(text: string): Verifier {
  const [, name = '', id = '', key = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text.trim()) ?? []
  const bytes = decodeBase64(key)
  const type = [ED25519, COSIGNATURE].find((type) => type === bytes?.[0])
  if (bytes?.length !== KEY_LENGTH + 1 || type === undefined) {
    throw new NoteError('not a verifier key: it must be NAME+ID+KEY with an Ed25519 key')
  }
  const verifier = verifierOf(name, type, bytes.subarray(1))
  if (verifier.id.toString('hex') !== id) throw new NoteError('the id of the verifier key does not match the key')
  return verifier
}

/** Signs the text with every signer's key and returns the note. The text must end with a newline. */
export function signNote(text: string, signers: readonly Signer[]): string {
  if (!text.endsWith('\n') || !isPrintable(text)) throw new NoteError('the text of the note is malformed')
  const lines = signers.map(({ verifier, privateKey }) => lineOf(verifier, sign(null, Buffer.from(text), privateKey)))
  return `${text}\n${lines.join('')}`
}

/** Returns the signature line. */
export function lineOf({ name, id }: Verifier, signature: Uint8Array): string {
  return `— ${name} ${Buffer.concat([id, signature]).toString('base64')}\n`
}

/**
 * Opens a note. Ignores signatures by unknown keys, and rejects the note if a signature by a known key is invalid. Throws
 * NoteError, for example if no known key has signed the note.
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
  if (signers.size === 0) throw new NoteError('not signed by a known key')
  return { text, signers: [...signers] }
}

/** Returns the text of a note and its signature lines, without verifying them. Throws NoteError. */
export function splitNote(note: string): { text: string; lines: string[] } {
  if (note.length > LONGEST_NOTE) throw new NoteError('the note is too long')
  const end = note.lastIndexOf('\n\n')
  if (end < 0 || !note.endsWith('\n') || !isPrintable(note)) throw new NoteError('not a signed note')
  const lines = note.slice(end + 2, -1).split('\n')
  if (lines.length > MOST_SIGNATURES) throw new NoteError('the note has too many signatures')
  return { text: note.slice(0, end + 1), lines }
}

/** Parses a signature line. */
function signatureOf(line: string) {
  const [, name = '', encoded = ''] = /^— ([^\s+]+) (\S+)$/u.exec(line) ?? []
  const bytes = decodeBase64(encoded)
  if (!bytes || bytes.length < 5) throw new NoteError('a line of the note is not a signature')
  return { name, id: bytes.subarray(0, 4), signature: bytes.subarray(4) }
}

/** Returns whether the signature is the key's signature over this text. */
function isSignature({ type, key }: Verifier, text: string, signature: Buffer): boolean {
  if (type === ED25519) return verify(null, Buffer.from(text), key, signature)
  // A witness also signs the time (c2sp.org/tlog-cosignature).
  if (signature.length !== 8 + 64) return false
  const time = signature.readBigUInt64BE()
  // The time is at most 2^63 - 1.
  if (time >> 63n !== 0n) return false
  return verify(null, Buffer.from(`cosignature/v1\ntime ${time}\n${text}`), key, signature.subarray(8))
}

function verifierOf(name: string, type: KeyType, publicKey: Uint8Array): Verifier {
  if (!/^[^+\s]+$/u.test(name) || !isPrintable(name))
    throw new NoteError('the name of a key must not contain spaces or +')
  const key = createPublicKey({ key: Buffer.concat([PUBLIC_DER, publicKey]), format: 'der', type: 'spki' })
  const hashed = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(type), publicKey])
  return { name, id: hash('sha256', hashed, 'buffer').subarray(0, 4), type, key }
}

function bytesOf(publicKey: KeyObject): Buffer {
  return publicKey.export({ format: 'der', type: 'spki' }).subarray(-KEY_LENGTH)
}

/** Decodes standard base64 in its canonical form (RFC 4648, section 4). Returns undefined for any other text. */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}

/** Returns whether the text is well-formed Unicode without control characters other than newlines. */
function isPrintable(text: string): boolean {
  return text.isWellFormed() && !/[\u0000-\u0009\u000b-\u001f]/.test(text)
}
