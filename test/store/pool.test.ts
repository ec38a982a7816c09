import t from 'tap'
import { Pool } from '../../db/engine/pool.ts'
import { StoreUnavailable } from '../../db/store.ts'
import { only } from '../support/engine.ts'
import { runAs } from '../support/holders.ts'

const sqlite = only('SQLite', 'it needs no database')

/** Makes a pool whose members are numbers, in the order in which they are opened. */
function poolOf(size: number, queueLimit?: number) {
  let count = 0
  const opening = { fails: false }
  const open = () => {
    if (opening.fails) throw new Error('cannot be opened')
    return ++count
  }
  return { pool: new Pool({ open, size, ...(queueLimit !== undefined && { queueLimit }) }), opening }
}

/** Tells whether a promise is settled after all that is ready has run. */
async function isSettled(promise: Promise<unknown>) {
  const turn = new Promise((resolve) => setImmediate(resolve, 'pending'))
  return (await Promise.race([promise.catch(() => {}), turn])) !== 'pending'
}

t.test('members are opened when they are needed, and used again', sqlite, async (t) => {
  const { pool } = poolOf(2)
  t.same([...pool.members], [])
  t.equal(await pool.take(), 1)
  pool.giveBack(1)
  t.equal(await pool.take(), 1)
  t.equal(pool.takeNow(), 2)
  t.equal(pool.takeNow(), undefined)
  t.same([...pool.members], [1, 2])
})

t.test('callers of one holder wait in their order', sqlite, async (t) => {
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

t.test('callers beyond the limit of the queue are refused', sqlite, async (t) => {
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

t.test('a member that has failed is replaced when it is needed', sqlite, async (t) => {
  const { pool } = poolOf(1)
  await pool.take()
  pool.remove(1)
  t.same([...pool.members], [])
  t.equal(await pool.take(), 2)
  const waiting = pool.take()
  pool.remove(2)
  t.equal(await waiting, 3, 'a caller who waits gets a new one')
  t.same([...pool.members], [3])
})

t.test('a member that fails while it is free is not given out', sqlite, async (t) => {
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
  t.equal(await pool.take(), 2, 'and it goes on when that is possible again')
})

t.test('a closed pool refuses callers who wait, and later ones', sqlite, async (t) => {
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
