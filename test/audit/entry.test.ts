import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { canonical, isCanonical, type Json } from '../../audit/canonical.ts'
import { digestOf, disclose, readDisclosure } from '../../audit/disclosure.ts'
import {
  encodeEntry,
  type OpenEvent,
  openEntry,
  type Parts,
  readEntry,
  SALTS_LENGTH,
  type SealedEvent,
  sealEvent,
  sealText
} from '../../audit/entry.ts'
import { hashLeaf } from '../../audit/tree.ts'

// Canonical JSON, disclosures and audit entries, compared with the examples in their standards and an entry made by
// another program.

const known = JSON.parse(readFileSync(join(import.meta.dirname, '../known-answers/known-answers.json'), 'utf8'))

const refusal = { name: 'EntryError' }

const event = {
  id: 1235,
  time: '2026-11-23T12:00:00.000Z',
  type: 'GRAPH_UPDATED',
  outcome: 'SUCCESS',
  target: { type: 'GRAPH', id: 235, version: 2 },
  principal: 'ada',
  request: {
    id: 'r-1',
    ip: '127.0.0.1',
    userAgent: 'curl/8.5.0',
    method: 'PUT',
    route: '/api/graphs',
    token: { id: 3, name: 'nightly' }
  },
  name: 'Les Misérables',
  data: { 'name.old': 'Les Mis', 'name.new': 'Les Misérables' }
}

/** The bytes 1 to 48. */
const salts = Uint8Array.from({ length: SALTS_LENGTH }, (_, index) => index + 1)

// Computed from the event and salts with Python's json, hashlib and base64.
const KNOWN_DISCLOSURES = {
  details:
    'WyJBUUlEQkFVR0J3Z0pDZ3NNRFE0UEVBIiwiZGV0YWlscyIseyJkYXRhIjp7Im5hbWUubmV3IjoiTGVzIE1pc8OpcmFibGVzIiwibmFtZS5vbGQiOiJMZXMgTWlzIn0sIm5hbWUiOiJMZXMgTWlzw6lyYWJsZXMifV0',
  principal: 'WyJFUklURkJVV0Z4Z1pHaHNjSFI0ZklBIiwicHJpbmNpcGFsIiwiYWRhIl0',
  request:
    'WyJJU0lqSkNVbUp5Z3BLaXNzTFM0dk1BIiwicmVxdWVzdCIseyJpZCI6InItMSIsImlwIjoiMTI3LjAuMC4xIiwibWV0aG9kIjoiUFVUIiwicm91dGUiOiIvYXBpL2dyYXBocyIsInRva2VuIjp7ImlkIjozLCJuYW1lIjoibmlnaHRseSJ9LCJ1c2VyQWdlbnQiOiJjdXJsLzguNS4wIn1d'
}
const KNOWN_ENTRY =
  '{"id":1235,"outcome":"SUCCESS","sealed":{"details":"5lH2r6hTwdQLLZpaKe4vmeZsfsFdrJfIJvBT4qksZtE","principal":"YNH3bZrORaLjDvX8o6m135rzksZCwy-BfUnwgzqoEbI","request":"BTBAF36wrCtAoRNTTxPTRaqlELY2au6yAkk20PDXsmc"},"target":{"id":235,"type":"GRAPH","version":2},"time":"2026-11-23T12:00:00.000Z","type":"GRAPH_UPDATED","v":1}'
const KNOWN_LEAF = '77a5ef3eca24f6c01dbb61ff769ad251d0eca09915af25acc64ffe8457a747c3'

const encode = (text: string) => Buffer.from(text).toString('base64url')

t.test('the examples in RFC 8785 have the canonical text given there', async (t) => {
  const example = String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`
  const text = String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`
  t.equal(canonical(JSON.parse(example)), text)
  const names = ['\r', '1', '\u0080', 'ö', '€', '\ud83d\ude00', '\ufb33']
  const object = Object.fromEntries(names.toReversed().map((name) => [name, 0]))
  t.same(Object.keys(JSON.parse(canonical(object))).sort(), names)
  t.equal(canonical(object), `{${names.map((name) => `${JSON.stringify(name)}:0`).join()}}`)
  const numbers: [number, string][] = [
    [-0, '0'],
    [5e-324, '5e-324'],
    [-1.7976931348623157e308, '-1.7976931348623157e+308'],
    [9007199254740992, '9007199254740992'],
    [295147905179352830000, '295147905179352830000'],
    [1e21, '1e+21'],
    [9.999999999999997e22, '9.999999999999997e+22'],
    [0.000001, '0.000001'],
    [1e-7, '1e-7'],
    [333333333.3333332, '333333333.3333332']
  ]
  for (const [number, text] of numbers) t.equal(canonical(number), text)
})

