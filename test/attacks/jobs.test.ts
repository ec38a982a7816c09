import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import t, { type Test } from 'tap'
import { prepareContent } from '../../src/content.ts'
import { FairQueue } from '../../src/fair-queue.ts'
import type { Format } from '../../src/formats/format.ts'
import { formatNamed } from '../../src/formats/index.ts'
import { type Content, GraphWorker } from '../../src/graph-worker.ts'
import { JobThread } from '../../src/job-thread.ts'
import { Spool, SpoolBudget } from '../../src/spool.ts'
import { build, problem } from '../helper.ts'

// What is large is the work of threads: whatever happens there, the process goes on, and so do the others.

t.setTimeout(180_000)
const limits = { maxNodes: 100_000, maxEdges: 500_000, bodyLimit: 32 * 1024 * 1024 }

function workerOf(t: Test) {
  const worker = new GraphWorker(limits)
  t.teardown(() => worker.close())
  return worker
}

/** A thread that does what it is told: it runs the text. */
function threadOf(t: Test) {
  const code = `const { parentPort } = require('node:worker_threads'); parentPort.on('message', (text) => eval(text))`
  const free: (() => void)[] = []
  const thread = new JobThread<unknown>(
    () => new Worker(code, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 4096 } }),
    () => free.shift()?.()
  )
  t.teardown(() => thread.end('unwanted'))
  return (job: string, { milliseconds = 60_000, mebibytes = 512 } = {}): Promise<unknown> => {
    const isFree = new Promise<void>((resolve) => free.push(resolve))
    const outcome = new Promise((resolve) =>
      thread.run(
        job,
        [],
        { milliseconds, mebibytes },
        {
          hear(message) {
            resolve(message)
            thread.done()
          },
          ended: (reason) => resolve({ reason })
        }
      )
    )
    return Promise.all([outcome, isFree]).then(([value]) => value)
  }
}

t.test('whatever a job does, it is ended, and the next one is done', async (t) => {
  const run = threadOf(t)
  const jobs: [job: string, reason: string, settings?: object][] = [
    ['for (;;);', 'time', { milliseconds: 500 }],
    ['setInterval(() => {}, 1000)', 'time', { milliseconds: 500 }],
    // The table that grows is what V8 ends a process for.
    ['const map = new Map(); for (let i = 0; ; i++) map.set(i % 16_000_000, {})', 'memory', { mebibytes: 200 }],
    ['const all = []; for (;;) all.push({ n: all.length })', 'memory', { mebibytes: 200 }],
    [
      'const all = []; setInterval(() => all.length < 40 && all.push(Buffer.alloc(10_000_000, 1)), 10)',
      'memory',
      { mebibytes: 200 }
    ],
    ['throw new Error("x")', 'failure'],
    ['Promise.reject(1)', 'failure'],
    ['process.exit(0)', 'failure'],
    ['(function f() { f() })()', 'failure']
  ]
  for (const [job, reason, settings] of jobs) {
    t.same(await run(job, settings), { reason }, job)
    t.equal(await run('parentPort.postMessage(6 * 7)'), 42)
  }
})

t.test('what is said that nobody can hear ends the job', async (t) => {
  const thread = new JobThread<unknown>(
    () =>
      new Worker(`require('node:worker_threads').parentPort.on('message', () => { for (;;) postMessage(1) })`, {
        eval: true
      }),
    () => {}
  )
  const reason = await new Promise((resolve) => {
    const listener = {
      hear() {
        throw new Error('not this')
      },
      ended: resolve
    }
    thread.run(1, [], { milliseconds: 30_000, mebibytes: 512 }, listener)
  })
  t.equal(reason, 'failure')
  const unclonable = await new Promise((resolve) => {
    thread.run(() => {}, [], { milliseconds: 30_000, mebibytes: 512 }, { hear() {}, ended: resolve })
  })
  t.equal(unclonable, 'failure')
  await thread.end('unwanted')
})

t.test('users have their turns', async (t) => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add(item.charAt(0), item)
  const taken: string[] = []
  for (let item = queue.take(() => true); item; item = queue.take(() => true)) taken.push(item)
  t.same(taken, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  for (const item of ['a1', 'b1', 'a2']) queue.add(item.charAt(0), item)
  queue.moveBehind('a')
  t.equal(
    queue.take((_item, user) => user !== 'b'),
    'a1',
    'whoever may not leaves the place to others'
  )
  queue.remove('a', 'a2')
  queue.remove('a', 'a2')
  t.same([queue.size, queue.sizeOf('a'), queue.sizeOf('b')], [1, 0, 1])
  t.same(queue.clear(), ['b1'])
  t.equal(queue.size, 0)
})

/** A body of so many nodes, 30 bytes each. */
const bodyOf = (count: number) =>
  Buffer.from(
    JSON.stringify({
      content: { nodes: Array.from({ length: count }, (_, id) => ({ id: `a node ${id}` })), edges: [] }
    })
  )

