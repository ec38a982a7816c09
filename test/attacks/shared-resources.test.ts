import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { verifyPassword } from '../../db/users/passwords.ts'
import { Budget } from '../../graph/jobs/budget.ts'
import { type Requester, runFor, Slots } from '../../graph/jobs/shares.ts'
import { takeTurn } from '../../graph/jobs/turns.ts'
import { GraphWorker } from '../../graph/jobs/worker.ts'
import { startThread } from '../../src/system/assets.ts'
import { openTestStore } from '../support/engine.ts'
import { guestOf, holderOf } from '../support/holders.ts'

// A crowd of requesters does not starve others of a shared resource.

t.setTimeout(180_000)

const HOLDERS = 200

/** Crowds of requesters that take as much as they can. Each function returns the requester of a task. */
const crowds: Record<string, (index: number) => Requester> = {
  'strangers from 200 networks': (index) => ({ holder: guestOf('strangers', String(index)) }),
  'the visitors of one owner': (index) => ({ holder: guestOf('visitors of:eve', String(index)) }),
  'the visitors of 200 owners': (index) => ({ holder: guestOf(`visitors of:${index}`) }),
  'one user': () => ({ holder: holderOf('user:eve') })
}

/** A cheap hash that the program would never create. */
const CHEAP = `$argon2id$v=19$m=8,t=1,p=1$BwcHBwcHBwc$${'A'.repeat(43)}`

/** Takes one share of a resource, and returns it after a while. */
type Use = () => Promise<unknown>

const turn = () => new Promise((resolve) => setImmediate(resolve))

const ofSlots = (slots: number, waiting: number): Use => {
  const all = new Slots({ slots, waiting })
  return () => all.run(turn)
}

/** All shared resources, keyed by the file that manages them. */
const resources: Record<string, (t: Test) => Promise<Use>> = {
  'graph/jobs/scheduler.ts': async (t) => {
    const limits = { maxNodes: 100_000, maxEdges: 100_000, bodyLimit: 8 * 1024 * 1024 }
    const worker = new GraphWorker(limits, { startThread })
    t.teardown(() => worker.close())
    const body = '{}'.padEnd(2_000_000)
    return () => worker.readBody(Buffer.from(body))
  },
  'db/users/passwords.ts': async () => () => verifyPassword('x', CHEAP),
  'graph/jobs/turns.ts': async () => async () => {
    await takeTurn()
    for (const start = performance.now(); performance.now() - start < 0.2; );
  },
  'db/engine/sqlite/commits.ts': async (t) => {
    const { store } = await openTestStore(t, t.testdir({}))
    t.teardown(() => store.close())
    return () => store.write((trx) => trx.selectFrom('user').select('id').execute())
  },
  'db/engine/sqlite/readers.ts': scans,
  'db/engine/postgres/dialect.ts': scans,
  'db/engine/pool.ts': scans,
  // Short reads run sequentially in this thread.
  'db/engine/sqlite/dialect.ts': async () => ofSlots(1, Number.POSITIVE_INFINITY),
  'plugins/http/contents/layouts.ts': async () => ofSlots(1, 256),
  'plugins/http/contents/pictures.ts': async () => ofSlots(8, 1024),
  'plugins/sign-in/provider/provider.ts': async () => ofSlots(50, 100)
}

async function scans(t: Test): Promise<Use> {
  const { store } = await openTestStore(t, t.testdir({}))
  t.teardown(() => store.close())
  const long = sql`WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 50000) SELECT max(n) FROM c`
  return () => long.execute(store.scan)
}

for (const [file, prepare] of Object.entries(resources)) {
  t.test(file, async (t) => {
    const use = await prepare(t)
    const ada = { holder: holderOf('user:ada') }
    for (const [crowd, requesterOf] of Object.entries(crowds)) {
      // Threads are slow to start, and stop when they are idle.
      for (let count = 0; count < 3; count++) await Promise.all([runFor(ada, use), runFor(requesterOf(0), use)])
      /** Returns how many of the crowd's tasks finish while another user's task waits, and how many finish in total. */
      const waitBehind = async () => {
        let done = 0
        const tasks = Array.from({ length: HOLDERS * 2 }, (_, index) =>
          runFor(requesterOf(index % HOLDERS), use).then(
            () => done++,
            ({ code, name }) => t.equal(code ?? name, code ? 'server-busy' : 'StoreBusy')
          )
        )
        // Lets some tasks start.
        for (let turns = 0; turns < 3; turns++) await turn()
        const before = done
        await runFor(ada, use)
        const waited = done - before
        await Promise.all(tasks)
        return { waited, done }
      }
      // If tasks were served in order of arrival, all of these would come first, each time. A busy machine may keep a thread
      // waiting for a while.
      const isFair = ({ waited, done }: { waited: number; done: number }) => waited < (done * 3) / 4
      let found = await waitBehind()
      for (let retry = 0; retry < 2 && !isFair(found); retry++) found = await waitBehind()
      t.ok(isFair(found), `${crowd}: ${found.waited} of ${found.done} tasks came first`)
    }
  })
}

t.test('memory', async (t) => {
  for (const [crowd, requesterOf] of Object.entries(crowds)) {
    const budget = new Budget(10_000, 'Too much.')
    let lost = 0
    for (let index = 0; index < HOLDERS; index++) {
      const share = budget.share(() => lost++, requesterOf(index))
      try {
        share.take(100)
      } catch {}
    }
    const share = budget.share(undefined, { holder: holderOf('user:ada') })
    share.take(4000)
    t.equal(share.bytes, 4000, crowd)
    t.ok(lost <= 40, `${crowd}: ${lost} lost their bytes`)
  }
})

t.test('a guest without competition may use more than half of the memory', async (t) => {
  const budget = new Budget(10_000, 'Too much.')
  const shareOf = (owner: string) => budget.share(undefined, { holder: guestOf(`visitors of:${owner}`) })
  shareOf('eve').take(6000)
  t.throws(() => shareOf('mallory').take(100), { code: 'server-busy' })
})

t.test('the list contains every shared resource', async (t) => {
  const root = join(import.meta.dirname, '../..')
  const files = globSync('{db,graph,plugins,src}/**/*.ts', { cwd: root }).map((file) => file.replaceAll('\\', '/'))
  const giving = files.filter((file) => /new (Slots|FairQueue|Pool)\b/.test(readFileSync(join(root, file), 'utf8')))
  t.same(giving.filter((file) => file !== 'graph/jobs/shares.ts').sort(), Object.keys(resources).sort())
})
