import t from 'tap'
import { read } from '../support/formats.ts'

// Numbers, words and encodings from many countries in tables.

/** Reads a column of numbers. Returns its values and the losses. */
async function column(cells: readonly string[], { delimiter = '\t', beside = 'x' } = {}) {
  const lines = cells.map((cell, index) => ['a', `b${index}`, cell, beside].join(delimiter))
  const { content, losses } = await read(
    delimiter === '\t' ? 'tsv' : 'csv',
    [['from', 'to', 'w', 'other'].join(delimiter), ...lines].join('\n')
  )
  return [content?.edges.map(({ metadata }) => metadata?.w), losses]
}

t.test('thousands separators are removed and counted if they are clear', async (t) => {
  const cases: [cells: string[], values: unknown[], losses: Record<string, number>][] = [
    [['1 234', '-12 345 678', '5'], [1234, -12345678, 5], { 'thousands-separator': 2 }],
    [['1\u00a0234', '1\u202f234,5'], [1234, 1234.5], { 'thousands-separator': 2 }],
    [["1'234.50", '1’234'], [1234.5, 1234], { 'thousands-separator': 2 }],
    [['1.234,5', '1.234', '0,5'], [1234.5, 1234, 0.5], { 'decimal-comma': 1, 'thousands-separator': 2 }],
    [['1.234.567', '1.234'], [1234567, 1234], { 'thousands-separator': 2 }],
    [['1,234.5', '1,234', '0.5'], [1234.5, 1234, 0.5], { 'thousands-separator': 2 }],
    [['1,234,567', '1,234'], [1234567, 1234], { 'thousands-separator': 2 }],
    [['1.234', '0.5'], [1.234, 0.5], {}],
    [['1.234', '1,5'], ['1.234', '1,5'], { 'number-as-text': 1 }],
    [['1 234,5', '1 234.5'], ['1 234,5', '1 234.5'], { 'number-as-text': 2 }],
    [['9 007 199 254 740 993'], ['9 007 199 254 740 993'], {}],
    [['1 23', '12 34'], ['1 23', '12 34'], {}],
    [['192.168.178.100', '192.168.178.101'], ['192.168.178.100', '192.168.178.101'], {}]
  ]
  for (const [cells, values, losses] of cases) t.same(await column(cells), [values, losses], cells.join(' | '))
})

t.test('1.234 stays text if other numbers, or the delimiter, suggest decimal commas', async (t) => {
  const cells = ['1.234', '12.500']
  const asText = [cells, { 'number-as-text': 2 }]
  t.same(await column(cells), [[1.234, 12.5], {}])
  t.same(await column(cells, { delimiter: ';' }), asText)
  t.same(await column(cells, { beside: '0,5' }), [cells, { 'decimal-comma': 2, 'number-as-text': 2 }])
  t.same(await column(cells, { delimiter: ';', beside: '0.5' }), [[1.234, 12.5], {}])
  const { faults } = await read('csv', 'n;a;b\na;0;1.234\nb;0;0')
  t.same(
    faults.map(({ code, line }) => [code, line]),
    [['not-allowed', 2]]
  )
})

t.test('error values of spreadsheets are missing values among numbers', async (t) => {
  const errors = ['#N/A', '#DIV/0!', '#VALUE!', '#REF!', '#NAME?', '#NUM!', '#NULL!', '#SPILL!', '#GETTING_DATA']
    .concat(['#WERT!', '#BEZUG!', '#ZAHL!', '#NV', '#VALEUR!', '#NOM?', '#¡VALOR!', '#¿NOMBRE?', '#N/D', '#NÚM!'])
    .concat(['#NAAM?', '#N/B', '#DEEL/0!', '#ADR!', '#DZIEL/0!', '#Н/Д', '#ССЫЛКА!', '#ΔΙΑΙΡ./0!', '#SAYI/0!', '#YOK'])
    .concat(['#DĚLENÍ_NULOU!', '#VÆRDI!', '#SAKNAS!', '#I/T', '#####'])
    .concat(['Err:502', 'Err\u00a0:502', 'Fehler:522', 'Błąd:504'])
  const nothing = errors.map(() => undefined)
  t.same(await column(['1', ...errors]), [[1, ...nothing], { 'null-dropped': errors.length }])
  t.same(await column(['#REF!', '#N/A']), [['#REF!', '#N/A'], {}], 'a column without numbers is text')
  const { faults } = await read(undefined, 'Source,Target\na,#N/A\nb,c\n')
  t.same(
    faults.map(({ code, line }) => [code, line]),
    [['required', 2]],
    'an error is no end of an edge'
  )
  for (const word of ['#1', '#tag', 'a:502', 'x #REF!']) t.same(await column(['1', word]), [['1', word], {}], word)
})

