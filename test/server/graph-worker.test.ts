import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { jsonOf } from '../../graph/content/content.ts'
import { writableFormatNamed } from '../../graph/formats/index.ts'
import type { WritableFormat } from '../../graph/formats/shared/format.ts'
import { GraphWorker } from '../../graph/jobs/worker.ts'
import type { PreparedContent } from '../../schemas/graph-content.ts'
import { startThread } from '../../src/system/assets.ts'
import { build, problem } from '../support/helper.ts'

const limits = { maxNodes: 100_000, maxEdges: 500_000, bodyLimit: 32 * 1024 * 1024 }
// Long enough for a busy machine.
t.setTimeout(120_000)

function readerOf(t: Test, memory?: number) {
  const reader = new GraphWorker(limits, { startThread, ...(memory !== undefined && { memory }) })
  t.teardown(() => reader.close())
  return (body: unknown) => reader.readBody(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))
}

/** Creates content with this many nodes, each about 60 bytes of JSON. */
function content(count: number) {
  const label = 'a label, and not a short one'
  const nodes = Array.from({ length: count }, (_, index) => ({ id: `n${index}`, label, x: index }))
  return { directed: true, nodes, edges: [{ source: 'n0', target: `n${count - 1}` }] }
}

/** Counts the turns of the event loop during a task. Returns the task's result. */
async function turnsDuring<T>(task: () => Promise<T>): Promise<{ turns: number; result: T }> {
  let turns = 0
  let isDone = false
  const turn = () => {
    turns++
    if (!isDone) setImmediate(turn)
  }
  turn()
  const result = await task()
  isDone = true
  return { turns, result }
}

t.test('small and large bodies are read the same way', async (t) => {
  const read = readerOf(t)
  for (const count of [2, 60, 1000, 20_000]) {
    const sent = { name: 'x', content: content(count) }
    const body = (await read(sent)) as { name: string; content: PreparedContent }
    t.equal(body.name, 'x')
    t.same(body.content.faults, [])
    t.match(body.content.stored, { nodeCount: count, edgeCount: 1, body: count <= 60 ? String : Buffer })
    if (!body.content.stored) continue
    const json = await jsonOf(body.content.stored.body)
    t.ok(json.toString() === JSON.stringify(sent.content), `${json.length} bytes, the text is identical`)
    t.equal(body.content.stored.hash, createHash('sha256').update(json).digest('hex'))
  }
})

t.test('faults of small and large bodies are reported the same way', async (t) => {
  const read = readerOf(t)
  for (const count of [10, 20_000]) {
    const bad = { content: { ...content(count), edges: [{ source: 'n0', target: 'missing' }] } }
    const { faults, stored } = ((await read(bad)) as { content: PreparedContent }).content
    t.match(faults, [{ pointer: '#/edges/0/target', code: 'unknown-node' }])
    t.equal(stored, undefined)
    await t.rejects(read(`${JSON.stringify(content(count))}x`), { name: 'ProblemError', code: 'malformed-json' })
    const circumstances = { errors: [{ pointer: '#/n', code: 'malformed-unicode' }] }
    await t.rejects(read({ ...content(count), n: '\ud800' }), { code: 'validation-failed', circumstances })
    t.match(await read('{"content":null}'.padEnd(count * 50)), { content: null })
    t.match(await read('[1]'.padEnd(count * 50)), Array)
  }
})

t.test('each of many concurrent large bodies gets its own response', async (t) => {
  const read = readerOf(t)
  const counts = [9000, 5000, 7000, 6000, 8000]
  const bodies = await Promise.all(counts.map((count) => read({ content: content(count) })))
  const counted = bodies.map((body) => (body as { content: PreparedContent }).content.stored?.nodeCount)
  t.same(counted, counts)
})

t.test('reading a large body does not block the event loop', async (t) => {
  const read = readerOf(t)
  const { turns } = await turnsDuring(() => read({ content: content(50_000) }))
  t.ok(turns > 100, `${turns} turns`)
})

