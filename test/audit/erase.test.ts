import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { type Parts, parts, SALTS_LENGTH } from '../../audit/entry.ts'
import { idsOf, rangesText } from '../../audit/removals.ts'
import { TILE_WIDTH } from '../../audit/tiles.ts'
import { sealBatch } from '../../db/audit/batch.ts'
import { recordEvent } from '../../db/audit/events.ts'
import { sealLeaves } from '../../db/audit/leaves.ts'
import { findLeaf, readLog, readSalts } from '../../db/audit/log.ts'
import type { AuditSealer } from '../../db/audit/sealer.ts'
import { AuditSequencer } from '../../db/audit/sequencer.ts'
import type { Store } from '../../db/store.ts'
import { type AuditEventRow, TABLES } from '../../db/tables.ts'
import { amendmentsOf } from '../../db/upkeep/amendments.ts'
import { batchesOf, eraseFrom, findEvents, partsWith } from '../../db/upkeep/erasure.ts'
import { contradictions, rowsOf } from '../support/consistency.ts'
import { bytesOf, foundIn, mayReadBytes } from '../support/database-bytes.ts'
import { engine, only } from '../support/engine.ts'
import { addUser, build, events, PASSWORD, proven, triangle } from '../support/helper.ts'
import { run } from '../support/program.ts'
import { killOnce, placeOf, type Server } from './commands.ts'
import { expectSame, keepLog } from './kept-log.ts'
import { insertEvents } from './recording.ts'

const LOGIN = 'ada.lovelace-1815'
const IP = '203.0.113.77'
const AGENT = 'adas-own-agent/1.0'
const REASON = 'asked for it by letter of 2026-11-20'

function erase(built: Server, login = LOGIN, reason = REASON) {
  return run(['audit', 'erase', '--principal', login, '--reason', reason, ...placeOf(built)])
}

/** Starts a server with a deleted user who has left traces everywhere, and another user who remains. */
async function addPerson(t: Test) {
  const built = await build(t, { trustProxy: '127.0.0.0/8' })
  const { as } = built
  const own = { 'x-forwarded-for': IP, 'user-agent': AGENT }
  const [root, ada, bob] = [as('root'), as(LOGIN), as('bob')]
  const ok = async (answer: Promise<{ status: number; text: string }>) => {
    const { status, text } = await answer
    t.ok(status < 300, text)
  }
  for (const client of [ada, as('audrey')]) t.equal((await client.get('/api/account')).status, 200)
  await ok(bob.post('/api/graphs', { name: 'About someone' }))
  await ok(root.patch(`/api/users/${LOGIN}`, { role: 'ADMIN', ...proven }))
  await ok(ada.post('/api/graphs', { ...triangle, name: 'Analytical engine' }, own))
  await ok(ada.patch('/api/graphs/2', { name: 'Analytical engine, later' }, own))
  await ok(ada.put('/api/graphs/2/access/users/audrey', { access: 'READ' }, own))
  await ok(ada.post('/api/graphs', { name: 'Notes' }, own))
  await ok(bob.post('/api/graphs', { name: "Bob's" }))
  await ok(ada.delete('/api/graphs/4', own))
  await ok(root.post('/api/groups', { name: 'engineers' }))
  await ok(root.put(`/api/groups/engineers/members/${LOGIN}`))
  await ok(root.post('/api/users', { login: 'robot', kind: 'SERVICE', role: 'USER' }))
  await ok(ada.put('/api/graphs/2/views/wide', { query: 'size=degree' }, own))
  await ok(ada.post('/api/graphs/2/links', {}, own))
  await ok(ada.post('/api/users/robot/tokens', { name: 'nightly', scopes: ['read:graphs'], password: PASSWORD }, own))
  await ok(
    ada.put('/api/users/audrey/identity', { issuer: 'https://login.example.org', subject: 'a', ...proven.proof }, own)
  )
  t.equal((await ada.get('/api/users/nobody', own)).status, 404)
  for (const id of [2, 3]) await ok(ada.patch(`/api/graphs/${id}`, { owner: 'bob' }, own))
  await ok(root.delete(`/api/users/${LOGIN}`))
  await built.app.auditLog.takeInAll()
  return built
}

