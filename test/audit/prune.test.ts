import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { pathOf } from '../../audit/tiles.ts'
import { isConsistent } from '../../audit/tree.ts'
import { LeafGone, sealLeaves } from '../../db/audit/leaves.ts'
import { AuditLineWriter } from '../../db/audit/line-writer.ts'
import { findLeaf, readLog, readRoot, readSalts, readTile } from '../../db/audit/log.ts'
import { countUnsealed } from '../../db/audit/unsealed.ts'
import { setClock } from '../../db/clock.ts'
import type { Store } from '../../db/store.ts'
import { amendmentsOf } from '../../db/upkeep/amendments.ts'
import { pruneNext, pruningTime } from '../../db/upkeep/audit-pruning.ts'
import { writeTileFolder } from '../../src/audit/tiles.ts'
import { startThread } from '../../src/system/assets.ts'
import { contradictions } from '../support/consistency.ts'
import { bytesOf, foundIn, mayReadBytes } from '../support/database-bytes.ts'
import { engine } from '../support/engine.ts'
import { build, events, triangle } from '../support/helper.ts'
import { run } from '../support/program.ts'
import { killOnce, placeOf, type Server } from './commands.ts'
import { insertEvents } from './recording.ts'

const DAY = 24 * 60 * 60 * 1000

const pruning = (server: Server, days: number) => ['audit', 'prune', '--audit-days', `${days}`, ...placeOf(server)]

const prune = (server: Server, days: number) => run(pruning(server, days))

/** Adds this many events, dated this many days ago. */
function addEvents(store: Store, count: number, daysAgo: number, principal = 'somebody.old') {
  const timestamp = new Date(Date.now() - daysAgo * DAY).toISOString()
  return insertEvents(store, Array(count).fill({ timestamp, principal }))
}

/** Prunes in this process as of `now`. Returns the number of removed events. */
async function pruneHere(store: Store, days: number, now?: number) {
  const amend = await amendmentsOf(store)
  let total = 0
  for (;;) {
    const pruned = await pruneNext(store, amend, days, now)
    if (!pruned) return total
    total += pruned.events
  }
}

/** Checks that the current tree extends the one with this size and root. */
async function expectContinues(t: Test, { as, app, store }: Server, size: number, root: Buffer) {
  t.same(await readRoot(store.read, size), root)
  const now = await app.auditLog.published()
  const { body } = await as('root').get(`/management/audits/log/consistency?from=${size}`)
  const hashes = body.hashes.map((hash: string) => Buffer.from(hash, 'base64'))
  t.equal(body.to, now.size)
  t.ok(now.size > size)
  t.ok(isConsistent(size, root, now.size, now.root, hashes))
}