t.test('the names of ends, weights and types are known in ten languages', async (t) => {
  const headers = [
    'Source;Target;Weight;Type',
    'Quelle;Ziel;Gewicht;Typ',
    'Source;Cible;Poids;Type',
    'Origen;Destino;Peso;Tipo',
    'Origine;Destinazione;Peso;Tipo',
    'Origem;Destino;Peso;Tipo',
    'Bron;Doel;Gewicht;Type',
    'Źródło;Cel;Waga;Typ',
    '源;目标;权重;类型',
    'ソース;ターゲット;重み;種類'
  ]
  for (const header of headers) {
    for (const text of [header, header.normalize('NFD').toUpperCase()]) {
      const { content, losses, table } = await read('csv', `${text}\na;b;2;Directed\nb;c;1;Undirected`)
      t.same([table?.basis, losses], ['names', {}], text)
      t.same(content?.edges, [
        { source: 'a', target: 'b', metadata: { weight: 2 } },
        { source: 'b', target: 'c', directed: false, metadata: { weight: 1 } }
      ])
    }
  }
  const { content } = await read('csv', 'Source,Target,Weight,Peso\na,b,1,2')
  t.same(content?.edges[0]?.metadata, { weight: 1, Peso: 2 }, 'a column `Weight` takes precedence')
})

t.test('directions are known in ten languages', async (t) => {
  const words = [
    ['Directed', 'Undirected', 'Mutual'],
    ['Gerichtet', 'Ungerichtet', 'Gegenseitig'],
    ['Orienté', 'Non orienté', 'Mutuel'],
    ['Dirigé', 'Non dirigé', 'Mutuelle'],
    ['Dirigido', 'No dirigido', 'Mutuo'],
    ['Orientato', 'Non orientato', 'Mutuo'],
    ['Direcionado', 'Não direcionado', 'Mútuo'],
    ['Gericht', 'Ongericht', 'Wederzijds'],
    ['Skierowany', 'Nieskierowany', 'Wzajemny'],
    ['有向', '无向', '双向'],
    ['有向', '無向', '相互']
  ]
  for (const [directed, undirected, mutual] of words) {
    const text = `Source,Target,Type\na,b,${directed}\nb,c,${undirected}\nc,d,${mutual}`
    t.same(
      (await read('csv', text)).content?.edges,
      [
        { source: 'a', target: 'b' },
        { source: 'b', target: 'c', directed: false },
        { source: 'c', target: 'd' },
        { source: 'd', target: 'c' }
      ],
      text
    )
  }
  const { content } = await read('csv', 'Source,Target,Typ\na,b,Gericht\nb,c,Amt')
  t.same(
    content?.edges.map(({ relation }) => relation),
    ['Gericht', 'Amt'],
    'a German word for courts'
  )
})

const encodings: [label: string, hex: string, first: string][] = [
  ['shift_jis', '835c815b83582c835e815b8351836283670a938c8b9e2c91e58de3', '東京'],
  ['gb18030', 'c0b4d4b42cc4bfb1ea0ab1b1bea92cc9cfbaa3', '北京'],
  ['euc-kr', '736f757263652c7461726765740abcadbfef2cbacebbea', '서울'],
  ['big5', 'a8d3b7bd2ca5d8bcd00aa578a55f2cb0aab6af', '台北'],
  ['windows-1251', 'c8f1f2eef7ede8ea2cd6e5ebfc0acceef1eae2e02ccae8e5e2', 'Москва']
]

t.test('files in the encodings of other scripts are refused until their charset is chosen', async (t) => {
  for (const [label, hex, first] of encodings) {
    const bytes = Buffer.from(hex, 'hex')
    const { faults, content } = await read('csv', bytes)
    t.equal(content, undefined, label)
    t.same(
      faults.map(({ code, detail }) => [code, detail.includes('specify its encoding'), detail.includes(label)]),
      [['malformed-encoding', true, true]],
      label
    )
    const chosen = await read('csv', bytes, { charset: label })
    t.same([chosen.content?.nodes[0], chosen.losses], [{ id: first }, {}], label)
  }
})

t.test('Western languages are read as Windows-1252', async (t) => {
  const names = [
    'Größe',
    'Müßiggang',
    '„Öl“',
    'l’été',
    '« É »',
    'Noël',
    '¿Qué',
    'piñón',
    'hääyö',
    'pää',
    'Þórður',
    'þýðing'
  ].concat(['Ærøå', 'São João', 'Águas', '20 °C', '5 €', 'm²', '½', 'W/m²', '© É', 'créée', 'Å Ä Ö'])
  for (const name of names) {
    const bytes = Buffer.from(
      `Source,Target\n${name},b`.replace(/[„“’€]/g, (sign) => WINDOWS[sign] ?? ''),
      'latin1'
    )
    const { content, losses } = await read('csv', bytes)
    t.same([content?.nodes[0], losses['encoding-guessed']], [{ id: name }, 1], name)
  }
})

/** The bytes of characters that are not in Latin-1. */
const WINDOWS: Record<string, string> = { '„': '\x84', '“': '\x93', '’': '\x92', '€': '\x80' }
