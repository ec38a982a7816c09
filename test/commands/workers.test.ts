import { createServer } from 'node:net'
import t from 'tap'
import { SharedBuckets } from '../../plugins/server/shared-buckets.ts'
import { Link } from '../../src/workers/link.ts'
import type { ToWorker } from '../../src/workers/messages.ts'
import { bindPort } from '../../src/workers/port.ts'
import { Scaling } from '../../src/workers/scaling.ts'
import { type Member, Switchboard } from '../../src/workers/switchboard.ts'
import { until } from '../support/until.ts'

/** Returns a switchboard that adds numbers up, and a function that links a new process to it. */
function board() {
  const board = new Switchboard((values: number[]) => values.reduce((sum, value) => sum + value, 0))
  function join() {
    const member: Member = { post: (message: ToWorker) => queueMicrotask(() => link.receive(message)) }
    const link: Link = new Link((message) => queueMicrotask(() => board.receive(member, message)), 2)
    board.join(member)
    return { link, end: () => board.remove(member) }
  }
  return { board, join }
}

t.test('one process at a time holds a lock, in the order of their claims', async (t) => {
  const { join } = board()
  const [one, two] = [join(), join()]
  const order: string[] = []
  const claim = async ({ link }: typeof one, name: string) => {
    const release = await link.lock('a', 60_000)
    order.push(`${name} holds it`)
    return release
  }
  const first = await claim(one, 'one')
  const [second, third] = [claim(two, 'two'), claim(one, 'one again')]
  await one.link.lock('b', 60_000)
  t.same(order, ['one holds it'], 'another lock is granted meanwhile')
  first()
  ;(await second)()
  await third
  t.same(order, ['one holds it', 'two holds it', 'one again holds it'])
})

t.test('a process that ends or takes too long loses its locks', async (t) => {
  const { join } = board()
  const [one, two, three] = [join(), join(), join()]
  await one.link.lock('a', 60_000)
  const second = two.link.lock('a', 60_000)
  one.end()
  await second
  await three.link.lock('b', 20)
  await two.link.lock('b', 60_000)
  t.equal(two.link.size, 2)
})

t.test('a process whose primary has ended waits for nobody', async (t) => {
  const { join } = board()
  const [one, two] = [join(), join()]
  await one.link.lock('a', 60_000)
  const claims = [two.link.lock('a', 60_000), two.link.ask('a')] as const
  two.link.cut()
  t.equal(typeof (await claims[0]), 'function')
  t.same((await claims[1]).length, 0)
  t.equal(typeof (await two.link.lock('a', 60_000)), 'function')
})

t.test('the answers of all other processes include those of the ended ones', async (t) => {
  const { board: all, join } = board()
  const [one, two, three] = [join(), join(), join()]
  for (const { link, value } of [
    { ...one, value: 1 },
    { ...two, value: 10 },
    { ...three, value: 100 }
  ])
    link.onAsked('count', () => value)
  t.same((await one.link.ask('count')).sort(), [10, 100])
  three.link.leave('count', 99)
  two.link.leave('count', 9)
  await until(async () => true)
  three.end()
  t.same((await one.link.ask('count')).sort(), [10, 99])
  two.end()
  t.same(await one.link.ask('count'), [108], 'they are added up')
  t.same((await all.ask('count')).sort(), [1, 108], 'the primary asks all')
})

t.test('a message reaches all other processes', async (t) => {
  const { join } = board()
  const [one, two, three] = [join(), join(), join()]
  const received: string[] = []
  for (const [name, { link }] of Object.entries({ one, two, three }))
    link.onTold<string>('news', (message) => received.push(`${name}: ${message}`))
  two.link.tell('news', 'hello')
  await until(async () => received.length === 2)
  t.same(received, ['one: hello', 'three: hello'])
})

t.test('each process knows how many there are', async (t) => {
  const { join } = board()
  const one = join()
  const sizes: number[][] = []
  one.link.onSize((size, before) => sizes.push([before, size]))
  const two = join()
  await until(async () => one.link.size === 2)
  two.end()
  await until(async () => one.link.size === 1)
  t.same(sizes.slice(-2), [
    [1, 2],
    [2, 1]
  ])
})

t.test('rates hold for all processes, and for one that starts later', async (t) => {
  const { join } = board()
  const of = ({ link }: ReturnType<typeof join>) => new SharedBuckets({ requests: 60 }, link)
  const [first, second] = [join(), join()]
  const [one, two] = [of(first), of(second)]
  for (let n = 0; n < 300; n++) {
    t.equal(one.buckets.requests.take('eve'), 0)
    t.equal(two.buckets.requests.take('eve'), 0)
  }
  for (const { buckets } of [one, two]) t.ok(await until(async () => buckets.requests.take('eve') > 0))
  t.equal(two.buckets.requests.take('ann'), 0, 'others are not affected')
  const three = of(join())
  await three.catchUp()
  t.ok(three.buckets.requests.take('eve') > 0)
  t.equal(three.buckets.requests.take('bob'), 0)
})

t.test('processes start under load, and end after minutes of quiet', async (t) => {
  const scaling = new Scaling(3)
  const decide = (loads: number[], seconds: number) => {
    const decisions = Array.from({ length: seconds }, () => scaling.decide(loads))
    return decisions.findIndex((decision) => decision !== 0)
  }
  t.equal(decide([1], 4), -1)
  t.equal(scaling.decide([0.5]), 0, 'a pause starts the seconds again')
  t.equal(decide([0.95], 10), 4, 'after five seconds')
  t.equal(decide([1, 0.5], 60), -1, 'one that is busy does not suffice')
  t.equal(decide([1, 1], 10), 4)
  t.equal(decide([1, 1, 1], 60), -1, 'there is a maximum')
  t.equal(decide([0.4, 0.3, 0.2], 179), -1)
  t.equal(scaling.decide([0.4, 0.3, 0.2]), -1, 'after three minutes')
  t.equal(decide([0.4, 0.2], 600), -1, 'the rest would not carry this load')
  t.equal(decide([0.1], 600), -1, 'one remains')
})

t.test('a port that is in use is an error with the usual words', async (t) => {
  const port = await bindPort('127.0.0.1', 0)
  t.equal(port.host, '127.0.0.1')
  t.ok(port.port > 0)
  t.teardown(() => (port.handle as { close(): void }).close())
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  t.teardown(() => other.close())
  const { port: taken } = other.address() as { port: number }
  await t.rejects(bindPort('127.0.0.1', taken), {
    code: 'EADDRINUSE',
    message: `listen EADDRINUSE: address already in use 127.0.0.1:${taken}`
  })
})
