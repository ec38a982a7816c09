import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { prepareContent } from '../../graph/content/content.ts'
import { writableFormatNamed } from '../../graph/formats/index.ts'
import type { WritableFormat } from '../../graph/formats/shared/format.ts'
import { Budget } from '../../graph/jobs/budget.ts'
import { alone } from '../../graph/jobs/peers.ts'
import { Spool } from '../../graph/jobs/spool.ts'
import { type Content, GraphWorker, type WorkerSettings } from '../../graph/jobs/worker.ts'
import type { PreparedContent } from '../../schemas/graph-content.ts'
import type { ProblemError } from '../../schemas/problem-catalogue.ts'
import { startThread } from '../../src/system/assets.ts'
import { holderOf, runAs } from '../support/holders.ts'

// Threads process large graphs. A user can neither block other users' graphs nor fill the queue.

t.setTimeout(180_000)
const limits = { maxNodes: 100_000, maxEdges: 500_000, bodyLimit: 32 * 1024 * 1024 }

function workerOf(t: Test, settings?: Omit<WorkerSettings, 'startThread'>) {
  const worker = new GraphWorker(limits, { startThread, ...settings })
  t.teardown(() => worker.close())
  return worker
}

const graphOf = (count: number) => ({
  nodes: Array.from({ length: count }, (_, id) => ({ id: `a node ${id}` })),
  edges: []
})

/** Returns a body with this many nodes of 30 bytes each. */
const bodyOf = (count: number) => Buffer.from(JSON.stringify({ content: graphOf(count) }))

