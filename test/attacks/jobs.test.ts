import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import t, { type Test } from 'tap'
import { Budget } from '../../graph/budget.ts'
import { prepareContent } from '../../graph/content.ts'
import { FairQueue } from '../../graph/fair-queue.ts'
import type { WritableFormat } from '../../graph/formats/format.ts'
import { writableFormatNamed } from '../../graph/formats/index.ts'
import { JobThread } from '../../graph/job-thread.ts'
import { Spool } from '../../graph/spool.ts'
import { type Content, GraphWorker, type WorkerSettings } from '../../graph/worker.ts'
import { fileOptionsOf } from '../../plugins/http/negotiation.ts'
import type { ProblemError } from '../../schemas/errors.ts'
import { startThread } from '../../src/assets.ts'
import { build, problem } from '../helper.ts'

// Threads process large graphs. A failing thread harms neither the process nor other jobs.

t.setTimeout(180_000)
const limits = { maxNodes: 100_000, maxEdges: 500_000, bodyLimit: 32 * 1024 * 1024 }

function workerOf(t: Test, settings?: Omit<WorkerSettings, 'startThread'>) {
  const worker = new GraphWorker(limits, { startThread, ...settings })
  t.teardown(() => worker.close())
  return worker
}

/** A thread that runs the text as code. */
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
          onMessage(message) {
            resolve(message)
            thread.done()
          },
          onEnded: (reason) => resolve({ reason })
        }
      )
    )
    return Promise.all([outcome, isFree]).then(([value]) => value)
  }
}

