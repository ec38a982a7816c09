import fc from 'fast-check'
import t from 'tap'
import { locate, parseJson, pointerTo, position, walkJson } from '../src/json.ts'

t.test('what JSON.stringify writes is read back the same', async (t) => {
  const value = fc.jsonValue({ maxDepth: 10 }).map((json) => JSON.stringify(json))
  const fits = value.filter((text) => !/(?<![\d.])\d{16,}(?![\d.e])/.test(text))
  const different: string[] = []
  fc.assert(
    fc.property(fits, (text) => {
      if (JSON.stringify(parseJson(Buffer.from(text))) !== text) different.push(text)
    }),
    { numRuns: 500 }
  )
  t.same(different, [])
})

t.test('walkJson agrees with JSON.parse on what is JSON', async (t) => {
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"\\u00e9"',
    '"\\x"',
    '"',
    '1',
    '-0.5e3',
    '01',
    '-',
    '.5',
    'true',
    'nul',
    ' ',
    '\n',
    '\u00a0'
  ]
  const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 9 }).map((parts) => parts.join(''))
  let good = 0
  const different: string[] = []
  fc.assert(
    fc.property(texts, (text) => {
      let isJson = true
      try {
        JSON.parse(text)
        good++
      } catch {
        isJson = false
      }
      if ((walkJson(text) === undefined) !== isJson) different.push(text)
    }),
    { numRuns: 3000 }
  )
  t.same(different, [])
  t.ok(good > 20, `${good} of them were JSON`)
})

t.test('a pointer leads to its place, or to the closest that there is', async (t) => {
  const text = '{\n "a": [\n  1,\r\n  {"b/c~d": 2,\r   "é 🜁": [[]]}\n ]\n}'
  const places: [string, number, number][] = [
    ['#', 1, 1],
    ['#/a', 2, 7],
    ['#/a/0', 3, 3],
    ['#/a/1', 4, 3],
    [pointerTo(['a', 1, 'b/c~d']), 4, 13],
    [pointerTo(['a', 1, 'é 🜁', 0]), 5, 12],
    ['#/a/1/missing/too', 4, 3],
    ['#/x', 1, 1]
  ]
  const found = locate(
    text,
    places.map(([pointer]) => pointer)
  )
  t.same(
    found,
    places.map(([, line, column]) => ({ line, column }))
  )
})

t.test('pointers are URI fragments', async (t) => {
  t.equal(pointerTo([]), '#')
  t.equal(pointerTo(['a/b', 'm~n', 0, ' "<é#[\ud800']), '#/a~1b/m~0n/0/%20%22%3C%C3%A9%23%5B%EF%BF%BD')
})

t.test('columns count characters and lines end in three ways', async (t) => {
  t.same(position('ab', 1), { line: 1, column: 2 })
  t.same(position('🜁🜁x', 4), { line: 1, column: 3 })
  t.same(position('a\nb\r\nc\rd', 7), { line: 4, column: 1 })
})

t.test('a byte order mark is no part of the text', async (t) => {
  t.same(parseJson(Buffer.from('\uFEFF{"a":1}')), { a: 1 })
})

t.test('brackets and commas in strings do not count', async (t) => {
  const text = JSON.stringify({ a: '[{'.repeat(1000), b: ',"\\'.repeat(20_000) })
  t.same(parseJson(Buffer.from(text)), JSON.parse(text))
})

t.test('too many members of one object are refused before they are parsed', async (t) => {
  const object = (count: number) => `{${Array.from({ length: count }, (_, index) => `"${index}":0`).join()}}`
  t.equal(Object.keys(parseJson(Buffer.from(object(10_000))) as object).length, 10_000)
  t.throws(() => parseJson(Buffer.from(object(10_001))), { code: 'malformed-json', message: /10000 members/ })
  t.ok(parseJson(Buffer.from(object(10_001)), { members: 20_000 }))
  t.ok(parseJson(Buffer.from(`[${object(9000)},${object(9000)}]`)), 'each object counts for itself')
})

t.test('an integer that would be rounded is refused, a large double is not', async (t) => {
  const text =
    '{"a":[9007199254740991,-9007199254740991,1e300,-3.5e98,9007199254740993.0,1e16,123456789012345678901234567890e0]}'
  t.same(parseJson(Buffer.from(text)), JSON.parse(text))
  for (const number of ['9007199254740992', '-9007199254740993', '123456789012345678901234567890']) {
    t.throws(() => parseJson(Buffer.from(`{"a":[1e300,${number} ]}`)), {
      code: 'validation-failed',
      circumstances: { errors: [{ pointer: '#/a/1', code: 'number-too-large' }] }
    })
  }
})
