import t from 'tap'
import { FairQueue, type Holder, Slots } from '../../graph/jobs/shares.ts'
import { chargeTurns, takeTurn } from '../../graph/jobs/turns.ts'
import { Sender, userHolder, visitorHolder } from '../../plugins/http/callers/requester.ts'
import { guestOf, holderOf } from '../support/holders.ts'

/** Takes all items. The number after a colon is the work charged to the holder for an item; the default is 1. */
function order(queue: FairQueue<string>, holders: Record<string, Holder>) {
  const taken: string[] = []
  for (let item = queue.take(); item; item = queue.take()) {
    taken.push(item)
    queue.charge(holders[item.charAt(0)] as Holder, Number(item.split(':')[1] ?? 1))
  }
  return taken.join(' ')
}

t.test('holders that have used less get their turn first', async (t) => {
  const holders = { a: holderOf('a'), b: holderOf('b'), c: holderOf('c') }
  const queue = new FairQueue<string>()
  const add = (...items: string[]) => {
    for (const item of items) queue.add(holders[item.charAt(0) as 'a'], item)
  }
  add('a1', 'a2', 'a3', 'b1', 'c1', 'b2')
  t.equal(order(queue, holders), 'a1 b1 c1 a2 b2 a3', 'with equal work, items are taken in order of arrival')
  add('a4:10', 'a5', 'b3', 'b4', 'b5', 'c2:4', 'c3')
  t.equal(order(queue, holders), 'b3 c2:4 a4:10 b4 b5 c3 a5')
  queue.charge(holders.b, 100)
  add('b6', 'a6:50', 'a7:50', 'a8:50', 'c4')
  t.equal(order(queue, holders), 'c4 a6:50 a7:50 b6 a8:50', 'earlier work is taken into account')
})

t.test('a holder that returns after a pause has no advantage', async (t) => {
  const holders = { a: holderOf('a'), b: holderOf('b') }
  const queue = new FairQueue<string>()
  for (let count = 0; count < 5; count++) queue.add(holders.a, `a${count}:10`)
  order(queue, holders)
  for (let count = 0; count < 4; count++) {
    queue.add(holders.a, `a${count}:10`)
    queue.add(holders.b, `b${count}:10`)
  }
  t.equal(order(queue, holders), 'b0:10 a0:10 b1:10 a1:10 b2:10 a2:10 b3:10 a3:10')
})

t.test('work done while nobody was waiting gives others no credit', async (t) => {
  const holders = { a: holderOf('a'), b: holderOf('b') }
  const queue = new FairQueue<string>()
  for (let count = 0; count < 5; count++) {
    queue.serveAtOnce(holders.a)
    queue.charge(holders.a, 10)
  }
  for (const item of ['a0:10', 'a1:10']) queue.add(holders.a, item)
  for (const item of ['b0:10', 'b1:10']) queue.add(holders.b, item)
  t.equal(order(queue, holders), 'b0:10 a0:10 b1:10 a1:10')
})

t.test('members of a holder take turns', async (t) => {
  const queue = new FairQueue<string>()
  const [one, two, user] = [guestOf('strangers', '1'), guestOf('strangers', '2'), holderOf('u')]
  for (const item of ['1a', '1b', '1c', '2a']) queue.add(item.startsWith('1') ? one : two, item)
  queue.add(user, 'ua')
  queue.add(user, 'ub')
  t.equal(order(queue, { '1': one, '2': two, u: user }), 'ua 1a ub 2a 1b 1c')
})

t.test('all guests together get as much as all users, however many are waiting', async (t) => {
  const queue = new FairQueue<string>()
  const [u, v] = [holderOf('u'), holderOf('v')]
  for (const owner of ['a', 'b', 'c', 'd']) queue.add(guestOf(owner), owner)
  for (const item of ['u1', 'u2', 'u3']) queue.add(u, item)
  queue.add(v, 'v1')
  const holders = { a: guestOf('a'), b: guestOf('b'), c: guestOf('c'), d: guestOf('d'), u, v }
  t.equal(order(queue, holders), 'u1 a v1 b u2 c u3 d')
  for (const owner of ['a', 'b', 'c', 'd']) queue.add(guestOf(owner), owner)
  t.equal(order(queue, holders), 'a b c d')
  queue.add(u, 'u4')
  queue.add(u, 'u5')
  queue.add(guestOf('a'), 'a')
  t.equal(order(queue, holders), 'u4 u5 a', 'a pause gives no advantage')
})

