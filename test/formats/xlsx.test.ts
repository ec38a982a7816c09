import t from 'tap'
import type { GraphContent } from '../../schemas/graph-content.ts'
import { read, write } from '../support/formats.ts'
import { workbook } from '../support/workbook.ts'

const edges = [
  ['Source', 'Target', 'Weight'],
  ['a', 'b', 1.5],
  ['b', 'c', 2]
]
const nodes = [
  ['Id', 'Label', 'age'],
  ['c', 'Cyd', 3],
  ['a', 'Ann', 4]
]

/** Reads a workbook. Returns the attributes of its only edge, from a to b. */
async function attributesOf(bytes: Buffer) {
  const { content, faults } = await read(undefined, bytes)
  if (!content) throw new Error(JSON.stringify(faults))
  t.same(
    content.edges.map(({ source, target }) => [source, target]),
    [['a', 'b']]
  )
  return content.edges[0]?.metadata
}

/** Reads a file that is refused. Returns the code and the text of the problem or of the first fault. */
async function refusal(bytes: Buffer, format?: string) {
  return read(format, bytes).then(
    ({ faults: [fault] }) => [fault?.code, fault?.detail],
    ({ code, message, circumstances }) => [code, circumstances.errors?.[0].detail ?? message]
  )
}

t.test('sheets of edges and nodes become one graph, whatever their order', async (t) => {
  for (const sheets of [
    { E: edges, N: nodes },
    { N: nodes, E: edges }
  ]) {
    const { content, losses, format, table } = await read(undefined, workbook(sheets))
    t.equal(format, 'xlsx')
    t.same(content, {
      directed: true,
      nodes: [
        { id: 'c', label: 'Cyd', metadata: { age: 3 } },
        { id: 'a', label: 'Ann', metadata: { age: 4 } },
        { id: 'b' }
      ],
      edges: [
        { source: 'a', target: 'b', metadata: { weight: 1.5 } },
        { source: 'b', target: 'c', metadata: { weight: 2 } }
      ]
    })
    t.same(losses, { 'node-not-in-table': 1 })
    t.equal(table?.idColumn, 'Id')
  }
})

t.test('empty sheets, hidden sheets and notes are skipped and counted', async (t) => {
  const sheets = { Notes: [['Collected by hand.'], ['In 2026.']], Sheet2: [], Old: edges, Edges: edges }
  const bytes = workbook(sheets, { attributesOf: (name) => (name === 'Old' ? 'state="hidden"' : '') })
  const { losses, edgeCount, valid } = await read(undefined, bytes)
  t.same([losses, edgeCount, valid], [{ 'sheets-skipped': 3 }, 2, true])
  const { losses: ofEdges } = await read(undefined, workbook({ Edges: edges, Legend: [['a', 'Ann']] }))
  t.same(ofEdges, { 'sheets-skipped': 1 })
})

t.test('a workbook with several graphs is refused with the names of its sheets', async (t) => {
  t.same(await refusal(workbook({ 2024: edges, 2025: edges })), [
    'format-unknown',
    'This workbook has 2 sheets with tables: "2024", "2025". Keep a single graph, or one sheet of nodes and one sheet of edges.'
  ])
  t.equal((await refusal(workbook({ A: [['x', 'y']], B: [['p', 'q']] })))[0], 'format-unknown')
  t.same(await refusal(workbook({ A: [] })), ['required', 'has no sheet with a table'])
})

t.test('titles above a table and empty rows and columns around it are not part of it', async (t) => {
  const rows = [['My network'], [null], [null, 'Source', null, 'Target'], [null, 'a', null, 'b']]
  const { losses, content, faults } = await read(undefined, workbook({ S: rows }))
  t.same([losses, faults, content?.edges], [{ 'titles-dropped': 1 }, [], [{ source: 'a', target: 'b' }]])
})

t.test('cells keep their types: text stays text, and errors are missing values', async (t) => {
  const rows = [
    ['Source', 'Target', 'text', 'number', 'flag', 'error', 'formula', 'word'],
    [
      'a',
      'b',
      '5',
      { xml: '<c><v>0.10000000000000001</v></c>' },
      true,
      { xml: '<c t="e"><v>#N/A</v></c>' },
      { xml: '<c t="str"><f>A1&amp;1</f><v>x1</v></c>' },
      { xml: '<c t="inlineStr"><is><r><t>ri</t></r><r><t>ch_x0001_</t></r><rPh><t>no</t></rPh></is></c>' }
    ]
  ]
  const file = workbook({ S: rows })
  t.same(await attributesOf(file), { text: '5', number: 0.1, flag: true, formula: 'x1', word: 'rich\u0001' })
  t.same((await read(undefined, file)).losses, { 'null-dropped': 1 })
})

t.test('escaped halves of surrogate pairs are replaced', async (t) => {
  const { content } = await read(
    undefined,
    workbook({
      S: [
        ['Source', 'Target'],
        ['_xD83D__xDE00_', '_xDC00_7']
      ]
    })
  )
  t.same(
    content?.nodes.map(({ id }) => id),
    ['😀', '\ufffd7']
  )
})

