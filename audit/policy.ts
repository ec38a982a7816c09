import { readHead, type TreeHead } from './checkpoint.ts'
import { COSIGNATURE, ED25519, NoteError, openNote, readVerifier, type Verifier } from './note.ts'

// Policies (c2sp.org/tlog-policy) define which logs and witnesses are trusted, and how many of the witnesses must have signed a
// checkpoint.

/** A log or witness, with its address if the policy specifies one. */
interface Party {
  verifier: Verifier
  url?: string
}

/** A named group of witnesses and other groups. It has witnessed a checkpoint if at least `threshold` of its members have. */
interface Group {
  threshold: number
  members: readonly string[]
}

/** A policy. Its names are byte strings decoded as Latin-1, with no meaning outside the policy. */
export interface Policy {
  logs: Party[]
  witnesses: Map<string, Party>
  /** The groups in order of definition. Members precede the groups that contain them. */
  groups: Map<string, Group>
  /** The name of a witness or group, or `none`. */
  quorum: string
}

/** A checkpoint that a policy accepts. */
interface AcceptedCheckpoint {
  head: TreeHead
  /** The key of the log that signed it. */
  log: Verifier
  /** The keys of the witnesses that signed it. */
  witnesses: Verifier[]
}

/** Thrown if a policy is malformed. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError'
}

const NONE = 'none'

/** The maximum length of a policy, in bytes. A line with a key is about a hundred bytes long. */
const LONGEST_POLICY = 100_000

/** Parses a policy file. Throws a PolicyError that identifies the line. */
export function readPolicy(bytes: Uint8Array): Policy {
  if (bytes.length > LONGEST_POLICY) throw new PolicyError(`a policy can have at most ${LONGEST_POLICY} bytes`)
  // Names are compared as bytes, not as characters ("Character set").
  const lines = Buffer.from(bytes).toString('latin1').split('\n')
  // A truncated name could match a different name.
  if (lines.pop() !== '') throw new PolicyError('the last line of the policy must end with a newline')
  const reader = new PolicyReader()
  for (const [index, line] of lines.entries()) {
    try {
      reader.read(line)
    } catch (error) {
      if (error instanceof NoteError || error instanceof PolicyError) {
        throw new PolicyError(`line ${index + 1} of the policy: ${error.message}`)
      }
      throw error
    }
  }
  return reader.policy()
}

/** Parses a policy line by line. */
class PolicyReader {
  readonly #logs: Party[] = []
  readonly #witnesses = new Map<string, Party>()
  readonly #groups = new Map<string, Group>()
  readonly #members = new Set<string>()
  /** The public keys of logs and witnesses, each prefixed with `log` or `witness`. */
  readonly #keys = new Set<string>()
  #quorum: string | undefined

  policy(): Policy {
    if (this.#quorum === undefined) throw new PolicyError('the policy has no quorum line')
    return { logs: this.#logs, witnesses: this.#witnesses, groups: this.#groups, quorum: this.#quorum }
  }

  read(line: string): void {
    if (/[^\t\x20-\x7e\x80-\xff]/.test(line)) throw new PolicyError('control characters are not allowed')
    const items = line.split(/[\t ]+/).filter((item) => item !== '')
    const [keyword, ...values] = items
    if (keyword === undefined || keyword.startsWith('#')) return
    if (keyword === 'log') this.#readLog(values)
    else if (keyword === 'witness') this.#readWitness(values)
    else if (keyword === 'group') this.#readGroup(values)
    else if (keyword === 'quorum') this.#readQuorum(values)
    else throw new PolicyError('must begin with log, witness, group or quorum')
  }

  #readLog([key, url, ...others]: string[]): void {
    if (key === undefined || others.length > 0) throw new PolicyError('must be: log KEY [URL]')
    this.#logs.push(this.#readParty('log', key, url))
  }

  #readWitness([name, key, url, ...others]: string[]): void {
    if (name === undefined || key === undefined || others.length > 0) {
      throw new PolicyError('must be: witness NAME KEY [URL]')
    }
    this.#expectNew(name)
    this.#witnesses.set(name, this.#readParty('witness', key, url))
  }