t.test('canonical JSON round-trips, whatever the order of members', async (t) => {
  // JSON.parse keeps a member named __proto__; an assignment would lose it.
  const values = fc.jsonValue({ maxDepth: 6 }).map((value) => JSON.parse(JSON.stringify(value)) as Json)
  const turned = (value: Json): Json => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(turned)
    return Object.fromEntries(
      Object.entries(value)
        .toReversed()
        .map(([name, member]) => [name, turned(member)])
    )
  }
  let different = 0
  fc.assert(
    fc.property(values, (value) => {
      const text = canonical(value)
      const isSame = canonical(turned(value)) === text && isDeepStrictEqual(JSON.parse(text), value)
      if (!isSame) different++
    }),
    { numRuns: 300 }
  )
  t.equal(different, 0)
  t.equal(canonical(JSON.parse('{"b":1,"__proto__":{"d":1,"c":2}}')), '{"__proto__":{"c":2,"d":1},"b":1}')
})

t.test('only text that canonical() would write is canonical', async (t) => {
  const good = [
    ...['{"a":1,"b":2}', '{"10":1,"9":2}', '{"\u20ac":1,"\ufb33":2}', '{"__proto__":{"a":1,"b":2}}', '{"toJSON":1}'],
    ...['0', '1e+21', '"\\\\ud800"', '"\ufffd"', '"/"', '"\u2028"', '[[],{}]']
  ]
  const wrong = [
    ...['{"b":1,"a":2}', '{"a":1,"a":1}', '{"9":1,"10":2}', '{"__proto__":{"b":1,"a":2}}', '-0', '1.0', '1e21'],
    ...['"\\u0061"', '"\\ud800"', '"\\/"', ' 1', '[1, 2]']
  ]
  for (const text of good) t.equal(isCanonical(text, JSON.parse(text)), true, text)
  for (const text of wrong) t.equal(isCanonical(text, JSON.parse(text)), false, text)
  const values = fc.json({ maxDepth: 4, stringUnit: 'binary' })
  fc.assert(
    fc.property(values, (text) => isCanonical(text, JSON.parse(text)) === (canonical(JSON.parse(text)) === text)),
    { numRuns: 500 }
  )
})

t.test('values that JSON lacks are refused, and a lone surrogate becomes U+FFFD', async (t) => {
  const wrong = [Number.NaN, Number.POSITIVE_INFINITY, undefined, 1n, Symbol(), () => 1, [undefined], { a: undefined }]
  for (const value of wrong) t.throws(() => canonical(value as unknown as Json), TypeError)
  t.throws(() => canonical({ '\ud800': 1 }), /member name is not valid Unicode/)
  t.equal(canonical(['\ud83d', 'a\udc00b', '\ud83d\ude00']), '["\ufffd","a\ufffdb","\ud83d\ude00"]')
  const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as Json
  t.equal(canonical(nested(33)).length, 66)
  t.throws(() => canonical(nested(34)), /levels deep/)
  t.throws(() => canonical(nested(5000)), /levels deep/)
})

t.test('the example in RFC 9901 has the digest given there', async (t) => {
  t.equal(digestOf(known.disclosure.disclosure), known.disclosure.digest)
})

t.test('an entry and its disclosures match those of another program', async (t) => {
  const { bytes, disclosures } = sealEvent(event, salts)
  t.equal(bytes.toString(), KNOWN_ENTRY)
  t.equal(hashLeaf(bytes).toString('hex'), KNOWN_LEAF)
  t.same(disclosures, KNOWN_DISCLOSURES)
  t.same(openEntry(bytes, Object.values(KNOWN_DISCLOSURES)), event)
})

t.test('an event without target, request and name can be sealed', async (t) => {
  const { target: _, ...others } = event
  const bare = { ...others, request: null, name: null, data: {} }
  const { bytes, disclosures } = sealEvent(bare, randomBytes(SALTS_LENGTH))
  t.same(Object.keys(disclosures), ['details', 'principal', 'request'])
  t.same(openEntry(bytes, Object.values(disclosures)), bare)
  t.notOk(bytes.includes('target'))
  const { version: _version, ...target } = event.target
  t.same(readEntry(sealEvent({ ...bare, target }, salts).bytes).target, target)
})

