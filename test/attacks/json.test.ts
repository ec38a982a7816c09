import t from 'tap'
import { parseGraphBody } from '../../graph/content/body.ts'
import { contentChecker } from '../../graph/content/content.ts'
import { parseJson } from '../../graph/content/json.ts'
import { locate } from '../../graph/content/json-text.ts'
import { LineIndex } from '../../graph/content/lines.ts'
import type { ProblemError } from '../../schemas/problem-catalogue.ts'
import { cpuTime } from '../support/cpu-time.ts'
import { read } from '../support/formats.ts'
import { build, problem } from '../support/helper.ts'

/** Returns the CPU time of the task in milliseconds, as the best of three runs. */
async function timeOf(task: () => unknown) {
  return Math.min(await cpuTime(task), await cpuTime(task), await cpuTime(task))
}

const check = contentChecker({ maxNodes: 100_000, maxEdges: 500_000, bodyLimit: 32 * 1024 * 1024 })

function quietly(task: () => unknown) {
  try {
    return task()
  } catch (error) {
    return error as ProblemError
  }
}

const KEY = '😀'.repeat(2000)
const filled = (start: string, piece: string, end: string) => (bytes: number) =>
  start + piece.repeat((bytes - Buffer.byteLength(start + end)) / piece.length) + end

/** Hostile bodies of any size. In quadratic time, 256 KiB would take several seconds. */
const bodies: Record<string, (bytes: number) => string> = {
  'large numbers under a long name': filled(`{"${KEY}":[`, '1e99,', '1]}'),
  'rounded integers under a long name': filled(`{"${KEY}":[`, '9999999999999999,', '1]}'),
  'numbers out of range under a long name': filled(`{"${KEY}":[`, '1e999,', '1]}'),
  'lone surrogates under a long name': filled(`{"${KEY}":[`, '"\\ud800",', '1]}'),
  'names with lone surrogates': filled(`{"${KEY}":[`, '{"\\ud800":1},', '1]}'),
  'nested long names': filled(`${`{"${'~/%'.repeat(200)}":`.repeat(16)}[`, '1e99,', `1]${'}'.repeat(16)}`),
  'a name with a backslash': filled('{"\\\\":[', '0,', '1]}'),
  'JSON without its end': filled('[', '0,', ''),
  'nodes that are not objects': filled('{"content":{"nodes":[', '0,', '0],"edges":[]}}'),
  'edges without ends': filled('{"content":{"nodes":[],"edges":[', '{},', '{}]}}'),
  'unknown members': filled('{"content":{"nodes":[', '{"id":"a","b":0,"c":0,"d":0},', '{}],"edges":[]}}')
}

for (const [name, body] of Object.entries(bodies)) {
  t.test(`${name}: 256 KiB is parsed and checked in linear time`, async (t) => {
    const bytes = Buffer.from(body(256 * 1024))
    const time = await timeOf(() => quietly(() => parseGraphBody(bytes, check)))
    t.ok(time < 150, `${time} ms`)
  })
}

t.test('a sign-in body of 16 KiB with many large numbers under a long name is parsed quickly', async (t) => {
  const { as } = await build(t)
  const body = Buffer.from((bodies['large numbers under a long name'] as (bytes: number) => string)(16 * 1024 - 1))
  const send = () => as().post('/api/authenticate', body, { 'content-type': 'application/json' })
  t.match(await send(), problem(400, 'validation-failed'))
  const time = await cpuTime(send)
  t.ok(time < 100, `${time} ms`)
})

t.test('faults shorten long names and mark the cut', async (t) => {
  const { as } = await build(t)
  const long = 'é'.repeat(5000)
  const { status, body, text } = await as('ada').post('/api/graphs', { name: 'x', [long]: 1 })
  t.equal(status, 400)
  t.same(body.errors, [
    { pointer: `#/${'%C3%A9'.repeat(99)}%E2%80%A6`, code: 'unknown-field', detail: 'is not a known field' }
  ])
  t.ok(text.length < 4000)

  const names = Array.from({ length: 50 }, (_, index) => `"${'%/~ '.repeat(50)}${index}":1`)
  const nested = `${`{"${long.slice(0, 1000)}":`.repeat(20)}[${'9999999999999999,'.repeat(100)}1]${'}'.repeat(20)}`
  for (const json of [`{${names}}`, nested]) {
    const answer = await as('ada').post('/api/graphs', Buffer.from(json), { 'content-type': 'application/json' })
    t.equal(answer.status, 400)
    t.equal(answer.body.errors.length, 50)
    t.ok(answer.text.length < 80_000, `a body of ${json.length} characters causes a response of ${answer.text.length}`)
  }
  const { circumstances } = quietly(() => parseJson(Buffer.from(nested))) as ProblemError
  t.equal(circumstances.errors?.[0]?.pointer, `#/${'%C3%A9'.repeat(99)}%E2%80%A6/%E2%80%A6`)
})

t.test('a shortened pointer still resolves to its position', async (t) => {
  const long = 'n'.repeat(300)
  const text = JSON.stringify({ graph: { nodes: { a: {}, [long]: { label: 5 } } } }, null, 1)
  const { faults } = await read('jgf', text)
  const places = faults.map(({ line, code }) => [line, code])
  t.same(places, [
    [5, 'too-long'],
    [6, 'wrong-type']
  ])
})

t.test('positions are found in linear time, for many values, pointers or lines', async (t) => {
  for (const [name, text] of [
    ['one line', `{"${KEY}":[${'1,'.repeat(500_000)}1]}`],
    ['many lines', `{"${KEY}":[${'1,\n'.repeat(300_000)}1]}`]
  ] as const) {
    const pointers = Array.from({ length: 50 }, (_, index) => `#/x/${index}`)
    const found = locate(text, pointers)
    t.equal(found.length, 50)
    const time = await timeOf(() => locate(text, pointers))
    t.ok(time < 700, `${name}: ${time} ms`)
    const lines = await timeOf(() => {
      const index = new LineIndex(text)
      for (let round = 0; round < 50; round++) index.position(text.length)
    })
    t.ok(lines < 150, `${name}: ${lines} ms for 50 positions`)
  }
})

t.test('a number that would be rounded is reported with its position, even among exact numbers', async (t) => {
  const text = `{"a":[${'1e99,'.repeat(1000)}9007199254740993,1e99],"\\ud800":"\\udc00","b":1e999}`
  const { circumstances } = quietly(() => parseJson(Buffer.from(text))) as ProblemError
  t.same(circumstances.errors, [
    {
      pointer: '#/a/1000',
      code: 'number-too-large',
      detail: 'is an integer beyond ±(2^53-1) and would be rounded'
    },
    { pointer: '#/%EF%BF%BD', code: 'malformed-unicode', detail: 'has a name with a lone surrogate' },
    { pointer: '#/%EF%BF%BD', code: 'malformed-unicode', detail: 'contains a lone surrogate' },
    { pointer: '#/b', code: 'number-too-large', detail: 'is a number too large to store' }
  ])
})