t.test('a user with many files neither delays others nor fills the queue', async (t) => {
  const worker = workerOf(t)
  // Starts all threads.
  await Promise.all(['x', 'y', 'z'].map((user) => runAs(user, () => worker.readBody(bodyOf(15_000)))))
  const order: string[] = []
  const read = (user: string, count: number) =>
    runAs(user, () => worker.readBody(bodyOf(count))).then(
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

t.test('a huge job waits for those of other processes, and delays nobody', async (t) => {
  const { promise: others, resolve: endOthers } = Promise.withResolvers<void>()
  const worker = workerOf(t, { peers: { ...alone, lock: () => others.then(() => () => {}) } })
  const nodesOf = async (user: string, body: Buffer) => {
    const read = (await runAs(user, () => worker.readBody(body))) as { content: PreparedContent }
    return read.content.stored?.nodeCount
  }
  const huge = nodesOf(
    'a',
    Buffer.from(
      bodyOf(7)
        .toString()
        .padEnd(9 * 1024 * 1024)
    )
  )
  t.equal(await nodesOf('b', bodyOf(15_000)), 15_000)
  t.equal(await nodesOf('c', bodyOf(16_000)), 16_000)
  endOthers()
  t.equal(await huge, 7)
})

t.test('four users who fill the queue leave room for a fifth', async (t) => {
  const worker = workerOf(t)
  const body = '{}'.padEnd(300_000)
  const ask = (user: string) =>
    Promise.all(
      Array.from({ length: 16 }, () =>
        runAs(user, () => worker.readBody(Buffer.from(body))).then(
          () => 'read',
          ({ code, circumstances }) => `${code} ${circumstances.retryAfter}`
        )
      )
    )
  const outcomes = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(ask))
  const read = outcomes.map((of) => of.filter((outcome) => outcome === 'read').length)
  t.same(read, [14, 14, 14, 13, 12], 'the users get about equal shares')
  for (const [user, of] of outcomes.entries()) {
    const busy = of.slice(read[user])
    t.same(busy, Array(busy.length).fill('server-busy 5'), 'the last requests are refused')
  }
  t.equal((await ask('e')).filter((outcome) => outcome === 'read').length, 16, 'there is room again later')
})

t.test('a client that disconnects frees its place in the queue', async (t) => {
  const worker = workerOf(t)
  const controller = new AbortController()
  const { signal } = controller
  const codes = Array.from({ length: 16 }, () =>
    runAs({ holder: holderOf('a'), signal }, () => worker.readBody(bodyOf(20_000))).then(
      () => 'read',
      ({ code }) => code
    )
  )
  await t.rejects(
    runAs('a', () => worker.readBody(bodyOf(20_000))),
    { code: 'server-busy' }
  )
  controller.abort()
  t.same([...new Set(await Promise.all(codes))], ['request-aborted'])
  t.ok(await runAs('a', () => worker.readBody(bodyOf(20_000))))
})

/** Stored content with 100,000 nodes. */
const { stored: large } = prepareContent(graphOf(100_000), () => ({ faults: [], faultCount: 0 }))

/** Writes a large graph to a file for the user to read. */
async function writeFor(worker: GraphWorker, user: string) {
  const format = writableFormatNamed('graphml') as WritableFormat
  // The bytes are transferred to the thread.
  const content: Content = { body: Buffer.from(large?.body ?? ''), size: large?.size ?? 0 }
  const { bytes } = await runAs(user, () => worker.writeFile({ name: 'g' }, content, format))
  if (Buffer.isBuffer(bytes)) throw new Error('is not a stream')
  return bytes
}

t.test('an unread file stays compressed, and delays nobody', async (t) => {
  const worker = workerOf(t)
  const bytes = await writeFor(worker, 'a')
  bytes.read(0)
  // Each user has one thread, so this response arrives after the previous file has been written.
  t.ok(await runAs('a', () => worker.readBody(bodyOf(20_000))))
  t.ok(bytes.readableLength < 1024 * 1024, `${bytes.readableLength} bytes are buffered`)
  const file = await text(bytes)
  t.equal(file.match(/<node /g)?.length, 100_000)
  t.ok(file.length > 2_000_000 && file.trimEnd().endsWith('</graphml>'), 'the file is complete')
})

t.test(
  'unread files share a budget, and the user with the largest share loses files to users with smaller shares',
  async (t) => {
    const budget = new Budget(4000, 'Too many large files are being processed. Try again shortly.')
    const lost: string[] = []
    const begin = (user: string, bytes: number, name = user) => {
      const spool = runAs(user, () => new Spool(budget))
      spool.on('error', ({ code }: Error & { code?: string }) => lost.push(`${name} ${code}`))
      spool.add(new Uint8Array(bytes))
      return spool
    }
    const turn = () => new Promise(setImmediate)
    const spools = [begin('a', 900, 'a1'), begin('a', 400, 'a2'), ...['b', 'c', 'd'].map((user) => begin(user, 900))]
    t.throws(
      () => begin('a', 1),
      { code: 'server-busy', circumstances: { retryAfter: 5 } },
      'the user with the largest share gets no more'
    )
    t.same(lost, [])
    const e = begin('e', 900)
    await turn()
    t.same(lost, ['a1 server-busy'], 'a user without files gets one')
    spools[0]?.add(new Uint8Array(5000))
    t.equal(budget.isSpent, true, 'later bytes of a lost file are not charged')
    e.add(new Uint8Array(3500))
    t.notOk(e.destroyed, 'a started file may exceed the budget')
    e.add(new Uint8Array(3500))
    await turn()
    t.same(lost, ['a1 server-busy', 'e server-busy'], 'a started file may not exceed the budget without limit')
    t.equal(budget.isSpent, false)

    // Reading an uncompressed chunk frees its share as well.
    spools[2]?.resume()
    await new Promise((resolve) => spools[2]?.once('close', resolve))
    for (const spool of spools) spool.destroy()
    await turn()
    budget.share().take(4000)
    t.equal(budget.isSpent, true)
  }
)

t.test("clients that stop reading do not block other users' files", async (t) => {
  // Four compressed files of 60 KB exceed this.
  const worker = workerOf(t, { spool: 240_000 })
  const nodesOf = async (file: Readable) => (await text(file)).match(/<node /g)?.length
  const slow: Readable[] = []
  for (const user of ['a', 'b', 'c', 'd']) {
    slow.push(await writeFor(worker, user))
    // This response arrives after the previous file has been written.
    await runAs(user, () => worker.readBody(bodyOf(20_000)))
  }
  await t.rejects(writeFor(worker, 'a'), { code: 'server-busy', circumstances: { retryAfter: 5 } })
  t.equal(await nodesOf(await writeFor(worker, 'e')), 100_000, 'the fifth user gets a complete file')
  const errors = slow.map(({ errored }) => (errored as ProblemError | null)?.code)
  t.same(errors, ['server-busy', undefined, undefined, undefined], 'one of the other four loses their file')
  for (const file of slow.slice(1)) t.equal(await nodesOf(file), 100_000)
})