/** Lists the tables that contain the text. */
async function tablesWithText(store: Store, text: string) {
  const rows = await rowsOf(store, Object.keys(TABLES) as (keyof typeof TABLES)[])
  return Object.entries(rows)
    .filter(([, rows]) => rows.some((row) => row.includes(text)))
    .map(([table]) => table)
}

t.test(
  'a deleted person is erased from events, records and bytes; roots, bundles and exports stay unchanged',
  async (t) => {
    const built = await addPerson(t)
    const { store, folder, url } = built
    const before = await keepLog(store)
    const all = await events(store)
    const held = all.filter(({ id }) =>
      before.leaves.some(({ row }) => row.id === id && JSON.stringify(row).includes(LOGIN))
    )
    t.ok(held.length > 10)
    t.same(
      (await tablesWithText(store, LOGIN)).sort(),
      [
        ...['apiToken', 'auditEvent', 'graph', 'graphCount', 'graphGrant', 'graphVersion', 'link'],
        ...['savedView', 'trash', 'usage', 'userIdentity']
      ],
      'traces exist before the erasure'
    )
    const salts = new Map<string, Buffer>()
    const ids: Parts<number[]> = { details: [], principal: [], request: [] }
    for (const { index, row } of before.leaves) {
      const start = (index % TILE_WIDTH) * SALTS_LENGTH
      const own = (await readSalts(store.read, Math.floor(index / TILE_WIDTH))).subarray(start, start + SALTS_LENGTH)
      const isOwn = row.principal === LOGIN
      const isAbout = row.targetName === LOGIN || Object.values(JSON.parse(row.data)).includes(LOGIN)
      for (const [place, part] of parts.entries()) {
        if (!(part === 'details' ? isAbout : isOwn)) continue
        salts.set(`salt ${index} ${part}`, Buffer.from(own.subarray(place * 16, place * 16 + 16)))
        ids[part].push(row.id)
      }
    }
    // The word index stores the login in another form, and its first letters may be part of another term.
    const WORD = 'da\ue001lovelace\ue0041815'
    const values = { LOGIN, WORD, IP, AGENT, ...Object.fromEntries(salts) }
    const reads = await mayReadBytes(t, folder, url)
    // The planner statistics contain values too.
    if (url !== undefined) await sql`ANALYZE`.execute(store.read)
    if (reads)
      t.same(
        foundIn(await bytesOf(folder, url), values).length,
        4 + salts.size,
        'the search finds the values before the erasure'
      )

    const records = 13
    t.same(await erase(built), {
      code: 0,
      stdout: `Erased ${salts.size} parts of ${held.length} events, and the login in ${records} other records.
Rewrote the database. Earlier backups, exports, copies and logs still contain the values.
`,
      stderr: ''
    })
    await expectSame(t, store, before)
    t.same(await tablesWithText(store, LOGIN), [])
    t.same(await tablesWithText(store, IP), [])
    if (reads) t.same(foundIn(await bytesOf(folder, url), values), [], 'no file contains a value or salt')

    const now = await events(store)
    const erased = new Map(now.map((event) => [event.id, event]))
    for (const event of all) {
      const isOwn = event.principal === LOGIN
      const isAbout = event.targetName === LOGIN || Object.values(event.data).includes(LOGIN)
      t.same(erased.get(event.id), {
        ...event,
        ...(isOwn && { principal: '', request: null }),
        ...(isAbout && { data: {}, targetName: event.targetName === null ? null : '' })
      })
    }
    const told = now.filter(({ type }) => type === 'AUDIT_ERASED')
    t.same(told[0] && { principal: told[0].principal, request: told[0].request, data: told[0].data }, {
      principal: 'system',
      request: null,
      data: {
        events: String(held.length),
        parts: String(salts.size),
        'ids.details': rangesText(ids.details),
        'ids.principal': rangesText(ids.principal),
        'ids.request': rangesText(ids.request),
        reason: REASON
      }
    })
    t.same(
      told.slice(1).reduce((sum, { data }) => sum + Number(data.records), 0),
      records
    )
    t.same(await contradictions(store), [])
    if (engine === 'SQLite') t.equal((await run(['check', '--data', folder])).code, 0)

    t.same(await erase(built), {
      code: 0,
      stdout: `No record contains the login ${LOGIN}.
Rewrote the database. Earlier backups, exports, copies and logs still contain the values.
`,
      stderr: ''
    })
    t.equal((await events(store)).length, now.length, 'a second run records no event')

    // The server keeps running, and adds the events about the erasure to its log.
    await built.app.auditLog.takeInAll()
    t.equal((await built.as('root').post('/api/graphs', triangle)).status, 201)
    await expectSame(t, store, before)
    const shown = await built.as('root').get(`/management/audits/${held[1]?.id}`)
    t.same([shown.status, shown.body.principal, 'request' in shown.body], [200, '', false])
    t.same((await built.as('root').get(`/management/audits?principal=${LOGIN}`)).body, [])
  }
)