t.test('an entry reveals nothing about its sealed parts, and differs with each salt', async (t) => {
  const [one, other] = [sealEvent(event, randomBytes(SALTS_LENGTH)), sealEvent(event, randomBytes(SALTS_LENGTH))]
  for (const secret of ['ada', 'curl', '127.0.0.1', 'nightly', 'Les Mis']) {
    t.notOk(one.bytes.includes(secret), secret)
  }
  const [a, b] = [readEntry(one.bytes), readEntry(other.bytes)]
  for (const part of ['details', 'principal', 'request'] as const) t.not(a.sealed[part], b.sealed[part], part)
  t.same({ ...a, sealed: null }, { ...b, sealed: null })
})

t.test('an entry shows only the disclosed parts', async (t) => {
  const { bytes, disclosures } = sealEvent(event, salts)
  const { principal, request, name, data, ...open } = event
  t.same(openEntry(bytes, []), open)
  t.same(openEntry(bytes, [disclosures.principal ?? '']), { ...open, principal })
  t.same(openEntry(bytes, [disclosures.request ?? '']), { ...open, request })
  t.same(openEntry(bytes, [disclosures.details ?? '']), { ...open, name, data })
})

t.test('an event with erased parts keeps its entry', async (t) => {
  const { bytes, disclosures } = sealEvent(event, salts)
  const { details, principal } = readEntry(bytes).sealed
  const zeroed = Buffer.concat([Buffer.alloc(32), salts.subarray(32)])
  const erased = { ...event, principal: '', name: null, data: {} }
  const again = sealEvent(erased, zeroed, { details, principal })
  t.same(again.bytes, bytes)
  t.same(again.disclosures, { request: disclosures.request })
  t.throws(() => sealEvent(erased, zeroed, { details }), /the salt was erased/, 'a missing digest is an error')
  t.throws(() => sealEvent(event, salts.subarray(1)), /48 bytes/)
})

t.test('a disclosure for another entry, part or value is refused', async (t) => {
  const { bytes } = sealEvent(event, salts)
  const own = (name: string, value: Json) => disclose(salts.subarray(16, 32), name, value)
  t.equal(openEntry(bytes, [own('principal', 'ada')]).principal, 'ada')
  for (const wrong of [
    own('principal', 'bob'),
    own('request', 'ada'),
    own('details', 'ada'),
    own('id', 'ada'),
    own('__proto__', 'ada'),
    own('constructor', 'ada'),
    disclose(salts.subarray(0, 16), 'principal', 'ada'),
    sealEvent(event, randomBytes(SALTS_LENGTH)).disclosures.principal ?? ''
  ]) {
    t.throws(() => openEntry(bytes, [wrong]), { ...refusal, message: /does not belong to this entry/ })
  }
})

t.test('a value that does not fit its part is refused even if its digest is right', async (t) => {
  const values: [keyof Parts<Json>, Json][] = [
    ['principal', 1],
    ['principal', null],
    ['request', []],
    ['request', 'x'],
    ['details', null],
    ['details', { data: {} }],
    ['details', { data: [], name: null }],
    ['details', { data: {}, name: 1 }],
    ['details', { data: {}, name: null, more: 1 }]
  ]
  for (const [part, value] of values) {
    const disclosure = disclose(salts.subarray(0, 16), part, value)
    const entry = readEntry(Buffer.from(KNOWN_ENTRY))
    const bytes = encodeEntry({ ...entry, sealed: { ...entry.sealed, [part]: digestOf(disclosure) } })
    t.throws(() => openEntry(bytes, [disclosure]), { ...refusal, message: `the disclosure does not show ${part}` })
  }
})

t.test('malformed disclosures are refused', async (t) => {
  const good = disclose(salts.subarray(0, 16), 'principal', 'ada')
  t.same(readDisclosure(good), { salt: Buffer.from(salts.subarray(0, 16)), name: 'principal', value: 'ada' })
  const salt = Buffer.from(salts.subarray(0, 16)).toString('base64url')
  for (const wrong of [
    '',
    `${good}=`,
    `${good}\n`,
    good.slice(0, -1),
    known.disclosure.disclosure,
    encode('null'),
    encode('{}'),
    encode(`["${salt}","principal"]`),
    encode(`["${salt}","principal","ada",1]`),
    encode(`["${salt}",1,"ada"]`),
    encode(`[1,"principal","ada"]`),
    encode(`["${salt}", "principal","ada"]`),
    encode(`["${salt}","request",{"a":1,"a":2}]`),
    encode(`["${salt}","request",{"b":1,"a":2}]`),
    encode(`["${salt}","principal","\\u0061da"]`),
    encode(`["${salt}","principal","\\ud800"]`),
    encode(`["${salt}","request",1e999]`),
    encode(`["${salt.slice(0, -1)}B","principal","ada"]`),
    encode(`["${salt}AA","principal","ada"]`),
    encode(`["${'['.repeat(100_000)}`),
    encode(`["${salt}","request",${'['.repeat(100_000)}${']'.repeat(100_000)}]`),
    Buffer.concat([Buffer.from(`["${salt}","principal","`), Buffer.of(0xff), Buffer.from('"]')]).toString('base64url')
  ]) {
    t.throws(() => readDisclosure(wrong), refusal, wrong.slice(0, 100))
  }
  const zeros = Buffer.alloc(16)
  t.throws(() => disclose(zeros, 'principal', 'ada'), /erased/)
  t.throws(() => disclose(salts, 'principal', 'ada'), /16 bytes/)
  t.throws(() => readDisclosure(encode(`["${zeros.toString('base64url')}","principal","ada"]`)), refusal)
})

