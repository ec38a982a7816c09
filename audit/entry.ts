import { canonical, canonicalAt, type Json, type JsonObject } from './canonical.ts'
import {
  digestOf,
  disclose,
  discloseText,
  EntryError,
  isDigest,
  parseCanonical,
  readDisclosure,
  SALT_LENGTH
} from './disclosure.ts'

// Log entries, version 1. An entry contains only digests of personal data, so that the data can be erased without changing the
// tree. This encoding is frozen: any change requires a new version.

const VERSION = 1

/** The sealed parts of an entry, in the order of their salts. */
export const parts = ['details', 'principal', 'request'] as const
export type Part = (typeof parts)[number]

/** A value for each sealed part. */
export type Parts<T> = Record<Part, T>

/** The total length of an entry's salts, in bytes. */
export const SALTS_LENGTH = parts.length * SALT_LENGTH

/** The graph, user or group that an event is about. */
interface EntryTarget {
  type: string
  id: number
  version?: number
}

/** The parts of an event that anyone may read. */
export interface OpenEvent {
  id: number
  time: string
  type: string
  outcome: string
  target?: EntryTarget
}

/** The sealed parts of an event. */
export interface SealedEvent {
  principal: string
  /** Null if the event was not caused by a request. */
  request: JsonObject | null
  /** The target's name at the time of the event, or null. Sealed as `details`, together with the data. */
  name: string | null
  data: JsonObject
}

/** An entry: its open parts, and the digests of its sealed parts. */
export interface Entry extends OpenEvent {
  sealed: Parts<string>
}

/** The bytes of an entry, and the disclosures of the parts that have not been erased. */
export interface Sealing {
  bytes: Buffer
  disclosures: Partial<Parts<string>>
}

/** Like Sealing, but with the entry as text. The bytes of the entry are the UTF-8 encoding of the text. */
export interface TextSealing {
  text: string
  disclosures: Partial<Parts<string>>
}

/** Builds the entry for an event. See `sealText`. */
export function sealEvent(
  event: OpenEvent & SealedEvent,
  salts: Uint8Array,
  erased: Partial<Parts<string>> = {}
): Sealing {
  const { text, disclosures } = sealText(event, salts, erased)
  return { bytes: Buffer.from(text), disclosures }
}

/**
 * Builds the entry for an event from 48 random bytes, 16 for each part in the order of `parts`. For a part that was erased,
 * uses the digest in `erased` and creates no disclosure. Throws a RangeError if a salt is all zeros and its digest is missing.
 */
export function sealText(
  event: OpenEvent & SealedEvent,
  salts: Uint8Array,
  erased: Partial<Parts<string>> = {}
): TextSealing {
  if (salts.length !== SALTS_LENGTH) throw new RangeError(`an entry needs ${SALTS_LENGTH} bytes of salts`)
  const sealed = { ...erased }
  const disclosures: Partial<Parts<string>> = {}
  // A loop over the parts would be 10% slower.
  if (sealed.details === undefined) {
    const value = `{"data":${canonicalAt(2, event.data)},"name":${canonical(event.name)}}`
    disclosures.details = discloseText(salts.subarray(0, SALT_LENGTH), 'details', value)
    sealed.details = digestOf(disclosures.details)
  }
  if (sealed.principal === undefined) {
    disclosures.principal = disclose(salts.subarray(SALT_LENGTH, 2 * SALT_LENGTH), 'principal', event.principal)
    sealed.principal = digestOf(disclosures.principal)
  }
  if (sealed.request === undefined) {
    disclosures.request = disclose(salts.subarray(2 * SALT_LENGTH), 'request', event.request)
    sealed.request = digestOf(disclosures.request)
  }
  return { text: textOf({ ...event, sealed: sealed as Parts<string> }), disclosures }
}

/** Encodes an entry. */
export function encodeEntry(entry: Entry): Buffer {
  return Buffer.from(textOf(entry))
}