/** Adds events by these principals as fast as possible. */
async function addEvents(store: Store, principals: readonly string[]) {
  await store.write(async (trx) => {
    const request = { id: 'x', ip: IP, method: 'GET', route: '/api/graphs' }
    for (const principal of principals) {
      await recordEvent(trx, { principal, request }, { type: 'AUTHORIZATION_FAILURE', outcome: 'DENIED' })
    }
  })
}

/** Erases the login in this process. Returns the numbers of erased events and of events not yet in the log. */
async function eraseHere(store: Store, login = LOGIN) {
  const amend = await amendmentsOf(store)
  let events = 0
  const unsealed: number[] = []
  for (let after = 0; ; ) {
    const found = await findEvents(store, login, after)
    if (!found) return { events, unsealed }
    const some = await eraseFrom(store, amend, found.ids, { login, reason: REASON })
    events += some.erased.events
    unsealed.push(...some.unsealed)
    after = found.to
  }
}

/** Checks that the AUDIT_ERASED events list exactly the erased parts. */
async function expectTold(t: Test, store: Store) {
  const told = (await events(store, 'AUDIT_ERASED')).filter(({ data }) => data.records === undefined)
  const digests = await store.read.selectFrom('auditErased').selectAll().execute()
  t.equal(
    told.reduce((sum, { data }) => sum + Number(data.parts), 0),
    digests.length
  )
  for (const part of parts) {
    const leaves: (number | undefined)[] = []
    for (const { data } of told) for (const id of idsIn(data[idsOf(part)])) leaves.push(await findLeaf(store.read, id))
    const erased = digests.filter((digest) => digest.part === part).map(({ index }) => index)
    t.same(
      leaves.sort((a = 0, b = 0) => a - b),
      erased.sort((a, b) => a - b),
      part
    )
  }
}

/** Returns the ids in a list of ranges. */
function idsIn(text: string | undefined) {
  if (text === undefined) return []
  return text.split(',').flatMap((range) => {
    const [from = 0, to = from] = range.split('-').map(Number)
    return Array.from({ length: to - from + 1 }, (_, step) => from + step)
  })
}

