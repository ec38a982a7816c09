import type { GraphBuilder } from '../shared/graph-builder.ts'
import { Unreadable } from '../shared/graph-builder.ts'
import type { Row } from '../tables/csv-rows.ts'
import { ignore, type PackageParts, WORKBOOK } from './package-parts.ts'
import { readSharedStrings } from './shared-strings.ts'
import { CellCount, SheetReader, tableRows } from './sheet.ts'
import { readStyles } from './styles.ts'

/** A sheet with a table. */
export interface Sheet {
  name: string
  rows: Row[]
  /** The number of rows with titles above the table. */
  titles: number
  /** The offsets of rows with formulas for which the file contains no values. */
  unvalued: readonly number[]
  /** The number of cells with errors, such as #N/A. */
  errors: number
}

/** The maximum number of sheets. */
const MAX_SHEETS = 200

/** Reads the sheets that are visible and not empty. Counts the others. */
export function readWorkbook(parts: PackageParts, into: GraphBuilder): Sheet[] {
  const { sheets, system, recalculates } = listSheets(parts)
  const relationships = parts.relationships()
  const pathOf = (type: string) => [...relationships.values()].find((part) => part.type === type)?.path
  const [texts, styles] = [pathOf('sharedStrings'), pathOf('styles')]
  const shared = {
    texts: texts === undefined ? [] : readSharedStrings(parts, texts),
    styles: styles === undefined ? [] : readStyles(parts, styles),
    system,
    recalculates
  }
  if (sheets.length > MAX_SHEETS) throw new Unreadable(undefined, 'too-large', `has more than ${MAX_SHEETS} sheets`)
  const visible = sheets.filter(({ isHidden }) => !isHidden)
  const found: Sheet[] = []
  const count = new CellCount()
  for (const { name, id } of visible) {
    const part = relationships.get(id)
    // Sheets may also be charts or dialogs.
    if (part?.type !== 'worksheet') continue
    const { rows: sparse, unvalued, errors } = new SheetReader(parts, part.path, shared, into)
    into.openFile(name)
    // Offsets are row numbers.
    into.text = '\n'.repeat((sparse.at(-1)?.at ?? 0) + 1)
    const { rows, titles } = tableRows(sparse, count)
    if (rows.length > 0) found.push({ name, rows, titles, unvalued, errors })
  }
  into.losses.add('sheets-skipped', sheets.length - found.length)
  return found
}

function listSheets(parts: PackageParts) {
  const sheets: { name: string; id: string; isHidden: boolean }[] = []
  let system: 1900 | 1904 = 1900
  let recalculates = false
  const open = (element: string, attributes: Record<string, string>) => {
    if (element === 'workbookPr' && /^(?:1|true)$/.test(attributes.date1904 ?? '')) system = 1904
    if (element === 'calcPr' && /^(?:1|true)$/.test(attributes.fullCalcOnLoad ?? '')) recalculates = true
    if (element !== 'sheet') return
    const { name = '', state = 'visible' } = attributes
    const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? ''
    sheets.push({ name: name === '' ? `sheet ${sheets.length + 1}` : name, id, isHidden: state !== 'visible' })
  }
  parts.read(WORKBOOK, { open, text: ignore, close: ignore })
  return { sheets, system, recalculates }
}
