import t from 'tap'
import { metadataAttributes } from '../../picture/model/attributes.ts'
import { colourScale, sizeScale } from '../../picture/model/scales.ts'
import { formatNumber, words } from '../../picture/sheet/english.ts'
import { legendRows } from '../../picture/sheet/legend-rows.ts'
import { textOf } from '../../ui/src/graph/network/format-value.ts'

// Years, which are recognised by the name of their attribute or by their range, and have no thousands separators.

const attributesOf = (name: string, values: unknown[]) =>
  metadataAttributes(values.map((value) => ({ metadata: { [name]: value } })))
const attributeOf = (name: string, ...values: unknown[]) => {
  const [attribute] = attributesOf(name, values)
  if (!attribute) throw new Error('there is no attribute')
  return attribute
}
const isPlain = (name: string, ...values: unknown[]) => attributeOf(name, ...values).format === 'plain'

t.test('integers are years if the attribute is called so, or if all of them are in the range of years', async (t) => {
  for (const name of ['year', 'birthYear', 'Erscheinungsjahr', 'année', 'anno', 'start_rok', 'Año']) {
    t.equal(isPlain(name, -44, 476, 2024, 2999), true, name)
  }
  t.equal(isPlain('piano', 476, 2024), false)
  t.equal(isPlain('born', 1000, 2200), true)
  t.equal(isPlain('born', 999, 2000), false)
  t.equal(isPlain('born', 2000, 2201), false)
  t.equal(isPlain('year', 10_000), false)
  t.equal(isPlain('year', 2024.5, 2025), false)
  t.equal(isPlain('year', 2024, 'unknown'), false)
})

t.test('integers are plain if the attribute is called like an identifier', async (t) => {
  for (const name of ['id', 'person_id', 'personId', 'ZIP', 'zipcode', 'postcode', 'PLZ', 'country code', 'phone']) {
    t.equal(isPlain(name, 10_115, 80_331), true, name)
  }
  for (const name of ['paid', 'PAID', 'decode', 'monkey', 'people']) t.equal(isPlain(name, 10_115, 80_331), false, name)
  t.equal(isPlain('id', 0.5, 10_115), false)
})

t.test('tables and legends show years in one piece, and other numbers with separators', async (t) => {
  const [born, people] = [attributeOf('born', 1848, 2024), attributeOf('people', 900, 2024)]
  t.equal(textOf(2024, born), '2024')
  t.equal(textOf(2024, people), '2,024')
  const rows = (attribute: typeof born) =>
    legendRows(
      {
        colour: colourScale({ ...attribute, isAmount: true }, 2, () => undefined).legend,
        size: sizeScale(attribute, 2, 1, 9).legend
      },
      undefined,
      words,
      formatNumber,
      1
    ).map(({ text }) => text)
  t.same(rows(born), ['born', '', '1848 to 2024', 'Size: born', '2024', '1900', '1848'])
  t.same(rows(people), ['people', '', '900 to 2,024', 'Size: people', '2,024', '1,500', '900'])
})