t.test('only the given events are erased, at bundle edges and in the last partial bundle', async (t) => {
  const { store, app } = await build(t)
  const erased = [0, 254, 255, 256, 257, 511, 512, 599]
  await addEvents(
    store,
    Array.from({ length: 600 }, (_, index) => (erased.includes(index) ? LOGIN : 'bob'))
  )
  await app.auditLog.takeInAll()
  const before = await keepLog(store)
  t.same(await eraseHere(store), { events: erased.length, unsealed: [] })
  await expectSame(t, store, before)
  await expectTold(t, store)
  const salts = Buffer.concat(await Promise.all([0, 1, 2].map((bundle) => readSalts(store.read, bundle))))
  const blank: string[] = []
  for (let index = 0; index < 600; index++) {
    for (const [place, part] of parts.entries()) {
      const start = index * SALTS_LENGTH + place * 16
      if (salts.subarray(start, start + 16).equals(Buffer.alloc(16))) blank.push(`${index} ${part}`)
    }
  }
  t.same(
    blank,
    erased.flatMap((index) => [`${index} principal`, `${index} request`])
  )
  t.same(await eraseHere(store), { events: 0, unsealed: [] })
})

t.test('salts erased while the sequencer prepares a batch stay erased', async (t) => {
  const { store, app, auditKey } = await build(t)
  await addEvents(store, [LOGIN, 'bob', LOGIN])
  await app.auditLog.takeInAll()
  const before = await keepLog(store)
  await addEvents(store, ['bob', 'bob'])
  const sealer = {
    async seal(...[end, rows]: Parameters<typeof sealBatch>) {
      const batch = sealBatch(end, rows)
      t.same(await eraseHere(store), { events: 2, unsealed: [] })
      return batch
    }
  }
  await new AuditSequencer(store, auditKey, sealer as unknown as AuditSealer).run()
  await app.auditLog.takeInAll()
  const { size } = await readLog(store.read)
  t.equal(size, 6)
  const salts = await readSalts(store.read, 0)
  t.equal(salts.length, size * SALTS_LENGTH)
  t.same(salts.subarray(16, 48), Buffer.alloc(32))
  await expectSame(t, store, before)
  t.equal((await sealLeaves(store.read, 0, size)).length, size)
})

t.test('an event that is not in the log yet is erased only after it enters the log', async (t) => {
  const { store, app } = await build(t)
  await addEvents(store, [LOGIN])
  await app.auditLog.takeInAll()
  await addEvents(store, [LOGIN])
  t.same(await eraseHere(store), { events: 1, unsealed: [2] })
  t.same(
    (await events(store)).map(({ principal }) => principal),
    ['', LOGIN, 'system']
  )
  await app.auditLog.takeInAll()
  const before = await keepLog(store)
  t.same(await eraseHere(store), { events: 1, unsealed: [] })
  await expectSame(t, store, before)
  await expectTold(t, store)
})

t.test('a late event is erased once it enters the log', only('PostgreSQL', 'SQLite has no late events'), async (t) => {
  const { store, app } = await build(t)
  await addEvents(store, ['bob'])
  const { rows } = await sql<{ id: number }>`SELECT nextval('"auditEvent_id_seq"') AS "id"`.execute(store.read)
  await addEvents(store, ['bob', LOGIN])
  await app.auditLog.takeInAll()
  await insertEvents(store, [{ id: Number(rows[0]?.id), principal: LOGIN }])
  t.same(await eraseHere(store), { events: 1, unsealed: [2] })
  await app.auditLog.takeInAll()
  const before = await keepLog(store)
  t.equal(before.leaves.find(({ row }) => row.id === 2)?.index, 3)
  t.same(await eraseHere(store), { events: 1, unsealed: [] })
  await expectSame(t, store, before)
  await expectTold(t, store)
})

t.test('the command waits for the server to sequence new events, and fails if no server is running', async (t) => {
  const waited = await build(t)
  await addEvents(waited.store, [LOGIN])
  const command = erase(waited)
  await sleep(2500)
  await waited.app.auditLog.takeInAll()
  t.match(await command, { code: 0, stdout: /^Erased 2 parts of 1 event, and the login in 0 other records\.\n/ })

  const alone = await build(t)
  await addEvents(alone.store, [LOGIN])
  t.same(await erase(alone), {
    code: 1,
    stdout: '',
    stderr: `graphstead audit erase: could not erase 1 event of ${LOGIN} because the log does not contain it yet. Start the server, then run the command again.\n`
  })
  t.equal((await events(alone.store))[0]?.principal, LOGIN)
})

