import t from 'tap'
import { read } from '../support/formats.ts'

// Numbers, words and encodings of many countries in tables.

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
      faults.map(({ code, detail }) => [code, detail.includes('specify its charset'), detail.includes(label)]),
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

/** The bytes of characters that Latin-1 does not have. */
const WINDOWS: Record<string, string> = { '„': '\x84', '“': '\x93', '’': '\x92', '€': '\x80' }