t.test('complete bundles of old events are removed with their salts, and their hashes remain', async (t) => {
  const built = await build(t)
  const { store, app, as, folder, url } = built
  await addEvents(store, 400, 101)
  await addEvents(store, 300, 100, 'somebody.else')
  await addEvents(store, 5, 60, 'somebody.new')
  await app.auditLog.takeInAll()
  const { size } = await readLog(store.read)
  t.equal(size, 705)
  const root = await readRoot(store.read, size)
  const salts = await readSalts(store.read, 0)
  const before = await sealLeaves(store.read, 512, size)
  const tile = pathOf({ level: 0, index: 0, width: 256 })
  const bundle = pathOf({ level: 'entries', index: 0, width: 256 })
  t.equal((await as('root').get(`/management/audits/log/${bundle}`)).status, 200)
  const reads = await mayReadBytes(t, folder, url)
  const values = {
    salt: Buffer.from(salts.subarray(0, 16)),
    event: 'somebody.old',
    time: new Date(Date.now() - 101 * DAY).toISOString().slice(0, 10)
  }
  if (reads) t.same(foundIn(await bytesOf(folder, url), values), ['salt', 'event', 'time'])

  t.same(await prune(built, 61), {
    code: 0,
    stdout: `Removed 512 events older than ${pruningTime(61).slice(0, 10)}. The log keeps all events from index 512 on, and all hashes.\n`,
    stderr: ''
  })
  t.match(await readLog(store.read), { firstIndex: 512, size })
  t.same(
    (await events(store)).map(({ id }) => id),
    Array.from({ length: 194 }, (_, index) => 513 + index)
  )
  const [told] = await events(store, 'AUDIT_PRUNED')
  const data = { firstIndex: '512', events: '512', toId: '512', days: '61' }
  t.same(
    [told?.principal, told?.targetType, told?.data],
    ['system', null, { ...data, toTime: (await events(store))[0]?.timestamp }]
  )
  t.same([await readSalts(store.read, 0), await readSalts(store.read, 1)], [Buffer.alloc(0), Buffer.alloc(0)])
  t.same(await sealLeaves(store.read, 512, size), before)
  t.same(await contradictions(store), [])
  t.equal(await countUnsealed(store.read), 1)
  if (reads) t.same(foundIn(await bytesOf(folder, url), { salt: values.salt, event: values.event }), [])
  if (engine === 'SQLite') t.equal((await run(['check', '--data', folder])).code, 0)

  await app.auditLog.takeInAll()
  t.equal(await countUnsealed(store.read), 0)
  await expectContinues(t, built, size, root)
  const last = pathOf({ level: 'entries', index: 2, width: 706 - 512 })
  for (const [path, status] of [
    ['1', 404],
    ['1/proof', 404],
    ['513/proof', 200],
    [`log/${bundle}`, 404],
    [`log/${tile}`, 200],
    [`log/${last}`, 200]
  ] as const) {
    t.equal((await as('root').get(`/management/audits/${path}`)).status, status, path)
  }
  t.same(await prune(built, 61), {
    code: 0,
    stdout: `Nothing to remove: no bundle of 256 events is entirely older than ${pruningTime(61).slice(0, 10)}.\n`,
    stderr: ''
  })
})

t.test('a bundle with one event from today is kept, and so are all later ones', async (t) => {
  const { store, app } = await build(t)
  await addEvents(store, 356, 50)
  await addEvents(store, 1, 0)
  await addEvents(store, 600, 50)
  await app.auditLog.takeInAll()
  t.equal(await pruneHere(store, 30), 256)
  t.equal((await readLog(store.read)).firstIndex, 256)
})

t.test('incomplete bundles are kept, for 255, 256 and 257 events', async (t) => {
  for (const count of [255, 256, 257]) {
    const { store, app } = await build(t)
    await addEvents(store, count, 50)
    await app.auditLog.takeInAll()
    const root = await readRoot(store.read, count)
    t.equal(await pruneHere(store, 30), count === 255 ? 0 : 256, `${count}`)
    await app.auditLog.takeInAll()
    t.same(await readRoot(store.read, count), root)
    t.equal((await readLog(store.read)).size, count === 255 ? 255 : count + 1)
  }
})

t.test('the cut-off is a whole day: events from the day N days ago are kept', async (t) => {
  t.equal(pruningTime(30, Date.parse('2026-11-24T23:59:59.999Z')), '2026-10-25T00:00:00.000Z')
  t.equal(pruningTime(30, Date.parse('2026-11-24T00:00:00.000Z')), '2026-10-25T00:00:00.000Z')
  const { store, app } = await build(t)
  await addEvents(store, 256, 30)
  await app.auditLog.takeInAll()
  t.equal(await pruneHere(store, 30), 0)
  t.equal(await pruneHere(store, 30, Date.now() + DAY), 256)
})

