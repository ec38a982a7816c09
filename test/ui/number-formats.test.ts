import t from 'tap'
import { metadataAttributes } from '../../picture/model/attributes.ts'
import { formatNumbersIn, textOf, withFormats } from '../../picture/model/formatting.ts'
import { numberFormats } from '../../picture/model/number-formats.ts'
import { colourScale, sizeScale } from '../../picture/model/scales.ts'
import { formatNumber, words } from '../../picture/sheet/english.ts'
import { legendRows } from '../../picture/sheet/legend-rows.ts'
import type { Attribute } from '../../ui/src/graph/network/attributes.ts'
import { matching } from '../../ui/src/graph/tables/order.ts'

// The number formats that a style gives to attributes.

const elements = [
  { metadata: { year: 1900, ['__proto__']: 0.25, name: 'a' } },
  { metadata: { year: 2020, ['__proto__']: 0.5, name: 'b' } }
]
const attributesWith = (formats: Parameters<typeof withFormats>[1]) =>
  withFormats(metadataAttributes(elements), formats)

t.test('a number is written in each format, in the language of the reader', async (t) => {
  t.same(
    numberFormats.map((format) => formatNumber(1234.56789, format)),
    ['1234.56789', '1,234.568', '1,235', '1,234.6', '1,234.57', '1,234.568', '1,234.5679', '123,456.79%']
  )
  const german = formatNumbersIn('de')
  t.same([german(1234.5, 'decimals-2'), german(0.5, 'percent'), german(1234.5)], ['1.234,50', '50\u00a0%', '1.234,5'])
})

t.test('a style gives formats to attributes of numbers, which may be called __proto__', async (t) => {
  const formats = { 'metadata.year': 'grouped', 'metadata.__proto__': 'percent', 'metadata.name': 'percent' } as const
  const [year, share, name] = attributesWith(formats)
  t.same([year?.format, share?.format, name?.format], ['grouped', 'percent', undefined])
  t.same(
    attributesWith(JSON.parse('{ "__proto__": "percent", "constructor": "percent" }')).map(({ format }) => format),
    ['plain', 'exact', undefined],
    'attributes without a format keep theirs'
  )
})

t.test('very small and very large numbers have exponents, unless their format is chosen', async (t) => {
  t.same(
    [1.1e-51, -0.0000123456, 0.00009999, 0.0001, 123_456_789e9, 999_999_999_999_999, 0].map((n) => formatNumber(n)),
    ['1.1e-51', '-1.23e-5', '1e-4', '0.0001', '1.23e17', '999,999,999,999,999', '0']
  )
  t.equal(formatNumbersIn('de')(1.1e-51), '1,1e-51')
  t.same([formatNumber(1e-5, 'decimals-2'), formatNumber(1e15, 'plain')], ['0.00', '1000000000000000'])
})

t.test('stored numbers without a format are grouped, with all their decimals, or have exponents', async (t) => {
  const written = (value: number) => formatNumber(value, 'exact')
  t.same([1_234_567.89, 0.000123, 12_000_000, 0.1, -1234.5].map(written), [
    ...['1,234,567.89', '0.000123', '12,000,000', '0.1', '-1,234.5']
  ])
  t.same([0.1 + 0.2, 0.000001234567890123456, 2 ** 53].map(written), [
    ...['0.30000000000000004', '1.234567890123456e-6', '9.007199254740992e15']
  ])
  t.same([1e21, 1e-9, -1e-7, 1e20, 0].map(written), ['1e21', '1e-9', '-1e-7', '1e20', '0'])
  t.equal(formatNumbersIn('de')(1234.5678, 'exact'), '1.234,5678')
  t.equal(formatNumber(0.9999, 'percent'), '99.99%')
})

t.test('the search of a table finds numbers as they are shown', async (t) => {
  const numbers = { key: 'a', title: 'a', isNumber: true, format: 'grouped' } as const
  const values = [1 / 3, 1234, 1.1e-51, undefined]
  const column = { ...numbers, read: (index: number) => values[index] }
  const names = { key: 'b', title: 'b', isNumber: false, read: (index: number) => `Éva 0.33333${index}` }
  const found = (columns: Attribute[], sought: string) =>
    matching(columns, 4, undefined, sought, (value, { format }) => textOf(value, format, formatNumber))
  t.same(
    ['0.333', '0.3333', '1,234', '1234', ' 1.1E-51 ', '0.000', 'undefined', ''].map((sought) =>
      found([column], sought)
    ),
    [[0], [], [1], [1], [2], [], [], [0, 1, 2, 3]]
  )
  t.same(
    ['0.3333', '0.333331', 'éva'].map((sought) => found([column, names], sought)),
    [[0, 1, 2, 3], [1], [0, 1, 2, 3]],
    'text is found in full'
  )
  const exact: Attribute = { ...column, format: 'exact', read: (index) => [1234.5, 0.00001, 1e15, 0.0625][index] }
  t.same(
    ['1234.5', '1,234.5', '234.5', '1e-5', '00001', '1e15', '1000000', '0.0625', '1,2345'].map((sought) =>
      found([exact], sought)
    ),
    [[0], [0], [0], [1], [], [2], [2], [3], []]
  )
  const percent: Attribute = { ...exact, format: 'percent' }
  t.same(
    ['123,450%', '123450', '1234.5', '6.25%', '0.0625'].map((sought) => found([percent], sought)),
    [[0], [0], [], [3], []]
  )
})

t.test('tables, labels and legends use the format', async (t) => {
  const [year, share] = attributesWith({ 'metadata.year': 'grouped', 'metadata.__proto__': 'percent' })
  if (!year || !share) throw new Error('there are no attributes')
  t.equal(textOf(0.25, share.format, formatNumber), '25%')
  t.equal(textOf('0.250', undefined, formatNumber), '0.250')
  t.equal(textOf(1900, year.format, formatNumber), '1,900')
  t.equal(textOf(19_000.12345, 'exact', formatNumber), '19,000.12345')
  t.equal(textOf(19_000.12345, undefined, formatNumber), '19000.12345', 'a number among texts')
  t.equal(textOf(undefined, 'percent', formatNumber), '')
  const rows = legendRows(
    { colour: colourScale(year, 2, () => undefined).legend, size: sizeScale(share, 2, 1, 9).legend },
    undefined,
    words,
    formatNumber,
    1
  )
  t.same(
    rows.map(({ text }) => text),
    ['year', '1,900 (1)', '2,020 (1)', 'Size: __proto__', '50%', '40%', '25%']
  )
})