t.test('only bytes that version 1 would have written are an entry', async (t) => {
  const changed = (from: string | RegExp, to: string) => KNOWN_ENTRY.replace(from, to)
  t.same(encodeEntry(readEntry(Buffer.from(KNOWN_ENTRY))).toString(), KNOWN_ENTRY)
  for (const wrong of [
    '',
    'null',
    '[]',
    '{}',
    ` ${KNOWN_ENTRY}`,
    `${KNOWN_ENTRY}\n`,
    `\ufeff${KNOWN_ENTRY}`,
    changed('"v":1', '"v":2'),
    changed(',"v":1', ''),
    changed('"v":1', '"v":1,"w":1'),
    changed('"v":1', '"v":1,"v":1'),
    changed('"v":1', '"v":1.0'),
    changed('{"id":1235', '{"id":"1235"'),
    changed('{"id":1235', '{"id":0'),
    changed('{"id":1235', '{"id":9007199254740993'),
    changed('{"id":1235', '{"id":9007199254740992'),
    changed('{"id":1235', '{"id":1.5'),
    changed('"SUCCESS"', 'null'),
    changed('"GRAPH_UPDATED"', '1'),
    changed('"2026-11-23T12:00:00.000Z"', '{}'),
    changed(/"principal":"[^"]+",/, ''),
    changed(/"principal":"./, '"principal":"'),
    changed(/"principal":"./, '"principal":"='),
    changed('"principal"', '"people"'),
    changed(/"sealed":\{[^}]+\}/, '"sealed":null'),
    changed(/"target":\{[^}]+\}/, '"target":null'),
    changed('"version":2', '"version":null'),
    changed('"version":2', '"version":-1'),
    changed('"version":2', '"version":2,"x":1'),
    changed('{"id":235', '{"id":null'),
    changed('"type":"GRAPH"', '"type":1')
  ]) {
    t.throws(() => readEntry(Buffer.from(wrong)), refusal, wrong)
  }
})

