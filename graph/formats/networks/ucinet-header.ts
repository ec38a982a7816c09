import { type GraphBuilder, quote, Unreadable } from '../shared/graph-builder.ts'

/** The header of a DL file. */
export interface Header {
  format: string
  /** The numbers of rows and columns, if specified. They are equal unless the network has two modes. */
  rows: number | undefined
  columns: number | undefined
  matrices: number
  isDiagonalAbsent: boolean
  title: string | undefined
  /** The labels in the header. */
  labels: Labels
  /** Whether the data contain the labels of rows and of columns. */
  embedded: { row: boolean; column: boolean }
  /** The offset of the data. */
  end: number
}

/** The labels for rows, columns and matrices, and those for both rows and columns. */
type Labels = Record<'both' | 'row' | 'column' | 'matrix', string[]>

/** A phrase in the header. Spaces, commas and equals signs separate words. */
const PHRASE =
  /(?:(?<dimension>n[rcm]?)[\s=:]+(?<count>\d{1,9})\b|format[\s=:]+(?<format>\w+)|diagonal[\s=:]+(?<diagonal>present|absent)\b|(?:(?<axis>row|col|column|matrix|level)[ \t]+)?labels?[ \t]*(?:(?<embedded>embedded)\b:?|:)|title[\s=:]+(?:"(?<title>[^"\r\n]*)"|(?<rest>[^\r\n]*))|(?<data>data)\b[ \t]*:?)/iy

/** A phrase that ends a list of labels, even if labels are missing. */
const AFTER_LABELS = /(?:(?:row|col|column|matrix|level)[ \t]+)?labels?[ \t]*(?:embedded\b|:)|data[ \t]*:/iy

const LABEL = /"([^"]*)"|'([^'\r\n]*)'(?=[\s,=])|([^\s,="]+)/y
const SPACE = /[\s,=]*/y

/** Alternative names of the formats. */
const formats = new Map([
  ['fm', 'fullmatrix'],
  ['lh', 'lowerhalf'],
  ['uh', 'upperhalf'],
  ['el1', 'edgelist1'],
  ['el2', 'edgelist2'],
  ['edgelist', 'edgelist1'],
  ['nl1', 'nodelist1'],
  ['nl2', 'nodelist2'],
  ['nodelist', 'nodelist1']
])

const axes: Record<string, keyof Labels> = { row: 'row', col: 'column', column: 'column', matrix: 'matrix' }

/** Reads the header of a DL file, up to `data:`. */
export function readHeader(text: string, into: GraphBuilder): Header {
  const dimensions = new Map<string, number>()
  const labels: Labels = { both: [], row: [], column: [], matrix: [] }
  const header: Header = {
    format: 'fullmatrix',
    rows: undefined,
    columns: undefined,
    matrices: 1,
    isDiagonalAbsent: false,
    title: undefined,
    labels,
    embedded: { row: false, column: false },
    end: 0
  }
  let at = /^\s*dl\b/i.exec(text)?.[0].length ?? 0
  if (at === 0) throw new Unreadable(0, 'malformed', 'does not begin with DL')
  for (;;) {
    at = after(SPACE, text, at)
    PHRASE.lastIndex = at
    const { dimension, count, format, diagonal, axis, embedded, title, rest, data } = PHRASE.exec(text)?.groups ?? {}
    if (PHRASE.lastIndex === 0) throw new Unreadable(at, 'malformed', 'is not part of a DL header')
    at = PHRASE.lastIndex
    if (dimension) dimensions.set(dimension.toLowerCase(), Number(count))
    else if (format) header.format = formats.get(format.toLowerCase()) ?? format.toLowerCase()
    else if (diagonal) header.isDiagonalAbsent = diagonal.toLowerCase() === 'absent'
    else if (title !== undefined || rest !== undefined) header.title = title ?? rest
    else if (embedded) {
      if (axis === undefined || /^row$/i.test(axis)) header.embedded.row = true
      if (axis === undefined || /^col/i.test(axis)) header.embedded.column = true
    } else if (!data) {
      const kind = axis === undefined ? 'both' : (axes[axis.toLowerCase()] ?? 'matrix')
      const own = { both: undefined, row: 'nr', column: 'nc', matrix: 'nm' }[kind] ?? 'n'
      at = readLabels(text, at, labels[kind], dimensions.get(own) ?? dimensions.get('n') ?? Number.POSITIVE_INFINITY)
    }
    if (!data) continue
    header.rows = dimensions.get('nr') ?? dimensions.get('n')
    header.columns = dimensions.get('nc') ?? dimensions.get('n')
    header.matrices = dimensions.get('nm') ?? 1
    if (Math.max(header.rows ?? 0, header.columns ?? 0) > into.limits.maxNodes) {
      throw new Unreadable(0, 'too-many-nodes', `has more than ${into.limits.maxNodes} nodes`)
    }
    return { ...header, end: at }
  }
}

function readLabels(text: string, from: number, labels: string[], count: number) {
  let at = after(SPACE, text, from)
  while (labels.length < count && at < text.length && after(AFTER_LABELS, text, at) === at) {
    LABEL.lastIndex = at
    const found = LABEL.exec(text)
    if (!found) throw new Unreadable(at, 'malformed', `${quote(text.slice(at, at + 40))} is not a label`)
    labels.push((found[1] ?? found[2] ?? found[3]) as string)
    at = after(SPACE, text, LABEL.lastIndex)
  }
  return at
}

/** Returns the offset after a match at this offset, or the offset itself. */
function after(pattern: RegExp, text: string, at: number) {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