t.test('shared texts are read, and cells may be sparse', async (t) => {
  const texts = '<si><t>Source</t></si><si><t>Target</t></si><si><r><t>a</t></r></si><si><t>b</t></si>'
  const row = (number: number, one: number, two: number) =>
    `<row r="${number}"><c r="B${number}" t="s"><v>${one}</v></c><c r="XFD${number}" t="s"><v>${two}</v></c></row>`
  t.equal(await attributesOf(workbook({ S: row(3, 0, 1) + row(1_048_576, 2, 3) }, { texts })), undefined)
})

t.test('numbers with the format of a date become dates, in both date systems', async (t) => {
  const styles = `<numFmts><numFmt numFmtId="200" formatCode="[$-409]d\\ mmm;@"/><numFmt numFmtId="201" formatCode="0.0&quot;days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="46"/><xf numFmtId="200"/><xf numFmtId="201"/></cellXfs>`
  const cell = (style: number, value: number) => ({ xml: `<c s="${style}"><v>${value}</v></c>` })
  const values = [cell(0, 45000), cell(1, 45000), cell(2, 45000.5), cell(3, 1.5), cell(4, 1), cell(5, 2.5)]
  const rows = [
    ['Source', 'Target', 'n', 'day', 'noon', 'time', 'own', 'days'],
    ['a', 'b', ...values]
  ]
  t.same(await attributesOf(workbook({ S: rows }, { styles })), {
    n: 45000,
    day: '2023-03-15',
    noon: '2023-03-15T12:00:00',
    time: '36:00:00',
    own: '1900-01-01',
    days: 2.5
  })
  const { day, own } = (await attributesOf(workbook({ S: rows }, { styles, properties: 'date1904="1"' }))) ?? {}
  t.same([day, own], ['2027-03-16', '1904-01-02'])
})

t.test('a formula without its value is a fault in its row', async (t) => {
  const rows = [
    ['Source', 'Target', 'sum'],
    ['a', 'b', { xml: '<c><f>1+1</f></c>' }]
  ]
  const { faults } = await read(undefined, workbook({ S: rows }))
  t.same(faults, [
    {
      line: 2,
      column: 1,
      file: 'S',
      code: 'formula-without-value',
      detail: 'has a formula without a cached value: open the workbook in Excel and save it'
    }
  ])
})

t.test('a 0 that programs would calculate again is no value of a formula', async (t) => {
  const rows = [
    ['source', 'target', 'n'],
    ['a', 'b', { xml: '<c><f>1+1</f><v>0</v></c>' }]
  ]
  const codes = async (calculation: string) => {
    return (await read(undefined, workbook({ S: rows }, { calculation }))).faults.map(({ code }) => code)
  }
  t.same(await codes('fullCalcOnLoad="1"'), ['formula-without-value'])
  t.same(await codes('fullCalcOnLoad="0"'), [])
})

t.test('unusual values and times are read as Excel shows them', async (t) => {
  const cells = ['<c><v> </v></c>', '<c><v>0x10</v></c>', '<c t="b"><v>TRUE</v></c>', '<c t="inlineStr"><v>in</v></c>']
  const times = ['<c s="1"><v>45000.5</v></c>', '<c s="1"><v>0.5</v></c>', '<c s="2"><v>1.5</v></c>']
  const names = ['source', 'target', 'space', 'hex', 'yes', 'inline', 'moment', 'time', 'duration']
  const styles = '<cellXfs><xf/><xf numFmtId="20"/><xf numFmtId="46"/></cellXfs>'
  const rows = [names, ['a', 'b', ...[...cells, ...times].map((xml) => ({ xml }))]]
  t.same((await read(undefined, workbook({ S: rows }, { styles }))).content?.edges[0]?.metadata, {
    hex: '0x10',
    yes: true,
    inline: 'in',
    moment: '2023-03-15T12:00:00',
    time: '12:00:00',
    duration: '36:00:00'
  })
})

t.test('parts are found whatever their names, and relationships may be faulty', async (t) => {
  const rows = [
    ['source', 'target'],
    ['a', 'b']
  ]
  const sheet = (name: string) => ({ name, content: '<worksheet><sheetData></sheetData></worksheet>' })
  for (const folder of ['../xl/./worksheets', 'Worksheets', '/xl/worksheets', 'work%73heets']) {
    t.equal((await read(undefined, workbook({ S: rows }, { folder }))).edgeCount, 1, folder)
  }
  for (const folder of ['///[', 'http://[', '%', '..'.repeat(9)]) {
    const { faults } = await read(undefined, workbook({ S: rows }, { folder }, [sheet('x.xml')]))
    t.same(
      faults.map(({ code }) => code),
      ['required'],
      folder
    )
  }
})

