import { isRecord } from '../../content/json.ts'
import type { Format } from './format.ts'
import { type GraphBuilder, Unreadable } from './graph-builder.ts'
import { parseFile, topNames } from './json-file.ts'

export type Json = Record<string, unknown>

/** A JSON format whose file is an object, recognized by its members. */
interface JsonKind extends Pick<Format, 'name' | 'title' | 'endings' | 'growsDown'> {
  /** The required members. */
  members: readonly string[]
  /** Returns whether text may be of this kind, before its members are examined; always true by default. */
  accepts?(text: string): boolean
  read(file: Json, into: GraphBuilder): void
}

/** Returns an import-only format for JSON objects of this kind. */
export function jsonKind({ members, accepts = () => true, read, ...format }: JsonKind): Format {
  return {
    ...format,
    mediaType: 'application/json',
    recognises: (text) => text.startsWith('{') && accepts(text) && hasMembers(text, members),
    read: (bytes, into) => {
      const file = parseFile(bytes, into)
      const missing = members.find((name) => !isRecord(file) || file[name] === undefined)
      if (!isRecord(file) || missing !== undefined) {
        throw new Unreadable(`#/${missing}`, 'required', `is required: this is not ${format.title}`)
      }
      read(file, into)
    }
  }
}

/** Returns whether the object, or the objects of the array, have all these members. */
export function hasMembers(text: string, members: readonly string[]) {
  // A search for the names rules out most files quickly.
  if (!members.every((name) => text.includes(`"${name}"`))) return false
  const { names } = topNames(text)
  return members.every((name) => names.has(name))
}

/** Returns the name of the graph, if it is non-blank text. */
export function nameIn(value: unknown) {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