t.test('versions whose events were removed are still listed, including the first', async (t) => {
  const built = await build(t)
  const { store, app, as, folder } = built
  const ada = as('ada')
  t.equal((await ada.post('/api/graphs', { ...triangle, name: 'One' })).status, 201)
  for (const name of ['Two', 'Three']) t.equal((await ada.patch('/api/graphs/1', { name })).status, 200)
  await addEvents(store, 253, 0)
  await app.auditLog.takeInAll()
  t.equal((await ada.patch('/api/graphs/1', { name: 'Four' })).status, 200)
  await app.auditLog.takeInAll()
  t.equal(await pruneHere(store, 30, Date.now() + 40 * DAY), 256)
  const { body } = await ada.get('/api/graphs/1/versions?sort=version,asc')
  t.same(
    body.map(({ version, auditEventId }: { version: number; auditEventId?: number }) => [version, auditEventId]),
    [
      [1, undefined],
      [2, 2],
      [3, 3],
      [4, 257]
    ]
  )
  t.equal((await ada.get('/api/graphs/1/versions/1')).status, 200)
  t.equal((await as('root').get('/management/audits/2')).status, 404)
  t.same(await contradictions(store), [])
  if (engine === 'SQLite') {
    t.equal((await run(['check', '--data', folder])).code, 0)
    const amend = await amendmentsOf(store)
    await amend(['auditEvent', 'auditDay'], async (trx) => {
      await trx.deleteFrom('auditEvent').where('id', '=', 257).execute()
    })
    t.match((await run(['check', '--data', folder])).stderr, /the event for a version is missing: 1/)
  }
})

t.test('events with low ids that entered the log late are kept, as are their runs and day counts', async (t) => {
  const { store, app } = await build(t)
  await addEvents(store, 300, 90)
  await addEvents(store, 300, 89)
  await app.auditLog.takeInAll()
  t.equal(await pruneHere(store, 30), 512)
  const runs = await store.read.selectFrom('auditRun').selectAll().execute()
  t.same(runs, [{ firstIndex: 0, firstId: 1, count: 600 }], 'the run with the last leaf remains complete')
  t.equal(await findLeaf(store.read, 600), 599)
  await app.auditLog.takeInAll()
  await addEvents(store, 100, 80)
  await app.auditLog.takeInAll()
  t.equal((await readLog(store.read)).size, 701)
  t.equal(await countUnsealed(store.read), 0)
  t.equal((await sealLeaves(store.read, 512, 701)).length, 189)
})

t.test('an already missing event is reported, not skipped', async (t) => {
  const { store, app } = await build(t)
  await addEvents(store, 600, 50)
  await app.auditLog.takeInAll()
  const amend = await amendmentsOf(store)
  await amend(['auditEvent'], (trx) => trx.deleteFrom('auditEvent').where('id', '=', 301).execute())
  await t.rejects(pruneHere(store, 30), new LeafGone(300))
  t.equal((await readLog(store.read)).firstIndex, 0)
})

t.test('the command refuses fewer than 30 days', async (t) => {
  const built = await build(t)
  t.match(await prune(built, 29), { code: 2, stderr: /^graphstead audit prune: --audit-days / })
  t.match(await run(['audit', 'prune', ...placeOf(built)]), {
    code: 2,
    stderr: /^graphstead audit prune: --audit-days is missing/
  })
})

t.test('a pruning killed beside a busy server leaves only complete transactions, and can be resumed', async (t) => {
  const built = await build(t)
  const { store, app, as } = built
  for (let day = 0; day < 8; day++) await addEvents(store, 1000, 200 - day)
  await app.auditLog.takeInAll()
  const { size } = await readLog(store.read)
  const root = await readRoot(store.read, size)
  let isOver = false
  const writing = (async () => {
    while (!isOver) {
      t.equal((await as('bob').post('/api/graphs', triangle)).status, 201)
      await app.auditLog.takeInAll()
      await sleep(10)
    }
  })()
  for (const transactions of [1, 4]) {
    const isDue = async () => (await events(store, 'AUDIT_PRUNED')).length >= transactions
    t.equal(await killOnce(pruning(built, 30), built, isDue), null)
    const { firstIndex } = await readLog(store.read)
    const told = await events(store, 'AUDIT_PRUNED')
    t.equal(told.at(-1)?.data.firstIndex, String(firstIndex))
    t.equal(
      told.reduce((sum, { data }) => sum + Number(data.events), 0),
      firstIndex
    )
    t.ok(firstIndex < 7936, `${firstIndex} events were removed`)
    t.equal((await sealLeaves(store.read, firstIndex, firstIndex + 256)).length, 256)
    t.same(await readSalts(store.read, firstIndex / 256 - 1), Buffer.alloc(0))
    t.equal((await readTile(store.read, 0, 0)).length, 8192)
  }
  const { code, stderr } = await prune(built, 30)
  t.same({ code, stderr }, { code: 0, stderr: '' })
  isOver = true
  await writing
  t.equal((await readLog(store.read)).firstIndex, 7936)
  await app.auditLog.takeInAll()
  await expectContinues(t, built, size, root)
})

