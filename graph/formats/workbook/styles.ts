import { type DateForm, dateFormOf } from './dates.ts'
import { ignore, type PackageParts } from './package-parts.ts'

/** How a cell style affects the meaning of a cell's value. */
export interface CellStyle {
  /** The form of the date, if the number is displayed as a date. */
  date: DateForm | undefined
  /** Whether a leading apostrophe marks the cell as text. */
  isQuoted: boolean
}

/** Reads the cell styles, in the order in which cells refer to them. */
export function readStyles(parts: PackageParts, path: string): CellStyle[] {
  const codes = new Map<string, string>()
  const styles: CellStyle[] = []
  let areCells = false
  const open = (name: string, attributes: Record<string, string>) => {
    if (name === 'cellXfs') areCells = true
    else if (name === 'numFmt') codes.set(attributes.numFmtId ?? '', attributes.formatCode ?? '')
    else if (name === 'xf' && areCells) {
      const format = attributes.numFmtId ?? '0'
      const isQuoted = /^(?:1|true)$/.test(attributes.quotePrefix ?? '')
      styles.push({ date: dateFormOf(Number(format), codes.get(format)), isQuoted })
    }
  }
  const close = (name: string) => {
    if (name === 'cellXfs') areCells = false
  }
  parts.read(path, { open, text: ignore, close })
  return styles
}