t.test('an item that may not be taken yet keeps its position and does not block later ones', async (t) => {
  const queue = new FairQueue<string>()
  const [a, b] = [holderOf('a'), holderOf('b')]
  for (const item of ['a1', 'a2']) queue.add(a, item)
  queue.add(b, 'b1')
  const takeOthers = () => queue.take((item) => item !== 'a1')
  t.same([takeOthers(), takeOthers(), takeOthers()], ['a2', 'b1', undefined])
  queue.add(a, 'a3')
  queue.remove(a, 'a3')
  queue.remove(a, 'a3')
  t.same([queue.size, queue.sizeOf(a), queue.sizeOf(b)], [1, 1, 0])
  t.same(queue.clear(), ['a1'])
  t.equal(queue.size, 0)
})

t.test('a full queue drops the newest item of the holder with the most items to make room for others', async (t) => {
  const queue = new FairQueue<string>()
  const add = (holder: Holder, ...items: string[]) => {
    for (const item of items) queue.add(holder, item)
  }
  const [a, b, one, two] = [holderOf('a'), holderOf('b'), guestOf('s', '1'), guestOf('s', '2')]
  add(a, 'a1', 'a2', 'a3')
  add(b, 'b1')
  add(one, 's1', 's2', 's3')
  t.equal(queue.guests, 3)
  t.equal(queue.dropOfMost(a, false), undefined, 'no holder has more')
  t.equal(queue.dropOfMost(b, false), 'a3')
  t.equal(queue.dropOfMost(b, true), 's3', 'the item of a guest is dropped if guests have too many')
  t.equal(queue.dropOfMost(b, false), undefined, 'no other holder has more')
  add(two, 't1')
  add(one, 's3', 's4')
  t.equal(queue.dropOfMost(two, true), 's4', 'members of one holder are also compared')
  t.equal(queue.dropOfMost(one, true), undefined)
  t.same([queue.size, queue.guests], [7, 4])
})

/** Work that runs until the test ends it. */
function heldWork(begun: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const run = () => {
    begun.push(name)
    return promise
  }
  return { run, end: () => resolve(name), fail: (error: Error) => reject(error) }
}