t.test('unusual logins are distinguished from similar ones', async (t) => {
  const { store, app } = await build(t)
  await addEvents(store, ['a_b', 'axb', 'a.b', 'a%b', 'a', 'ab', 'a"b', 'id', '0'])
  for (const data of [{ a_b: 'x', 'member.new': 'a_b c', note: 'id' }, { 'member.new': 'a_b' }]) {
    await store.write((trx) => recordEvent(trx, { principal: 'root' }, { type: 'GROUP_UPDATED', data }))
  }
  await app.auditLog.takeInAll()
  const before = await keepLog(store)
  t.same(await eraseHere(store, 'a_b'), { events: 2, unsealed: [] })
  t.same(await eraseHere(store, 'a"b'), { events: 1, unsealed: [] })
  t.same(await eraseHere(store, 'id'), { events: 2, unsealed: [] })
  t.same(
    (await events(store)).slice(0, 11).map(({ principal, data }) => [principal, data]),
    [...['', 'axb', 'a.b', 'a%b', 'a', 'ab', '', '', '0'].map((name) => [name, {}]), ['root', {}], ['root', {}]]
  )
  await expectSame(t, store, before)
})

t.test(
  'existing users, the system and visitors cannot be erased, and the reason must not contain the login',
  async (t) => {
    const built = await build(t)
    await addUser(built.store, 'ada')
    const cases: [args: string[], message: string][] = [
      [['--principal', 'ada', '--reason', 'asked'], 'The user ada still exists. Delete the user first.'],
      [['--principal', 'system', '--reason', 'asked'], '--principal system is not a user'],
      [['--principal', 'anonymous', '--reason', 'asked'], '--principal anonymous is not a user'],
      [['--reason', 'asked'], '--principal is missing'],
      [['--principal', 'bob'], '--reason is missing'],
      [['--principal', 'bob', '--reason', 'for Bob.'], '--reason must not contain the login']
    ]
    for (const [args, message] of cases) {
      const { stderr } = await run(['audit', 'erase', ...args, ...placeOf(built)])
      t.equal(stderr.split(';')[0]?.trim(), `graphstead audit erase: ${message}`)
    }
    t.same(await erase(built, 'nobody'), { code: 0, stdout: 'No record contains the login nobody.\n', stderr: '' })
    t.same(await events(built.store), [])
  }
)

t.test('an account recreated during the erasure stops it', async (t) => {
  const { store, app } = await build(t)
  await addEvents(store, [LOGIN])
  await app.auditLog.takeInAll()
  await addUser(store, LOGIN)
  await t.rejects(eraseHere(store), { name: 'StoreRefused', message: /Delete the user first/ })
  t.equal((await events(store))[0]?.principal, LOGIN)
})

t.test('an erasure killed beside a busy server leaves only complete transactions, and can be resumed', async (t) => {
  const built = await build(t)
  const { store, app, as } = built
  await addEvents(
    store,
    Array.from({ length: 3000 }, (_, index) => (index % 50 < 10 ? 'bob' : LOGIN))
  )
  await app.auditLog.takeInAll()
  const before = await keepLog(store)
  let isOver = false
  let written = 0
  const writing = (async () => {
    while (!isOver) {
      t.equal((await as('bob').post('/api/graphs', triangle)).status, 201)
      await app.auditLog.takeInAll()
      written++
      await sleep(10)
    }
  })()
  const args = ['audit', 'erase', '--principal', LOGIN, '--reason', REASON, ...placeOf(built)]
  for (const transactions of [1, 3]) {
    const code = await killOnce(args, built, async () => (await events(store, 'AUDIT_ERASED')).length >= transactions)
    t.equal(code, null)
    await expectTold(t, store)
    const left = (await events(store)).filter(({ principal }) => principal === LOGIN).length
    t.ok(left > 0, `${left} events remain`)
  }
  const { code, stderr } = await erase(built)
  t.same({ code, stderr }, { code: 0, stderr: '' })
  isOver = true
  await writing
  t.ok(written > 5, `${written} graphs were written meanwhile`)
  await expectTold(t, store)
  await expectSame(t, store, before)
  t.same(await tablesWithText(store, LOGIN), [])
})