t.test('a disclosure with any bit flipped is refused', async (t) => {
  const { bytes, disclosures } = sealEvent(event, salts)
  const disclosure = Buffer.from(disclosures.principal ?? '')
  const accepted: number[] = []
  for (let bit = 0; bit < disclosure.length * 8; bit++) {
    const wrong = Buffer.from(disclosure)
    wrong[bit >> 3] = (wrong[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    try {
      openEntry(bytes, [wrong.toString('latin1')])
      accepted.push(bit)
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'EntryError') throw error
    }
  }
  t.same(accepted, [])
})

/** Returns canonical JSON, following RFC 8785 to the letter, regardless of speed. */
function plainCanonical(value: Json): string {
  if (typeof value === 'string') return JSON.stringify(value.toWellFormed())
  if (Array.isArray(value)) return `[${value.map(plainCanonical)}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${plainCanonical(member)}`)}}`
}

/** Returns the entry and the disclosures of an event, following the definition to the letter, regardless of speed. */
function plainSealing({ id, time, type, outcome, target, ...event }: OpenEvent & SealedEvent, salts: Uint8Array) {
  const { principal, request, name, data } = event
  const [details, caller, cause] = Object.entries({ details: { data, name }, principal, request }).map(
    ([part, value], at) =>
      encode(plainCanonical([Buffer.from(salts.slice(at * 16, at * 16 + 16)).toString('base64url'), part, value]))
  ) as [string, string, string]
  const digest = (text: string) => createHash('sha256').update(text, 'ascii').digest('base64url')
  const sealed = { details: digest(details), principal: digest(caller), request: digest(cause) }
  const open = { id, time, type, outcome, sealed, v: 1, ...(target && { target: { ...target } }) }
  return { text: plainCanonical(open as unknown as Json), disclosures: { details, principal: caller, request: cause } }
}

t.test('thousands of unusual events have the defined entry and disclosures, and can be opened again', async (t) => {
  const odd = [...'"\\\0\n\u001f\u007f\u2028é€\ufb33\uffff\ud83d\ude009/', '\\ud800', '10']
  const text = (pieces: string[]) => fc.array(fc.constantFrom(...pieces), { maxLength: 5 }).map((all) => all.join(''))
  // After an object with the name "\\", JSON.parse in Node.js 26 may read "\n" as that name.
  const names = fc.oneof(
    text(odd.filter((piece) => !piece.startsWith('\\'))),
    fc.constantFrom('__proto__', 'toJSON', 'length', '0', '9', '10', '4294967295', '-1', 'name.old', 'name.new', 'a\\b')
  )
  const words = fc.oneof(text(['x', 'Les Misérables', ...odd, '\ud83d', '\udc00']), fc.constant('€'.repeat(2048)))
  const count = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }))
  const members = (value: fc.Arbitrary<Json>) =>
    fc.array(fc.tuple(names, value), { maxLength: 24 }).map((all) => Object.fromEntries(all))
  const token = fc.record({ id: count, name: words })
  const request = fc.record({ token, userAgent: words, id: words, ip: words }, { requiredKeys: ['id'] })
  const events = fc.record(
    {
      ...{ id: count, time: words, type: words, outcome: words, principal: words },
      target: fc.record({ version: count, type: words, id: count }, { requiredKeys: ['type', 'id'] }),
      request: fc.option(fc.oneof(request, members(fc.oneof(words, token)))),
      ...{ name: fc.option(words), data: members(words) }
    },
    { requiredKeys: ['id', 'time', 'type', 'outcome', 'principal', 'request', 'name', 'data'] }
  ) as fc.Arbitrary<OpenEvent & SealedEvent>
  const salt = fc.uint8Array({ minLength: SALTS_LENGTH, maxLength: SALTS_LENGTH, min: 1 })
  fc.assert(
    fc.property(events, salt, (event, salts) => {
      const expected = plainSealing(event, salts)
      const { bytes, disclosures } = sealEvent(event, salts)
      return (
        isDeepStrictEqual(sealText(event, salts), expected) &&
        isDeepStrictEqual(disclosures, expected.disclosures) &&
        bytes.equals(Buffer.from(expected.text)) &&
        canonical(openEntry(bytes, Object.values(disclosures)) as unknown as Json) ===
          canonical(event as unknown as Json)
      )
    }),
    { numRuns: 3000 }
  )
  t.same(sealText(event, salts), plainSealing(event, salts))
})

t.test('members are in the order of RFC 8785, even where JavaScript has another order', async (t) => {
  const request = JSON.parse('{"9":"a","10":"b","__proto__":"c","\ufb33":"d","\ud83d\ude00":"e","":"f","toJSON":"g"}')
  const text = '{"":"f","10":"b","9":"a","__proto__":"c","toJSON":"g","\ud83d\ude00":"e","\ufb33":"d"}'
  t.equal(canonical(request), text)
  const { disclosures } = sealText({ ...event, request, data: request }, salts)
  t.equal(disclosures.request, encode(`["ISIjJCUmJygpKissLS4vMA","request",${text}]`))
  t.equal(disclosures.details, encode(`["AQIDBAUGBwgJCgsMDQ4PEA","details",{"data":${text},"name":"Les Misérables"}]`))
  const many = Array.from({ length: 30 }, (_, index) => String((index * 7) % 30))
  for (const length of [2, 15, 16, 17, 30]) {
    const names = many.slice(0, length)
    const members = names.toSorted().map((name) => `"${name}":0`)
    t.equal(canonical(Object.fromEntries(names.map((name) => [name, 0]))), `{${members}}`, `${length} members`)
  }
})

t.test('strings of any length are sealed in full', async (t) => {
  for (const length of [0, 2000, 2047, 2048, 2049, 6144, 100_000]) {
    for (const letter of ['x', 'é', '€', '\ud83d\ude00', '"']) {
      const long = { ...event, principal: letter.repeat(length) }
      t.same(sealText(long, salts), plainSealing(long, salts), `${length} of ${letter}`)
    }
  }
})

t.test('a part is refused only if its disclosure is nested too deeply to be read again', async (t) => {
  const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}"x"${'}'.repeat(levels)}`)
  const deep = { ...event, request: nested(31), data: nested(30) }
  const { bytes, disclosures } = sealEvent(deep, salts)
  t.same(openEntry(bytes, Object.values(disclosures)), deep)
  t.throws(() => sealEvent({ ...event, request: nested(32) }, salts), /levels deep/)
  t.throws(() => sealEvent({ ...event, data: nested(31) }, salts), /levels deep/)
})
