// The parts of a workbook that are the same for every graph (ECMA-376, part 1).

export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

export const CONTENT_TYPES = `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides(
  {
    workbook: 'sheet.main',
    styles: 'styles',
    'worksheets/sheet1': 'worksheet',
    'worksheets/sheet2': 'worksheet',
    sharedStrings: 'sharedStrings'
  }
)}</Types>`

export const ROOT_RELATIONSHIPS = relationships({ 'xl/workbook.xml': 'officeDocument' })

export const WORKBOOK_RELATIONSHIPS = relationships({
  'worksheets/sheet1.xml': 'worksheet',
  'worksheets/sheet2.xml': 'worksheet',
  'styles.xml': 'styles',
  'sharedStrings.xml': 'sharedStrings'
})

export const WORKBOOK_XML = `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Edges" sheetId="1" r:id="rId1"/><sheet name="Nodes" sheetId="2" r:id="rId2"/></sheets></workbook>`

/** The default cell style, and a style whose cells are text whatever they look like. */
export const STYLES = `${XML}<styleSheet xmlns="${MAIN}"><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

function overrides(parts: Record<string, string>) {
  return Object.entries(parts)
    .map(([name, type]) => `<Override PartName="/xl/${name}.xml" ContentType="${TYPE}.${type}+xml"/>`)
    .join('')
}

function relationships(targets: Record<string, string>) {
  const all = Object.entries(targets).map(
    ([target, type], index) => `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`
  )
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`
}