/** Waits until all ready tasks have run. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

t.test('a holder gets half of the slots, and all guests share half', async (t) => {
  const slots = new Slots({ slots: 4, waiting: 100 })
  const begun: string[] = []
  const begin = (name: string, holder: Holder) => {
    const work = heldWork(begun, name)
    return { ...work, answer: slots.run(work.run, { holder }) }
  }
  const all = [
    ...['a1', 'a2', 'a3'].map((name) => begin(name, holderOf('a'))),
    ...['s1', 's2'].map((name) => begin(name, guestOf('strangers'))),
    ...['v1', 'b1'].map((name) => begin(name, name === 'v1' ? guestOf('visitors') : holderOf('b')))
  ]
  await turn()
  t.equal(begun.join(), 'a1,a2,s1,s2')
  t.equal(slots.waiting, 3)
  all[3]?.end()
  await turn()
  t.equal(begun.join(), 'a1,a2,s1,s2,b1', 'a user who has done no work comes before guests')
  all[0]?.fail(new Error('broken'))
  await t.rejects(all[0]?.answer as Promise<string>, new Error('broken'))
  await turn()
  t.equal(begun.slice(5).join(), 'v1', 'guests come first when users have done more work')
  for (const { end } of all) end()
  t.same(await Promise.all(all.slice(1).map(({ answer }) => answer)), ['a2', 'a3', 's1', 's2', 'v1', 'b1'])
  t.equal(slots.waiting, 0)
})

t.test('requests beyond the queue limit are refused, and those of guests sooner', async (t) => {
  const slots = new Slots({ slots: 1, waiting: 4, waitingOfOne: 3 })
  const [ada, bob, eve] = [holderOf('ada'), holderOf('bob'), guestOf('eve')]
  const release = await slots.take({ holder: ada })
  const codes: string[] = []
  const wait = (holder: Holder) =>
    slots.take({ holder }).then(
      (release) => {
        codes.push(holder.name)
        release()
      },
      ({ code, circumstances }) => codes.push(`${holder.name} ${code} ${circumstances.retryAfter}`)
    )
  const all = [wait(ada), wait(ada), wait(ada), wait(ada)]
  await turn()
  t.same(codes, ['ada server-busy 5'], 'a holder has its own limit')
  all.push(wait(bob), wait(bob), wait(eve))
  await turn()
  t.same(codes.splice(1), ['ada server-busy 5', 'ada server-busy 5'], 'newer items make room for other holders')
  all.push(wait(eve), wait(eve))
  await turn()
  t.same(codes.splice(1), ['eve server-busy 5', 'eve server-busy 5'], 'items are refused if no holder has more')
  release()
  await Promise.all(all)
  t.same(codes.slice(1).sort(), ['ada', 'bob', 'bob', 'eve'])
})

t.test('a requester who disconnects leaves the queue', async (t) => {
  const slots = new Slots({ slots: 1, waiting: 4 })
  const [holder, gone] = [holderOf('ada'), new AbortController()]
  const release = await slots.take({ holder })
  const waiting = slots.take({ holder, signal: gone.signal })
  gone.abort()
  await t.rejects(waiting, { code: 'request-aborted' })
  await t.rejects(slots.take({ holder, signal: gone.signal }), { code: 'request-aborted' })
  const next = slots.take({ holder: holderOf('bob') })
  slots.close()
  await t.rejects(next, { code: 'server-busy' })
  release()
  await t.rejects(slots.take({ holder }), { code: 'server-busy' }, 'later requests are refused too')
})

t.test('a slot is granted once its work can start', async (t) => {
  const slots = new Slots({ slots: 2, waiting: 4 })
  let isBlocked = true
  const release = await slots.take({ holder: holderOf('ada') })
  let isGranted = false
  const waiting = slots
    .take({ holder: holderOf('bob') }, () => !isBlocked)
    .then(() => {
      isGranted = true
    })
  await turn()
  t.equal(isGranted, false)
  isBlocked = false
  release()
  release()
  await waiting
})

t.test('each user is a holder, all strangers are one holder, and visitors are one holder per owner', async (t) => {
  const response = { destroyed: false, once() {} } as never
  const holderAt = (ip: string) => new Sender(ip, response).holder
  t.same(userHolder('ada'), { name: 'user:ada', member: '', isGuest: false })
  t.same(holderAt('10.0.0.1'), { name: 'strangers', member: '10.0.0.1', isGuest: true })
  t.same(holderAt('2001:db8::1'), holderAt('2001:db8:0:77::2'), 'an IPv6 site is one member')
  t.notSame(holderAt('2001:db8::1'), holderAt('2001:db8:1::1'))
  t.same(holderAt('::ffff:10.0.0.1').member, '::ffff:10.0.0.1')
  t.same(visitorHolder({ owner: 'ada' }, '10.0.0.1'), { name: 'visitors of:ada', member: '10.0.0.1', isGuest: true })
})

t.test('work outside turns delays the next turn like the work of a turn', async (t) => {
  const ada = { holder: holderOf('user:ada') }
  for (const milliseconds of [0, 50]) {
    await takeTurn(ada)
    chargeTurns(holderOf('user:bob'), milliseconds)
    let iterations = 0
    let isNext = false
    const next = takeTurn(ada).then(() => {
      isNext = true
    })
    while (!isNext) {
      await new Promise((resolve) => setImmediate(resolve))
      iterations++
    }
    await next
    t.equal(iterations >= 50, milliseconds === 50, `${iterations} iterations`)
  }
})