  /** Parses a key. Lines of the same kind must not repeat a key, even under a different name ("Public key representation"). */
  #readParty(kind: 'log' | 'witness', text: string, url: string | undefined): Party {
    const verifier = readVerifier(toUtf8(text))
    if (verifier.type !== (kind === 'log' ? ED25519 : COSIGNATURE)) throw new PolicyError(`not a ${kind} key`)
    const key = `${kind} ${verifier.key.export({ format: 'der', type: 'spki' }).toString('hex')}`
    if (this.#keys.has(key)) throw new PolicyError(`another ${kind} has the same key`)
    this.#keys.add(key)
    return { verifier, ...(url !== undefined && { url: toUtf8(url) }) }
  }

  #readGroup([name, threshold, ...members]: string[]): void {
    if (name === undefined || threshold === undefined || members.length === 0) {
      throw new PolicyError('must be: group NAME all|any|COUNT MEMBER…')
    }
    for (const member of members) {
      this.#expectDefined(member)
      // A witness must count only once ("Defining a witness group").
      if (this.#members.has(member)) throw new PolicyError(`${toUtf8(member)} is already a member`)
      this.#members.add(member)
    }
    this.#expectNew(name)
    this.#groups.set(name, { threshold: thresholdOf(threshold, members.length), members })
  }

  #readQuorum([name, ...others]: string[]): void {
    if (name === undefined || others.length > 0) throw new PolicyError('must be: quorum NAME')
    if (this.#quorum !== undefined) throw new PolicyError('only one quorum line is allowed')
    if (name !== NONE) this.#expectDefined(name)
    this.#quorum = name
  }

  #isDefined(name: string): boolean {
    return this.#witnesses.has(name) || this.#groups.has(name)
  }

  #expectDefined(name: string): void {
    if (!this.#isDefined(name)) throw new PolicyError(`${toUtf8(name)} is not defined on an earlier line`)
  }

  #expectNew(name: string): void {
    if (name === NONE || this.#isDefined(name)) throw new PolicyError(`${toUtf8(name)} is already defined`)
  }
}

/** Returns the number of members that must have signed. */
function thresholdOf(text: string, members: number): number {
  if (text === 'any') return 1
  if (text === 'all') return members
  const threshold = /^[1-9]\d*$/.test(text) ? Number(text) : 0
  if (threshold < 1 || threshold > members) throw new PolicyError(`must be all, any, or a count from 1 to ${members}`)
  return threshold
}

function toUtf8(octets: string): string {
  return Buffer.from(octets, 'latin1').toString()
}

/** Returns whether these witnesses, named as in the policy, satisfy its quorum. */
export function isQuorum({ groups, quorum }: Policy, witnesses: Iterable<string>): boolean {
  if (quorum === NONE) return true
  const witnessed = new Set(witnesses)
  for (const [name, { threshold, members }] of groups) {
    if (members.filter((member) => witnessed.has(member)).length >= threshold) witnessed.add(name)
  }
  return witnessed.has(quorum)
}

/**
 * Opens a signed checkpoint. It must be signed by one of the policy's logs under that log's own origin, and by a quorum of
 * witnesses. `logs` are trusted in addition to the policy's logs. Throws NoteError.
 */
export function openCheckpoint(note: string, policy: Policy, logs: readonly Verifier[] = []): AcceptedCheckpoint {
  const known = [...logs, ...policy.logs.map(({ verifier }) => verifier)]
  const witnesses = [...policy.witnesses].map(([name, { verifier }]) => ({ name, verifier }))
  const { text, signers } = openNote(note, [...known, ...witnesses.map(({ verifier }) => verifier)])
  const head = readHead(text)
  const log = signers.find((signer) => signer.type === ED25519 && signer.name === head.origin)
  if (!log) throw new NoteError(`the checkpoint is not signed by a known key of ${head.origin}`)
  const signing = witnesses.filter(({ verifier }) => signers.includes(verifier))
  const names = signing.map(({ name }) => name)
  if (!isQuorum(policy, names)) throw new NoteError('too few witnesses have signed the checkpoint to meet the policy')
  return { head, log, witnesses: signing.map(({ verifier }) => verifier) }
}