t.test('a body that takes too much memory ends the worker, but not the server', async (t) => {
  // The small job gets half of this memory, and on a busy machine it may still be running when memory is checked.
  const read = readerOf(t, 128)
  await t.rejects(read({ content: content(1_000_000) }), { code: 'file-too-complex' })
  t.match(await read({ content: content(5000) }), { content: { stored: { nodeCount: 5000 } } }, 'the next body is read')
})

t.test('a small file with a large graph is also read in a thread', async (t) => {
  const worker = new GraphWorker(limits, { startThread })
  t.teardown(() => worker.close())
  const each = (letter: string) => Array.from({ length: 400 }, (_, index) => `${letter}${index}`).join(' ')
  const defaults = Array.from({ length: 80 }, (_, index) => `a${index}=1`).join(' ')
  const files: [string, number, number][] = [
    [`digraph { {${each('a')}} -> {${each('b')}} }`, 800, 160_000],
    [`digraph { node [${defaults}] ${each('n')} }`, 400, 0],
    ['*Vertices 100000', 100_000, 0]
  ]
  for (const [text, nodeCount, edgeCount] of files) {
    const { turns, result } = await turnsDuring(() => worker.readFile(Buffer.from(text), {}))
    const { report } = result
    t.match(report, { valid: true, nodeCount, edgeCount })
    t.ok(turns > 100, `${turns} turns of the event loop in the meantime`)
  }
})

t.test('a small graph that results in a large file is written in a thread', async (t) => {
  const worker = new GraphWorker(limits, { startThread })
  t.teardown(() => worker.close())
  const metadata = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`k${index}`, 1]))
  const edges = Array.from({ length: 440 }, (_, index) => ({
    source: 'a',
    target: 'a',
    ...(index === 0 && { metadata })
  }))
  const body = JSON.stringify({ nodes: [{ id: 'a' }], edges })
  const content = { body, size: body.length }
  const wide = await worker.writeFile({ name: 'Wide' }, content, writableFormatNamed('csv') as WritableFormat)
  t.notOk(Buffer.isBuffer(wide.bytes))
  t.ok((await buffer(wide.bytes as Readable)).length > 500_000)
  const plain = await worker.writeFile({ name: 'Wide' }, content, writableFormatNamed('gml') as WritableFormat)
  t.ok(Buffer.isBuffer(plain.bytes))
})

t.test('closing the worker cancels running and waiting jobs', async (t) => {
  const reader = new GraphWorker(limits, { startThread })
  const outcomes = [1, 2, 3].map((count) =>
    reader.readBody(Buffer.from(JSON.stringify({ content: content(count * 10_000) }))).catch((error) => error.code)
  )
  await reader.close()
  t.same(await Promise.all(outcomes), ['server-busy', 'server-busy', 'server-busy'])
  await t.rejects(reader.readBody(Buffer.from(JSON.stringify({ content: content(10_000) }))), { code: 'server-busy' })
})

t.test('large graphs are imported and exported over HTTP', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  const large = content(20_000)
  const created = await ada.post('/api/graphs', { name: 'large', content: large })
  t.match(created, { status: 201, body: { nodeCount: 20_000 } })
  const fetched = await ada.get('/api/graphs/1')
  t.ok(JSON.stringify(fetched.body.content) === JSON.stringify(large), 'the content is identical')
  const { packed } = await store.read.selectFrom('content').select('packed').executeTakeFirstOrThrow()
  t.ok((packed?.length ?? 0) < JSON.stringify(large).length / 4, `${packed?.length} bytes are stored`)
  const replaced = await ada.put('/api/graphs', { id: 1, name: 'larger', content: content(25_000) })
  const last = { edges: [{ target: 'n24999' }] }
  t.match(replaced, { status: 200, body: { version: 2, nodeCount: 25_000, content: last } })
  const faulty = { ...large, edges: [{ source: 'n0', target: 'missing' }] }
  const faults = [
    { pointer: '#/name', code: 'required' },
    { pointer: '#/nam', code: 'unknown-field' },
    { pointer: '#/content/edges/0/target', code: 'unknown-node' }
  ]
  const refused = await ada.put('/api/graphs', { id: 1, nam: 'x', content: faulty })
  t.match(refused, problem(400, 'validation-failed', faults))
})