t.test('nothing is removed while the clock is ahead of the trusted time', async (t) => {
  const built = await build(t)
  const { store, app } = built
  await addEvents(store, 300, 70)
  await app.auditLog.takeInAll()
  const seen = (daysAgo: number) =>
    store.write((trx) => setClock(trx, { trustedAt: Date.now() - daysAgo * DAY, ran: DAY }))
  // The clock is now ten days ahead of the trusted time.
  await seen(11)
  const before = pruningTime(61, Date.now() - 10 * DAY + 60 * 60 * 1000).slice(0, 10)
  t.match(await prune(built, 61), {
    code: 0,
    stdout: `Nothing to remove: no bundle of 256 events is entirely older than ${before}.\n`,
    stderr:
      /^graphstead audit prune: the clock shows \S+, which no server trusts yet, so the days are counted back from \S+Z\. A server trusts /
  })
  await seen(1)
  t.match((await prune(built, 61)).stdout, /^Removed 256 events /)
})

t.test('two concurrent prunings remove each event once, and neither reports the other as damage', async (t) => {
  const { store, app } = await build(t)
  await addEvents(store, 2560, 50)
  await app.auditLog.takeInAll()
  const removed = await Promise.all([1, 2, 3].map(() => pruneHere(store, 30)))
  t.equal(
    removed.reduce((sum, one) => sum + one, 0),
    2560
  )
  t.equal((await readLog(store.read)).firstIndex, 2560)
})

t.test('a tile folder written during a pruning has no holes', async (t) => {
  const built = await build(t)
  const { store, app, folder } = built
  await addEvents(store, 3000, 50)
  await app.auditLog.takeInAll()
  const early = await app.auditLog.published()
  const out = join(folder, 'tiles')
  const writer = new AuditLineWriter(startThread)
  t.teardown(() => writer.close())
  const amend = await amendmentsOf(store)
  // The first leaves are read before the pruning, and written after it.
  let pruning: Promise<unknown> | undefined
  const write = writer.write.bind(writer)
  writer.write = async (leaves) => {
    pruning ??= pruneNext(store, amend, 30)
    await pruning
    return write(leaves)
  }
  const events = await writeTileFolder(store, writer, out, early, () => {})
  const { firstIndex } = await readLog(store.read)
  t.equal(firstIndex, 1024)
  t.equal(events, 3000 - firstIndex)
  const indexes = readFileSync(join(out, 'events.jsonl'), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line).index)
  t.same(
    indexes,
    Array.from({ length: 3000 - firstIndex }, (_, place) => firstIndex + place)
  )
  const bundles = Array.from({ length: 11 }, (_, index) =>
    existsSync(join(out, pathOf({ level: 'entries', index, width: 256 })))
  )
  t.same(bundles, [...Array(4).fill(false), ...Array(7).fill(true)])
  // The next export includes the event that records the pruning.
  await app.auditLog.takeInAll()
  await writeTileFolder(store, writer, out, await app.auditLog.published(), () => {})
  const key = join(folder, 'kept.vkey')
  writeFileSync(key, `${early.key}\n`)
  const kept = join(folder, 'kept.checkpoint')
  writeFileSync(kept, early.checkpoint)
  const outcome = await run(['audit', 'verify', out, '--key', key, '--kept', kept])
  t.equal(outcome.code, 0, outcome.stdout + outcome.stderr)
})