t.test('any job can be ended, and the next one runs', async (t) => {
  const run = threadOf(t)
  const jobs: [job: string, reason: string, settings?: object][] = [
    ['for (;;);', 'time', { milliseconds: 500 }],
    ['setInterval(() => {}, 1000)', 'time', { milliseconds: 500 }],
    // V8 ends the process for a growing table.
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

t.test('a thread that compresses and decompresses may be ended at any time', async (t) => {
  const code = `
    const { parentPort, workerData } = require('node:worker_threads')
    const { zstdCompressSync, zstdDecompressSync } = require('node:zlib')
    const { endableBy, uncut } = require(workerData.module)
    endableBy(workerData.gate)
    parentPort.on('message', () => {
      parentPort.postMessage('begun')
      for (let packed = uncut(() => zstdCompressSync('x')); ; ) uncut(() => zstdDecompressSync(packed))
    })`
  const module = join(import.meta.dirname, '../../graph/uncut.ts')
  const thread = new JobThread<unknown>(
    (gate) => new Worker(code, { eval: true, workerData: { module, gate } }),
    () => {}
  )
  // Without the gate, some twenty are enough to end the process.
  for (let count = 0; count < 100; count++) {
    const reason = new Promise((resolve) => {
      const listener = { onMessage: () => void setTimeout(() => thread.end('unwanted'), count % 10), onEnded: resolve }
      thread.run(1, [], { milliseconds: 60_000, mebibytes: 512 }, listener)
    })
    t.equal(await reason, 'unwanted')
    while (thread.isBusy) await sleep(1)
  }
})

t.test('a message that cannot be handled ends the job', async (t) => {
  const thread = new JobThread<unknown>(
    () =>
      new Worker(`require('node:worker_threads').parentPort.on('message', () => { for (;;) postMessage(1) })`, {
        eval: true
      }),
    () => {}
  )
  const reason = await new Promise((resolve) => {
    const listener = {
      onMessage() {
        throw new Error('not this')
      },
      onEnded: resolve
    }
    thread.run(1, [], { milliseconds: 30_000, mebibytes: 512 }, listener)
  })
  t.equal(reason, 'failure')
  const unclonable = await new Promise((resolve) => {
    thread.run(() => {}, [], { milliseconds: 30_000, mebibytes: 512 }, { onMessage() {}, onEnded: resolve })
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
  for (const item of ['a3', 'a4', 'c2', 'c3']) queue.add(item.charAt(0), item)
  t.equal(queue.dropOfMost(2), undefined, 'nobody has more')
  t.same([queue.dropOfMost(1), queue.dropOfMost(1), queue.dropOfMost(1)], ['a4', 'c3', undefined])
  t.same(queue.clear(), ['b1', 'a3', 'c2'])
  t.equal(queue.size, 0)
})

/** A body of so many nodes, 30 bytes each. */
const bodyOf = (count: number) =>
  Buffer.from(
    JSON.stringify({
      content: { nodes: Array.from({ length: count }, (_, id) => ({ id: `a node ${id}` })), edges: [] }
    })
  )

t.test('a user with many files neither delays others nor fills the queue', async (t) => {
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

t.test('four users who fill the queue leave places to a fifth', async (t) => {
  const worker = workerOf(t)
  const body = JSON.stringify({ pad: 'x'.repeat(300_000) })
  const ask = (user: string) =>
    Promise.all(
      Array.from({ length: 16 }, () =>
        worker.readBody(Buffer.from(body), { user }).then(
          () => 'read',
          ({ code, circumstances }) => `${code} ${circumstances.retryAfter}`
        )
      )
    )
  const outcomes = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(ask))
  const read = outcomes.map((of) => of.filter((outcome) => outcome === 'read').length)
  t.same(read, [13, 13, 13, 13, 12], 'everybody has as many')
  for (const [user, of] of outcomes.entries()) {
    const busy = of.slice(read[user])
    t.same(busy, Array(busy.length).fill('server-busy 5'), 'the last ones are refused')
  }
  t.equal((await ask('e')).filter((outcome) => outcome === 'read').length, 16, 'and later there is room again')
})

t.test('a thread that has not started needs no end', async (t) => {
  let free = 0
  const thread = new JobThread<unknown>(
    () => new Worker('', { eval: true }),
    () => free++
  )
  await thread.end('unwanted')
  t.equal(free, 0, 'nobody is told that it is free, who would wait and end it again')
})

t.test('a client that gives up returns its place', async (t) => {
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

/** Stored content of so many nodes. */
function contentOf(count: number): Content {
  const nodes = Array.from({ length: count }, (_, index) => ({ id: `a node ${index}` }))
  const { stored } = prepareContent({ nodes, edges: [] }, () => ({ faults: [], faultCount: 0 }))
  if (!stored) throw new Error('there are faults')
  return stored
}

t.test('a file that nobody reads stays compressed, and delays nobody', async (t) => {
  const worker = workerOf(t)
  const [content, format] = [contentOf(100_000), writableFormatNamed('graphml') as WritableFormat]
  const { bytes } = await worker.writeFile({ name: 'g' }, content, format, { user: 'a' })
  if (Buffer.isBuffer(bytes)) throw new Error('is no stream')
  bytes.read(0)
  // With one thread per user, this answer comes after the previous file is written.
  t.ok(await worker.readBody(bodyOf(20_000), { user: 'a' }))
  t.ok(bytes.readableLength < 1024 * 1024, `${bytes.readableLength} bytes are ready to be read`)
  const file = await text(bytes)
  t.equal(file.match(/<node /g)?.length, 100_000)
  t.ok(file.length > 2_000_000 && file.trimEnd().endsWith('</graphml>'), 'and it is whole')
})

t.test('unread files have a budget, and the user with most of it loses some to users with less', async (t) => {
  const budget = new Budget(4000, 'Too many large files are being sent.')
  const lost: string[] = []
  const begin = (user: string, bytes: number, name = user) => {
    const spool = new Spool(budget, user)
    spool.on('error', ({ code }: Error & { code?: string }) => lost.push(`${name} ${code}`))
    spool.add(new Uint8Array(bytes))
    return spool
  }
  const turn = () => new Promise(setImmediate)
  const spools = [begin('a', 900, 'a1'), begin('a', 400, 'a2'), ...['b', 'c', 'd'].map((user) => begin(user, 900))]
  t.throws(() => begin('a', 1), { code: 'server-busy', circumstances: { retryAfter: 5 } }, 'who has most has no more')
  t.same(lost, [])
  const e = begin('e', 900)
  await turn()
  t.same(lost, ['a1 server-busy'], 'and who has nothing has what they want')
  spools[0]?.add(new Uint8Array(5000))
  t.equal(budget.isSpent, true, 'what comes of the lost one counts no more')
  e.add(new Uint8Array(3500))
  t.notOk(e.destroyed, 'what has begun goes on beyond the budget')
  e.add(new Uint8Array(3500))
  await turn()
  t.same(lost, ['a1 server-busy', 'e server-busy'], 'but not without end')
  t.equal(budget.isSpent, false)

  // A piece that is not compressed returns its share, too.
  spools[2]?.resume()
  await new Promise((resolve) => spools[2]?.once('close', resolve))
  for (const spool of spools) spool.destroy()
  await turn()
  budget.share('x').take(4000)
  t.equal(budget.isSpent, true)
})

t.test('clients that read nothing do not block files of others', async (t) => {
  // Four compressed files of 60 KB exceed this.
  const worker = workerOf(t, { spool: 240_000 })
  const format = writableFormatNamed('graphml') as WritableFormat
  const write = async (user: string) => {
    const { bytes } = await worker.writeFile({ name: 'g' }, contentOf(100_000), format, { user })
    if (Buffer.isBuffer(bytes)) throw new Error('is no stream')
    return bytes
  }
  const nodesOf = async (file: Readable) => (await text(file)).match(/<node /g)?.length
  const slow: Readable[] = []
  for (const user of ['a', 'b', 'c', 'd']) {
    slow.push(await write(user))
    // This answer comes after the previous file is written.
    await worker.readBody(bodyOf(20_000), { user })
  }
  await t.rejects(write('a'), { code: 'server-busy', circumstances: { retryAfter: 5 } })
  t.equal(await nodesOf(await write('e')), 100_000, 'the fifth has a whole file')
  const errors = slow.map(({ errored }) => (errored as ProblemError | null)?.code)
  t.same(errors, ['server-busy', undefined, undefined, undefined], 'and one of the four has lost theirs')
  for (const file of slow.slice(1)) t.equal(await nodesOf(file), 100_000)
})

t.test('memory left by an earlier job does not count for the next one', async (t) => {
  const worker = workerOf(t)
  const columns = Array.from({ length: 1000 }, (_, index) => `c${index}`)
  const text = `source,target,${columns.join(',')}\n${'a,b\n'.repeat(500_000)}`
  for (let index = 0; index < 8; index++) {
    const { report } = await worker.readFile(Buffer.from(text), fileOptionsOf('text/csv', undefined), {
      user: `u${index}`
    })
    t.match(report, { nodeCount: 2, edgeCount: 500_000, faultCount: 0 }, `file ${index}`)
  }
})

t.test('a job beyond its limits is 413 by name, and counted', async (t) => {
  const { as } = await build(t, { jobMemory: 256 })
  const ada = as('ada')
  // 7 MB of JSON that take much more memory: an empty object has three bytes of JSON and at least 28 of memory.
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

t.test('a client that leaves after sending a body gives up its turn', async (t) => {
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
