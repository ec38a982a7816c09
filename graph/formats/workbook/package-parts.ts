import { entriesOf, unpackedAtMost, unpackedEntry } from '../../packing/inflate.ts'
import { type GraphBuilder, Unreadable } from '../shared/graph-builder.ts'
import { decodeXml, readXml, type XmlHandler } from '../shared/xml.ts'

/** A relationship of the workbook to one of its parts. */
interface Relationship {
  type: string
  /** The path of the part in the archive. */
  path: string
}

/** The path that every program uses for the workbook. */
export const WORKBOOK = 'xl/workbook.xml'

/** The parts of a workbook, which is a zip archive of XML files (ECMA-376). They are unpacked one at a time. */
export class PackageParts {
  readonly #into: GraphBuilder
  readonly #entries: Map<string, ReturnType<typeof entriesOf>[number]>
  /** The number of bytes that the remaining parts may unpack to. */
  #room: number
  /** The number of bytes that all parts may unpack to. */
  readonly #whole: number

  /** Throws Unreadable if the file is not a workbook. */
  constructor(bytes: Buffer, into: GraphBuilder) {
    this.#into = into
    this.#whole = unpackedAtMost(bytes.length, into.limits.bodyLimit)
    this.#room = this.#whole
    const entries = bytes.toString('latin1', 0, 2) === 'PK' ? entriesOf(bytes) : []
    this.#entries = new Map(entries.map((entry) => [keyOf(entry.name), entry]))
    if (!this.#entries.has(WORKBOOK)) throw new Unreadable(undefined, 'other-format', 'is not an Excel workbook')
  }

  /** Reads a part as XML. Returns whether it exists. Faults include the path of the part. */
  read(path: string, handler: XmlHandler): boolean {
    const entry = this.#entries.get(keyOf(path))
    if (!entry) return false
    const bytes = unpackedEntry(entry, this.#into.limits.bodyLimit, this.#room, this.#whole)
    this.#room -= bytes.length
    this.#into.openFile(path)
    readXml(decodeXml(bytes, this.#into), this.#into, handler)
    this.#into.text = ''
    return true
  }

  /** Returns the relationships of the workbook, by id. */
  relationships(): Map<string, Relationship> {
    const found = new Map<string, Relationship>()
    const open: XmlHandler['open'] = (name, { Id = '', Type = '', Target = '', TargetMode }) => {
      if (name !== 'Relationship' || TargetMode === 'External') return
      const path = Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`
      found.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), path: plain(path) })
    }
    this.read('xl/_rels/workbook.xml.rels', { open, text: ignore, close: ignore })
    return found
  }
}

export function ignore() {}

/** Resolves the segments `.` and `..` of a path. */
function plain(path: string) {
  const segments: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '.' && segment !== '') segments.push(segment)
  }
  return segments.join('/')
}

/** Returns the lookup key for a part's name. Names are compared without regard to case or to escapes such as %20. */
function keyOf(name: string) {
  const path = name.replaceAll('\\', '/').toLowerCase()
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
