import fc from 'fast-check'
import t from 'tap'
import { jsonValue, parseJson, toJson } from '../../graph/content/json.ts'
import { locate, memberNames, walkJson } from '../../graph/content/json-text.ts'
import { LineIndex } from '../../graph/content/lines.ts'
import { pointerTo } from '../../graph/content/pointers.ts'

t.test('output of JSON.stringify is read back unchanged', async (t) => {
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

t.test('walkJson accepts the same input as JSON.parse', async (t) => {
  const pieces = ['[', ']', '{', '}', ',', ':', '"a"', '"\\u00e9"', '"\\x"', '"', ' ', '\n', '\u00a0']
  const numbersAndWords = ['1', '-0.5e3', '01', '-', '.5', 'true', 'nul']
  const texts = fc
    .array(fc.constantFrom(...pieces, ...numbersAndWords), { maxLength: 9 })
    .map((parts) => parts.join(''))
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
  t.ok(good > 20, `${good} inputs were valid JSON`)
})

t.test('a pointer resolves to its position, or to the closest existing one', async (t) => {
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
  t.match(
    found,
    places.map(([, line, column]) => ({ line, column }))
  )
  t.equal(found[6]?.pointer, '#/a/1', 'a missing position is reported as the closest existing one')
})

t.test('pointers are URI fragments', async (t) => {
  t.equal(pointerTo([]), '#')
  t.equal(pointerTo(['a/b', 'm~n', 0, ' "<é#[\ud800']), '#/a~1b/m~0n/0/%20%22%3C%C3%A9%23%5B%EF%BF%BD')
})

t.test('columns count characters; lines end with LF, CR or CRLF', async (t) => {
  t.same(new LineIndex('ab').position(1), { line: 1, column: 2 })
  t.same(new LineIndex('🜁🜁x').position(4), { line: 1, column: 3 })
  const lines = new LineIndex('a\nb\r\nc\rd')
  const places = [0, 1, 2, 3, 5, 7].map((offset) => Object.values(lines.position(offset)).join())
  t.same(places, ['1,1', '1,2', '2,1', '2,2', '3,1', '4,1'])
})

t.test('names with escapes are read correctly whatever was parsed before', async (t) => {
  // V8 14 mistakes the second name of the second text for that of the first.
  const texts = [
    { a: 1, '\\"': 2 },
    { a: 1, '""': [{ a: 1, '""': 3 }], n: -1.5e3, s: 'x\ny', b: [true, null, {}] }
  ]
  for (const value of [...texts, ...texts])
    t.equal(JSON.stringify(jsonValue(JSON.stringify(value))), JSON.stringify(value))
  const proto = '{"a":1,"\\"\\"":{"__proto__":5}}'
  t.equal(JSON.stringify(jsonValue(proto)), proto)
})

t.test('member names keep their order and duplicates', async (t) => {
  const text =
    '{"a":[1,{"nodes":{"x":1}},{"nodes":{"5":{"q":1},"2":{},"5":[{"z":1}],"__proto__":3}}],"graph":{"k":{"nodes":{"no":1}},"nodes":{"b":{"nodes":{"u":1}},"a\\"":2}}}'
  t.same(memberNames(text, ['a', 2, 'nodes']), ['5', '2', '5', '__proto__'])
  t.same(memberNames(text, ['graph', 'nodes']), ['b', 'a"'])
  t.same(memberNames(text, []), ['a', 'graph'])
  t.same(memberNames(text, ['a', 1, 'nodes']), ['x'])
  t.same(memberNames(text, ['a', 0]), [])
  t.same(memberNames(text, ['none']), [])
})

t.test('integers beyond 2^53 are written in a form that can be read again', async (t) => {
  const value = {
    a: [2 ** 53, -(2 ** 60), 1e20, 1e21, 2 ** 53 - 1, 0.1234567890123456],
    text: ',12345678901234567890]'
  }
  t.same(parseJson(Buffer.from(toJson(value))), value)
  t.match(toJson(value), '9.007199254740992e+15')
})

t.test('a byte order mark is skipped', async (t) => {
  t.same(parseJson(Buffer.from('\uFEFF{"a":1}')), { a: 1 })
})

t.test('brackets and commas in strings are ignored', async (t) => {
  const text = JSON.stringify({ a: '[{'.repeat(1000), b: ',"\\'.repeat(20_000) })
  t.same(parseJson(Buffer.from(text)), JSON.parse(text))
})

t.test('an object with too many members is refused before it is parsed', async (t) => {
  const object = (count: number) => `{${Array.from({ length: count }, (_, index) => `"${index}":0`).join()}}`
  t.equal(Object.keys(parseJson(Buffer.from(object(10_000))) as object).length, 10_000)
  t.throws(() => parseJson(Buffer.from(object(10_001))), { code: 'malformed-json', message: /10000 members/ })
  t.ok(parseJson(Buffer.from(object(10_001)), { members: 20_000 }))
  t.ok(parseJson(Buffer.from(`[${object(9000)},${object(9000)}]`)), 'the limit is per object')
})

t.test('an integer that would be rounded is refused, and a large floating-point number is not', async (t) => {
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
