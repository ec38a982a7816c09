import { isUtf8 } from 'node:buffer'
import { isDeepStrictEqual } from 'node:util'
import type { Json, JsonObject } from './canonical.ts'
import { EntryError, readDisclosure } from './disclosure.ts'
import { isObject, type OpenEvent, openEntry, type Part, type Parts, parts, type SealedEvent } from './entry.ts'

// A line of an export: an entry with its index and disclosures, and the event that they reveal.

export interface LogLine {
  index: number
  /** The bytes of the entry, which the line contains as text. */
  entry: Buffer
  /** The disclosures of the parts that have not been erased. */
  disclosures: Partial<Parts<string>>
  event: Json
}

/** An event, as revealed by its entry and disclosures, without erased parts. */
export type ShownEvent = OpenEvent & Partial<SealedEvent>

/** Parses a line of JSON without verifying it. Throws EntryError. */
export function readLine(bytes: Uint8Array): LogLine {
  if (!isUtf8(bytes)) throw new EntryError('not valid UTF-8')
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    throw new EntryError('not valid JSON')
  }
  const { index, entry, disclosures, event, ...others } = isObject(value) ? value : {}
  // Accept only the exact text that an export writes. Otherwise, parsers could disagree, for example about duplicate names.
  if (JSON.stringify(value) !== text.trimEnd() || Object.keys(others).length > 0) {
    throw new EntryError('not in the format of an export')
  }
  if (!Number.isSafeInteger(index) || (index as number) < 0) throw new EntryError('the index is missing')
  if (typeof entry !== 'string') throw new EntryError('the entry is missing')
  if (!isObject(disclosures) || !isObject(event)) throw new EntryError('the disclosures or the event is missing')
  for (const [name, disclosure] of Object.entries(disclosures)) {
    if (!(parts as readonly string[]).includes(name) || typeof disclosure !== 'string') {
      throw new EntryError('the disclosures are malformed')
    }
  }
  return {
    index: index as number,
    entry: Buffer.from(entry),
    disclosures: disclosures as Partial<Parts<string>>,
    event
  }
}

/**
 * Opens the entry of a line, using its disclosures. Throws EntryError if a disclosure does not belong to the entry, or if the
 * line shows a different event. Does not verify that the entry is in the tree.
 */
export function openLine({ entry, disclosures, event }: LogLine): ShownEvent {
  const shown = openEntry(entry, Object.values(disclosures))
  for (const part of parts) {
    const disclosure = disclosures[part]
    if (
      (disclosure !== undefined) === isErased(shown, part) ||
      (disclosure && readDisclosure(disclosure).name !== part)
    ) {
      throw new EntryError(`the disclosure does not show ${part}`)
    }
  }
  if (!isDeepStrictEqual(withoutBlanks(event as JsonObject, shown), plainEvent(shown))) {
    throw new EntryError('the event differs from its disclosures')
  }
  return shown
}

/** Returns the erased parts. */
export function erasedParts(shown: ShownEvent): Part[] {
  return parts.filter((part) => isErased(shown, part))
}

/** Returns the event in the form that exports and the API use, without erased parts. */
export function plainEvent({
  id,
  time,
  type,
  outcome,
  target,
  principal,
  request,
  name,
  data
}: ShownEvent): JsonObject {
  return {
    id,
    timestamp: time,
    ...(principal !== undefined && { principal }),
    type,
    outcome,
    ...(target && { target: { ...target, ...(name !== undefined && { name: name ?? '' }) } }),
    ...(request && { request }),
    ...(data && { data })
  }
}

function isErased(shown: ShownEvent, part: Part): boolean {
  return shown[part === 'details' ? 'data' : part] === undefined
}

/** Returns the event without the blank values that the store keeps in place of erased parts. */
function withoutBlanks(event: JsonObject, shown: ShownEvent): JsonObject {
  const erased = erasedParts(shown)
  if (erased.length === 0) return event
  const { principal, request, data, target, ...others } = event
  const name = isObject(target) ? target.name : undefined
  const isBlank = {
    principal: principal === '',
    request: request === null,
    details: (data === undefined || isDeepStrictEqual(data, {})) && (name === undefined || name === '')
  }
  const isLeftOut = (part: Part) => erased.includes(part) && isBlank[part]
  const { name: _, ...bare } = isObject(target) ? target : {}
  return {
    ...others,
    ...(principal !== undefined && !isLeftOut('principal') && { principal }),
    ...(request !== undefined && !isLeftOut('request') && { request }),
    ...(data !== undefined && !isLeftOut('details') && { data }),
    ...(target !== undefined && { target: isLeftOut('details') ? bare : target })
  }
}