t.test('one with many files neither keeps the others waiting nor fills the queue', async (t) => {
  const worker = workerOf(t)
  // Both threads have started.
  await Promise.all(['x', 'y'].map((user) => worker.readBody(bodyOf(15_000), { user })))
  const order: string[] = []
  const read = (user: string, count: number) =>
    worker.readBody(bodyOf(count), { user }).then(
      () => order.push(user),
      ({ code }) => order.push(`${user} ${code}`)
    )
  const many = Array.from({ length: 40 }, () => read('a', 20_000))
  const others = [read('b', 15_000), read('c', 15_000)]
  await Promise.all([...many, ...others])
  t.equal(order.filter((entry) => entry === 'a server-busy').length, 24)
  const done = order.filter((entry) => entry.length === 1)
  t.equal(done.length, 18)
  t.ok(done.indexOf('b') < 4 && done.indexOf('c') < 6, done.join(''))
})

t.test('who gives up gives the place back', async (t) => {
  const worker = workerOf(t)
  const controller = new AbortController()
  const { signal } = controller
  const codes = Array.from({ length: 16 }, () =>
    worker.readBody(bodyOf(20_000), { user: 'a', signal }).then(
      () => 'read',
      ({ code }) => code
    )
  )
  await t.rejects(worker.readBody(bodyOf(20_000), { user: 'a' }), { code: 'server-busy' })
  controller.abort()
  t.same([...new Set(await Promise.all(codes))], ['request-aborted'])
  t.ok(await worker.readBody(bodyOf(20_000), { user: 'a' }))
})

/** Content of so many nodes as it is stored. */
function contentOf(count: number): Content {
  const nodes = Array.from({ length: count }, (_, index) => ({ id: `a node ${index}` }))
  const { stored } = prepareContent({ nodes, edges: [] }, () => ({ faults: [], faultCount: 0 }))
  if (!stored) throw new Error('there are faults')
  return stored
}

t.test('a file that nobody reads stays packed, and holds up nobody', async (t) => {
  const worker = workerOf(t)
  const [content, format] = [contentOf(100_000), formatNamed('graphml') as Format]
  const { bytes } = await worker.writeFile({ name: 'g' }, content, format, { user: 'a' })
  if (Buffer.isBuffer(bytes)) throw new Error('is no stream')
  bytes.read(0)
  // Who has but one thread has the answer when the file before has been written.
  t.ok(await worker.readBody(bodyOf(20_000), { user: 'a' }))
  t.ok(bytes.readableLength < 1024 * 1024, `${bytes.readableLength} bytes are ready to be read`)
  const file = await text(bytes)
  t.equal(file.match(/<node /g)?.length, 100_000)
  t.ok(file.length > 2_000_000 && file.trimEnd().endsWith('</graphml>'), 'and it is whole')
})

t.test('what waits to be read has a budget, of which one user has a part', async (t) => {
  const budget = new SpoolBudget(4000)
  const spools = ['a', 'a', 'b', 'c', 'd'].map((user) => new Spool(budget, user))
  for (const [index, spool] of spools.entries()) spool.add(new Uint8Array(index === 0 ? 1000 : 900))
  t.throws(() => budget.expectRoom('a'), { code: 'server-busy' })
  t.throws(() => budget.expectRoom('e'), { code: 'server-busy' }, 'nor has anybody else, when all is spent')
  spools[4]?.destroy()
  spools[4]?.add(new Uint8Array(5000))
  t.doesNotThrow(() => budget.expectRoom('e'))
  t.throws(() => budget.expectRoom('a'))
  spools[1]?.on('error', () => {})
  spools[1]?.resume()
  await new Promise((resolve) => spools[1]?.once('close', resolve))
  for (const spool of spools) spool.destroy()
  await new Promise(setImmediate)
  t.equal(budget.total, 0, 'what was not packed at all gives its part back, too')
})

t.test('what takes too much is 413, by name, and counted', async (t) => {
  const { as } = await build(t, { jobMemory: 256 })
  const ada = as('ada')
  // 7 MB that take much more: an empty object has three bytes of JSON and at least 28 of memory.
  const nodes = Array.from({ length: 35_000 }, (_, index) => ({
    id: `n${index}`,
    metadata: { a: Array.from({ length: 60 }, () => ({})) }
  }))
  t.match(await ada.post('/api/graphs', { name: 'x', content: { nodes, edges: [] } }), problem(413, 'file-too-complex'))
  t.equal(
    (await ada.post('/api/graphs', { name: 'x', content: { nodes: nodes.slice(0, 2000), edges: [] } })).status,
    201
  )
  const metrics = (await as('root').get('/metrics')).text
  t.ok(metrics.includes('graphstead_jobs_ended_total{reason="memory"} 1'))
})

t.test('who leaves after sending a body gives up its turn', async (t) => {
  const { app, tokenOf } = await build(t)
  const asked = Promise.withResolvers<AbortSignal | undefined>()
  t.capture(GraphWorker.prototype, 'readBody', (_bytes: Buffer, caller?: { signal?: AbortSignal }) => {
    asked.resolve(caller?.signal)
    return new Promise((_, reject) => caller?.signal?.addEventListener('abort', () => reject(new Error('left'))))
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const client = connect(port, '127.0.0.1')
  const headers = `Host: x\r\nAuthorization: Bearer ${await tokenOf('ada')}\r\nContent-Type: application/json`
  client.write(`POST /api/graphs HTTP/1.1\r\n${headers}\r\nContent-Length: 2\r\n\r\n{}`)
  const signal = await asked.promise
  t.equal(signal?.aborted, false)
  client.destroy()
  for (let look = 0; look < 500 && !signal?.aborted; look++) await new Promise((resolve) => setTimeout(resolve, 10))
  t.equal(signal?.aborted, true)
})