t.test('the triggers are restored after an erasure, even if it fails', async (t) => {
  const { store, app } = await build(t)
  const triggers = async () => {
    const { rows } =
      engine === 'SQLite'
        ? await sql`SELECT "name", "sql" FROM sqlite_schema WHERE "type" = 'trigger' ORDER BY "name"`.execute(
            store.read
          )
        : await sql`SELECT tgname, tgenabled, pg_get_triggerdef(oid) FROM pg_trigger ORDER BY 1`.execute(store.read)
    return rows
  }
  await addEvents(store, [LOGIN])
  await app.auditLog.takeInAll()
  const before = await triggers()
  await eraseHere(store)
  t.same(await triggers(), before)
  const amend = await amendmentsOf(store)
  await t.rejects(
    amend(['auditEvent', 'auditDay', 'graphCount', 'usage'], async (trx) => {
      await trx.deleteFrom('auditEvent').execute()
      throw new Error('changed my mind')
    }),
    { message: 'changed my mind' }
  )
  t.same(await triggers(), before)
  await t.rejects(
    store.write((trx) => trx.deleteFrom('auditEvent').execute()),
    /append-only/
  )
  await t.rejects(
    store.write((trx) => trx.updateTable('auditEvent').set({ principal: '' }).execute()),
    /append-only/
  )
  t.equal((await events(store)).length, 2)
})

t.test('ids are listed as ranges, and each transaction contains few of them', async (t) => {
  t.equal(rangesText([3]), '3')
  t.equal(rangesText([3, 4, 5, 7, 12, 13]), '3-5,7,12-13')
  const spread = Array.from({ length: 250 }, (_, place) => 1_000_000 + 2 * place)
  t.same([...batchesOf(spread)], [spread.slice(0, 100), spread.slice(100, 200), spread.slice(200)])
  const close = Array.from({ length: 1001 }, (_, place) => place)
  t.same([...batchesOf(close)], [close.slice(0, 500), close.slice(500, 1000), [1000]])
  t.same([...batchesOf([])], [])
})

t.test('erasing a numeric login leaves events about the log itself unchanged', (t) => {
  const row = { principal: 'system', request: null, targetName: null }
  const data = JSON.stringify({ events: '12', days: '12', missing: '12' })
  const partsOf = (type: string) => partsWith({ ...row, type, data } as AuditEventRow, '12')
  t.same(['AUDIT_ERASED', 'AUDIT_PRUNED', 'AUDIT_EPOCH_STARTED'].map(partsOf), [[], [], []])
  t.same(partsOf('USER_DELETED'), ['details'])
  t.end()
})

t.test(
  'an erasure waits for the events of running transactions',
  only('PostgreSQL', 'SQLite runs one transaction at a time'),
  async (t) => {
    const built = await build(t)
    const { store, app } = built
    await addEvents(store, ['bob'])
    const begun = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const slow = store.write(async (trx) => {
      await recordEvent(trx, { principal: LOGIN }, { type: 'SESSION_ENDED' })
      begun.resolve()
      await go.promise
    })
    await begun.promise
    await addEvents(store, ['bob'])
    const erasing = erase(built)
    await sleep(2500)
    go.resolve()
    await slow
    // A server would sequence the events within a second.
    await app.auditLog.takeInAll()
    t.match(await erasing, { code: 0, stdout: /^Erased 2 parts of 1 event,/ })
    t.same(await tablesWithText(store, LOGIN), [])
  }
)
