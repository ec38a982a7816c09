import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { judgeClock } from '../../db/clock.ts'
import type { Store } from '../../db/store.ts'
import { build, triangle } from '../support/helper.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const trashed = async (store: Store) => (await store.read.selectFrom('trash').select('id').execute()).length

/**
 * Starts a server with a graph in the trash and an ended session. Its clock is a month ahead. `idle` is the time since its last
 * housekeeping.
 */
async function ahead(t: Test, ran: number, idle = 0) {
  const { app, as, store } = await build(t)
  await as('ada').post('/api/graphs', triangle)
  await as('ada').delete('/api/graphs/1')
  await store.write(async (trx) => {
    await trx.updateTable('clock').set({ ran }).execute()
    await trx
      .insertInto('endedSession')
      .values({ id: 'ended', expiresAt: Date.now() + DAY })
      .execute()
  })
  const now = Date.now
  t.capture(Date, 'now', () => now() + 31 * DAY)
  const uptime = performance.now.bind(performance)
  t.capture(performance, 'now', () => uptime() + idle)
  await app.listen({ port: 0, host: '127.0.0.1' })
  return store
}

t.test('a clock that jumps ahead by a month neither empties the trash nor revives a session', async (t) => {
  const store = await ahead(t, 0)
  await sleep(2500)
  t.equal(await trashed(store), 1)
  t.equal((await store.read.selectFrom('endedSession').select('id').execute()).length, 1)
})

t.test('a clock that jumped is trusted again after a day of running', async (t) => {
  const store = await ahead(t, DAY)
  for (let look = 0; look < 100 && (await trashed(store)) > 0; look++) await sleep(50)
  t.equal(await trashed(store), 0)
})

t.test('concurrent processes do not add up their running time', async (t) => {
  const store = await ahead(t, 0, DAY)
  await sleep(2500)
  t.equal(await trashed(store), 1)
})

t.test('the trusted clock follows the running time', (t) => {
  const start = { trustedAt: 1000 * DAY, ran: 0 }
  const judge = (now: number, elapsed: number, state = start) => judgeClock(state, now, elapsed)
  t.strictSame(judge(start.trustedAt + HOUR, HOUR), { isTrusted: true, trustedAt: start.trustedAt + HOUR, ran: 0 })
  t.strictSame(
    judge(start.trustedAt - DAY, HOUR),
    { isTrusted: true, trustedAt: start.trustedAt - DAY, ran: 0 },
    'a clock set back is trusted'
  )
  const jumped = judge(start.trustedAt + 31 * DAY, HOUR)
  t.strictSame(
    jumped,
    { isTrusted: false, trustedAt: start.trustedAt, ran: HOUR },
    'a clock that jumps ahead is not trusted'
  )
  t.strictSame(
    judge(start.trustedAt + 2 * HOUR, HOUR, jumped),
    { isTrusted: true, trustedAt: start.trustedAt + 2 * HOUR, ran: 0 },
    'the clock is back in step'
  )
  const waited = judge(start.trustedAt + 32 * DAY, 22 * HOUR, jumped)
  t.equal(waited.isTrusted, false)
  t.equal(judge(start.trustedAt + 32 * DAY, HOUR, waited).isTrusted, true, 'after a day of running')
  t.end()
})
