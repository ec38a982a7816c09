import { type Entry, zip } from './zip.ts'

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A cell value: numbers and booleans are written as such, text as inline text, and objects as they are. */
type Cell = string | number | boolean | null | { xml: string }

/** The XML of the parts that the sheets share, and the attributes of each sheet in the list of sheets. */
interface WorkbookParts {
  styles?: string
  texts?: string
  properties?: string
  calculation?: string
  /** The folder of the sheets, as written in relationships. */
  folder?: string
  attributesOf?: (sheet: string) => string
}

/** Creates a workbook with these sheets, given as rows of cells or as XML within `sheetData`. */
export function workbook(
  sheets: Record<string, Cell[][] | string>,
  {
    styles = '',
    texts = '',
    properties = '',
    calculation = '',
    folder = 'worksheets',
    attributesOf = () => ''
  }: WorkbookParts = {},
  more: Entry[] = []
): Buffer {
  const names = Object.keys(sheets)
  const list = names.map((name, index) => `<sheet name="${name}" sheetId="1" ${attributesOf(name)} r:id="r${index}"/>`)
  const relationships = names.map(
    (_, index) => `<Relationship Id="r${index}" Type="${OFFICE}/worksheet" Target="${folder}/${index}.xml"/>`
  )
  for (const type of ['styles', 'sharedStrings']) {
    relationships.push(`<Relationship Id="${type}" Type="${OFFICE}/${type}" Target="/xl/${type}.xml"/>`)
  }
  const parts = {
    'xl/workbook.xml': `<workbook xmlns:r="${OFFICE}"><workbookPr ${properties}/><sheets>${list.join('')}</sheets><calcPr ${calculation}/></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relationships.join('')}</Relationships>`,
    'xl/styles.xml': `<styleSheet>${styles}</styleSheet>`,
    'xl/sharedStrings.xml': `<sst>${texts}</sst>`
  }
  const pages = Object.values(sheets).map((rows, index) => ({
    name: `xl/worksheets/${index}.xml`,
    content: `<worksheet><sheetData>${typeof rows === 'string' ? rows : rows.map(rowXml).join('')}</sheetData></worksheet>`
  }))
  return zip([...Object.entries(parts).map(([name, content]) => ({ name, content })), ...pages, ...more])
}

function rowXml(cells: Cell[]) {
  return `<row>${cells.map(cellXml).join('')}</row>`
}

function cellXml(cell: Cell) {
  if (cell === null) return '<c/>'
  if (typeof cell === 'object') return cell.xml
  if (typeof cell === 'string') return `<c t="inlineStr"><is><t>${cell}</t></is></c>`
  return typeof cell === 'number' ? `<c><v>${cell}</v></c>` : `<c t="b"><v>${Number(cell)}</v></c>`
}