t.test('faults name the sheet and the row', async (t) => {
  const { faults } = await read(undefined, workbook({ Edges: [...edges, ['x']], Nodes: nodes }))
  t.same(
    faults.map(({ file, line, code }) => [file, line, code]),
    [['Edges', 4, 'required']]
  )
})

t.test('a file that is damaged or not a workbook is refused', async (t) => {
  t.same(await refusal(workbook({ S: edges }), 'csv'), [
    'format-unknown',
    'This is an Excel workbook. Choose the format xlsx.'
  ])
  t.same(await refusal(Buffer.from('Source,Target\na,b\n'), 'xlsx'), ['other-format', 'is not an Excel workbook'])
  const reference = (cell: string) => workbook({ S: `<row>${cell}</row>` })
  for (const [file, code] of [
    [reference('<c t="s"><v>0</v></c>'), 'malformed-xlsx'],
    [reference('<c r="B1"><v>0</v></c><c r="A1"><v>0</v></c>'), 'malformed-xlsx'],
    [reference('<c r="XFE1"><v>0</v></c>'), 'malformed-xlsx'],
    [workbook({ S: '<row r="1048577"><c><v>0</v></c></row>' }), 'malformed-xlsx'],
    [workbook({ S: '<row><c>' }), 'malformed-xml'],
    [workbook({ S: '' }).subarray(0, 900), 'validation-failed']
  ] as const) {
    t.equal((await refusal(file))[0], code)
  }
})

t.test('a small workbook cannot take much memory', async (t) => {
  // A sheet of 20,000 cells that all contain a 20,000-character string.
  const texts = `<si><t>${'x'.repeat(20_000)}</t></si>`
  const repeated = '<row><c t="s"><v>0</v></c></row>'.repeat(20_000)
  t.equal((await refusal(workbook({ S: repeated }, { texts })))[0], 'too-large')
  // A first row of 16,384 cells, followed by 10,000 rows with a single cell in the last column.
  const wide = `<row>${'<c><v>1</v></c>'.repeat(16_384)}</row>`
  const last = Array.from({ length: 10_000 }, (_, index) => `<row><c r="XFD${index + 2}"><v>1</v></c></row>`).join('')
  t.equal((await refusal(workbook({ S: wide + last })))[0], 'too-large')
  // 20 sheets, each with a million empty cells.
  const letters = (index: number) =>
    String.fromCharCode(...[676, 26, 1].map((unit) => 65 + (Math.floor(index / unit) % 26)))
  const diagonal = Array.from({ length: 1000 }, (_, row) => `<row><c r="${letters(row)}${row + 2}"><v>1</v></c></row>`)
  const sheet = `<row><c><v>1</v></c><c><v>1</v></c></row>${diagonal.join('')}`
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`S${index}`, sheet]))
  t.equal((await refusal(workbook(many)))[0], 'too-large')
  t.equal((await refusal(workbook({ S: '<row/>'.repeat(1_000_000) })))[0], 'file-too-complex')
  const doctype = '<!DOCTYPE sst [<!ENTITY a "xxxx">]><sst><si><t>&a;</t></si></sst>'
  const parts = [{ name: 'xl/sharedStrings.xml', content: doctype }]
  t.equal((await refusal(workbook({ S: edges }, {}, parts)))[0], 'doctype')
})

const graph: GraphContent = {
  nodes: [
    { id: '=1+1', label: '+x', x: 1, y: -2.5, metadata: { from: '7', to: 'NA', n: 1, flag: true } },
    { id: 'alone', metadata: { n: 2, long: 'x'.repeat(32_768) } }
  ],
  edges: [{ id: '@e', source: '=1+1', target: '=1+1', directed: false, relation: '-r', metadata: { weight: 1e300 } }]
}

t.test('an export has two sheets with typed cells, and is read unchanged', async (t) => {
  const { bytes, losses } = write('xlsx', graph)
  t.same(losses, { 'attributes-dropped': 1 })
  const { content, losses: again } = await read(undefined, bytes)
  const [first, alone] = graph.nodes
  t.same(content, {
    directed: false,
    nodes: [first, { ...alone, metadata: { n: 2 } }],
    edges: graph.edges.map(({ directed: _, ...edge }) => edge)
  })
  t.same(again, {})
  t.ok(write('xlsx', graph).bytes.equals(bytes), 'the bytes are the same each time')
})

t.test('an attribute called name is not read as the label', async (t) => {
  const nodes = [{ id: 'a', metadata: { name: 'A' } }, { id: 'b' }]
  const { bytes, losses } = write('xlsx', { nodes, edges: [{ source: 'a', target: 'b' }] })
  t.same(losses, { 'attribute-renamed': 1 })
  t.same((await read(undefined, bytes)).content?.nodes, nodes)
})

t.test('a graph with more edges than a sheet has rows is refused', (t) => {
  const many: GraphContent = { nodes: [{ id: 'a' }], edges: new Array(1_048_576).fill({ source: 'a', target: 'a' }) }
  t.throws(() => write('xlsx', many), { code: 'format-not-acceptable' })
  t.end()
})