/** Returns an entry as canonical JSON (RFC 8785). All entries have the same members in the same order. */
function textOf({ id, time, type, outcome, target, sealed }: Entry): string {
  return (
    `{"id":${canonical(id)},"outcome":${canonical(outcome)},"sealed":${textOfDigests(sealed)},` +
    `${target ? `"target":${textOfTarget(target)},` : ''}"time":${canonical(time)},"type":${canonical(type)},"v":${VERSION}}`
  )
}

function textOfDigests({ details, principal, request }: Parts<string>): string {
  return `{"details":${canonical(details)},"principal":${canonical(principal)},"request":${canonical(request)}}`
}

function textOfTarget({ type, id, version }: EntryTarget): string {
  const end = version === undefined ? '' : `,"version":${canonical(version)}`
  return `{"id":${canonical(id)},"type":${canonical(type)}${end}}`
}

/** Parses the bytes of an entry. Throws EntryError unless this version would have written exactly these bytes. */
export function readEntry(bytes: Uint8Array): Entry {
  const value = parseCanonical(bytes)
  if (!isObject(value)) throw new EntryError('an entry must be an object')
  const { v, id, time, type, outcome, target, sealed } = value
  if (v !== VERSION) throw new EntryError(`the version of the entry is not ${VERSION}`)
  if (!isCount(id)) throw new EntryError('the id of the entry is malformed')
  if (typeof time !== 'string' || typeof type !== 'string' || typeof outcome !== 'string') {
    throw new EntryError('the time, type or outcome of the entry is malformed')
  }
  const entry: Entry = { id, time, type, outcome, sealed: readDigests(sealed) }
  if (target !== undefined) entry.target = readTarget(target)
  expectMembers(value, target === undefined ? 6 : 7)
  return entry
}

function readDigests(sealed: Json | undefined): Parts<string> {
  const { details, principal, request } = isObject(sealed) ? sealed : {}
  if (!isDigest(details) || !isDigest(principal) || !isDigest(request)) {
    throw new EntryError('a digest of the entry is missing or malformed')
  }
  expectMembers(sealed as JsonObject, parts.length)
  return { details, principal, request }
}

function readTarget(target: Json): EntryTarget {
  const { type, id, version } = isObject(target) ? target : {}
  if (typeof type !== 'string' || !isCount(id)) throw new EntryError('the target of the entry is malformed')
  expectMembers(target as JsonObject, version === undefined ? 2 : 3)
  if (version === undefined) return { type, id }
  if (!isCount(version)) throw new EntryError('the version of the target is malformed')
  return { type, id, version }
}

/** Throws EntryError if the object has unknown members. */
function expectMembers(value: JsonObject, count: number) {
  if (Object.keys(value).length > count) throw new EntryError('the entry has unknown members')
}

/**
 * Opens an entry. Returns its open parts and the parts that the disclosures reveal. Throws EntryError if a disclosure does not
 * belong to the entry. Does not verify that the entry is in the tree.
 */
export function openEntry(bytes: Uint8Array, disclosures: Iterable<string>): OpenEvent & Partial<SealedEvent> {
  const { sealed, ...open } = readEntry(bytes)
  const event: OpenEvent & Partial<SealedEvent> = open
  for (const disclosure of disclosures) Object.assign(event, openPart(sealed, disclosure))
  return event
}

/** Returns the values that a disclosure reveals. Computes its digest over the text exactly as received. */
function openPart(sealed: Parts<string>, disclosure: string): Partial<SealedEvent> {
  const { name: part, value } = readDisclosure(disclosure)
  if (!isPart(part) || sealed[part] !== digestOf(disclosure)) {
    throw new EntryError('the disclosure does not belong to this entry')
  }
  if (part === 'principal' && typeof value === 'string') return { principal: value }
  if (part === 'request' && (value === null || isObject(value))) return { request: value }
  if (part === 'details' && isObject(value) && Object.keys(value).length === 2) {
    const { data, name } = value
    if (isObject(data) && (name === null || typeof name === 'string')) return { data, name }
  }
  throw new EntryError(`the disclosure does not show ${part}`)
}

function isPart(name: string): name is Part {
  return (parts as readonly string[]).includes(name)
}

/** Returns whether the value is a valid id or version: a positive integer that JSON represents exactly. */
function isCount(value: Json | undefined): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0
}

/** Returns whether the value is a JSON object. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
