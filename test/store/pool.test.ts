import t from 'tap'
import { Pool } from '../../db/engine/pool.ts'
import { StoreUnavailable } from '../../db/store.ts'
import { only } from '../support/engine.ts'
import { runAs } from '../support/holders.ts'

const sqlite = only('SQLite', 'it needs no database')

/** Creates a pool whose members are numbered in opening order. */
function poolOf(size: number, queueLimit?: number) {
  let count = 0
  const opening = { fails: false }
  const open = () => {
    if (opening.fails) throw new Error('cannot be opened')
    return ++count
  }
  return { pool: new Pool({ open, size, ...(queueLimit !== undefined && { queueLimit }) }), opening }
}

/** Returns whether the promise has settled once all ready tasks have run. */
async function isSettled(promise: Promise<unknown>) {
  const turn = new Promise((resolve) => setImmediate(resolve, 'pending'))
  return (await Promise.race([promise.catch(() => {}), turn])) !== 'pending'
}

t.test('members are opened on demand and reused', sqlite, async (t) => {
  const { pool } = poolOf(2)
  t.same([...pool.members], [])
  t.equal(await pool.take(), 1)
  pool.giveBack(1)
  t.equal(await pool.take(), 1)
  t.equal(pool.takeNow(), 2)
  t.equal(pool.takeNow(), undefined)
  t.same([...pool.members], [1, 2])
})

t.test('callers with one requester are served in order of arrival', sqlite, async (t) => {
  const { pool } = poolOf(1)
  await pool.take()
  const [first, second] = [pool.take(), pool.take()]
  t.equal(await isSettled(first), false)
  pool.giveBack(1)
  t.equal(await first, 1)
  t.equal(await isSettled(second), false)
  t.equal(pool.takeNow(), undefined)
  pool.giveBack(1)
  t.equal(await second, 1)
})

t.test("callers beyond the queue's limit are refused", sqlite, async (t) => {
  const { pool } = poolOf(1, 2)
  await pool.take()
  const waiting = [pool.take(), pool.take()]
  await t.rejects(pool.take(), { code: 'server-busy' })
  pool.giveBack(1)
  t.equal(await waiting[0], 1)
  const next = pool.take()
  await t.rejects(pool.take(), { code: 'server-busy' })
  pool.giveBack(1)
  t.equal(await waiting[1], 1)
  pool.giveBack(1)
  t.equal(await next, 1)
})

t.test('a failed member is replaced on demand', sqlite, async (t) => {
  const { pool } = poolOf(1)
  await pool.take()
  pool.remove(1)
  t.same([...pool.members], [])
  t.equal(await pool.take(), 2)
  const waiting = pool.take()
  pool.remove(2)
  t.equal(await waiting, 3, 'a waiting caller gets a new member')
  t.same([...pool.members], [3])
})

t.test('a member that fails while idle is not used again', sqlite, async (t) => {
  const { pool } = poolOf(2)
  t.same([await pool.take(), await runAs('other', () => pool.take())], [1, 2])
  pool.giveBack(1)
  pool.giveBack(2)
  pool.remove(2)
  t.same([...pool.members], [1])
  t.equal(await pool.take(), 1)
  t.equal(await runAs('other', () => pool.take()), 3)
  t.equal(pool.takeNow(), undefined)
})

t.test('callers are refused if no member can be opened', sqlite, async (t) => {
  const { pool, opening } = poolOf(1)
  await pool.take()
  const waiting = [pool.take(), pool.take()]
  const refused = Promise.all(waiting.map((promise) => t.rejects(promise, { message: 'cannot be opened' })))
  opening.fails = true
  pool.remove(1)
  await refused
  await t.rejects(pool.take(), { message: 'cannot be opened' })
  opening.fails = false
  t.equal(await pool.take(), 2, 'the pool recovers once members can be opened again')
})

t.test('a closed pool refuses both waiting and later callers', sqlite, async (t) => {
  const { pool } = poolOf(2)
  await pool.take()
  await runAs('other', () => pool.take())
  const waiting = t.rejects(pool.take(), StoreUnavailable)
  t.same(pool.close(), [1, 2])
  await waiting
  await t.rejects(pool.take(), StoreUnavailable)
  t.throws(() => pool.takeNow(), StoreUnavailable)
  pool.giveBack(1)
  await t.rejects(pool.take(), StoreUnavailable)
})
