import { join } from 'node:path'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import pg from 'pg'
import t, { type Test } from 'tap'
import { system } from '../../db/actors.ts'
import { type AuditFilter, countAudits, listAudits, recordEvent } from '../../db/audit/events.ts'
import type { Store } from '../../db/store.ts'
import { periodOf } from '../../plugins/http/periods.ts'
import type { AuditEvent } from '../../schemas/audit.ts'
import type { Slice } from '../../schemas/parameters.ts'
import { engine } from '../support/engine.ts'
import { build, problem, triangle, watchReads } from '../support/helper.ts'
import { insertEvents } from './recording.ts'

/** Inserts events with these timestamps. */
function seed(store: Store, timestamps: string[]) {
  const rows = timestamps.map((timestamp) => ({ timestamp, type: 'GRAPH_CREATED' as const }))
  return insertEvents(store, rows)
}

const timesOf = (body: { timestamp: string }[]) => body.map(({ timestamp }) => timestamp)

t.test('administrators and auditors read the audit trail, newest first; attempts by others are recorded', async (t) => {
  const { as, store } = await build(t)
  await as('ada').post('/api/graphs', triangle)
  await as('ada').patch('/api/graphs/1', { name: 'Renamed' })
  for (const login of ['root', 'audrey']) {
    const { status, body, headers } = await as(login).get('/management/audits')
    t.equal(status, 200)
    t.equal(headers['x-total-count'], '2')
    t.match(body, [
      {
        id: 2,
        timestamp: /Z$/,
        principal: 'ada',
        type: 'GRAPH_UPDATED',
        outcome: 'SUCCESS',
        request: { id: /^[0-9a-f-]{36}$/, ip: '127.0.0.1', method: 'PATCH', route: '/api/graphs/{id}' },
        data: { 'name.old': 'Triangle', 'name.new': 'Renamed' }
      },
      { id: 1, type: 'GRAPH_CREATED' }
    ])
  }
  t.match(await as('ada').get('/management/audits'), problem(403, 'forbidden'))
  t.match(await as('ada').get('/management/audits/1'), problem(403, 'forbidden'))
  t.match(await as().get('/management/audits'), problem(401, 'token-missing'))
  t.match((await as('root').get('/management/audits?type=AUTHORIZATION_FAILURE')).body, [
    { principal: 'ada', outcome: 'DENIED', request: { route: '/management/audits/{id}' } },
    { principal: 'ada', outcome: 'DENIED', request: { route: '/management/audits' } }
  ])
  t.equal((await store.read.selectFrom('auditEvent').select('id').execute()).length, 4, 'reading records no event')
})

t.test('an event never contains content, a query, a token or an unknown login', async (t) => {
  const { as, tokenOf } = await build(t)
  await as('ada').post('/api/graphs', { ...triangle, content: { nodes: [{ id: 'secret-node' }], edges: [] } })
  await as().post('/api/authenticate', { username: 'my secret password', password: 'hunter2hunter2' })
  await as().post('/api/authenticate', { username: 'ada', password: 'hunter2hunter2' })
  await as('bob').get('/management/audits?principal=secret-query')
  const { text, body } = await as('root').get('/management/audits?size=1000')
  t.notMatch(text, /secret-node|hunter2|secret-query|my secret/)
  t.notMatch(text, await tokenOf('ada'))
  t.match(
    body.filter(({ type }: { type: string }) => type === 'AUTHENTICATION_FAILURE'),
    [
      { principal: 'ada', target: { type: 'USER', name: 'ada' } },
      { principal: 'anonymous', outcome: 'FAILURE' }
    ]
  )
  t.notOk('target' in body.find(({ principal }: { principal: string }) => principal === 'anonymous'))
})

t.test('GET /management/audits/{id} accepts only decimal ids in range', async (t) => {
  const { as, store } = await build(t)
  await seed(store, ['2026-01-01T00:00:00.000Z'])
  const { status, body } = await as('root').get('/management/audits/1')
  t.match({ status, body }, { status: 200, body: { id: 1, type: 'GRAPH_CREATED' } })
  t.same(body.data, {})
  for (const id of ['1.5', '0', '-1', '1e0', '0x1', 'a.b', '9223372036854775808']) {
    t.match(
      await as('root').get(`/management/audits/${id}`),
      problem(400, 'validation-failed', [{ parameter: 'id' }]),
      id
    )
  }
  for (const id of ['2', '9007199254740993', '9223372036854775807']) {
    t.match(await as('root').get(`/management/audits/${id}`), problem(404, 'audit-event-not-found'), id)
  }
})

t.test('a date range includes both days, in UTC or the given time zone', async (t) => {
  const { as, store } = await build(t)
  const inside = ['2026-02-28T00:00:00.000Z', '2026-02-28T12:00:00.000Z', '2026-03-01T23:59:59.999Z']
  await seed(store, ['2026-02-27T23:59:59.999Z', ...inside, '2026-03-02T00:00:00.000Z'])
  const { status, body, headers } = await as('root').get('/management/audits?fromDate=2026-02-28&toDate=2026-03-01')
  t.equal(status, 200)
  t.same(timesOf(body), inside.toReversed())
  t.equal(headers['x-total-count'], '3')
  t.match(headers.link, /fromDate=2026-02-28&toDate=2026-03-01&page=0/)
  const ever = await as('root').get('/management/audits?fromDate=0000-01-01&toDate=9999-12-31&zone=Pacific/Honolulu')
  t.equal(ever.body.length, 5, 'all events are listed without a date range')
  const day = await as('root').get('/management/audits?fromDate=2026-03-01&toDate=2026-03-01')
  t.same(timesOf(day.body), ['2026-03-01T23:59:59.999Z'])
  const ofZone = await as('root').get('/management/audits?fromDate=2026-03-02&toDate=2026-03-02&zone=Europe/Berlin')
  t.same(timesOf(ofZone.body), ['2026-03-02T00:00:00.000Z', '2026-03-01T23:59:59.999Z'])
})

t.test('periods follow the calendar of the time zone', async (t) => {
  const cases = [
    ['2026-06-01', '2026-06-01', undefined, '2026-06-01T00:00:00.000Z', '2026-06-02T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29', 'UTC', '2024-02-29T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
    ['2026-06-01', '2026-06-01', 'Asia/Kolkata', '2026-05-31T18:30:00.000Z', '2026-06-01T18:30:00.000Z'],
    // Days with 23 and 25 hours.
    ['2026-03-29', '2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ['2026-10-25', '2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    // At 0:00, the clock is set forward to 1:00, so the day begins at 1:00.
    ['2026-04-24', '2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z', '2026-04-24T21:00:00.000Z'],
    // Daylight saving time shifts by half an hour.
    ['2026-04-05', '2026-04-05', 'Australia/Lord_Howe', '2026-04-04T13:00:00.000Z', '2026-04-05T13:30:00.000Z'],
    // A day that the time zone skipped.
    ['2011-12-30', '2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z', '2011-12-30T10:00:00.000Z'],
    ['0001-01-01', '9999-12-31', undefined, '0001-01-01T00:00:00.000Z', '9999-12-31T24:00:00.000Z']
  ] as const
  for (const [fromDate, toDate, zone, from, to] of cases) {
    t.same(periodOf({ fromDate, toDate, ...(zone && { zone }) }), { from, to }, `${fromDate} ${zone}`)
  }
  t.equal(periodOf({}), undefined)
})

t.test('an invalid date range is refused', async (t) => {
  const { as } = await build(t)
  const cases: [query: string, parameter: string, code?: string][] = [
    ['fromDate=2026-01-01', 'toDate'],
    ['toDate=2026-01-01', 'fromDate'],
    ['fromDate=2026-01-02&toDate=2026-01-01', 'toDate', 'before-from-date'],
    ['fromDate=2026-02-29&toDate=2026-03-01', 'fromDate'],
    ['fromDate=2026-01-01&toDate=2026-04-31', 'toDate'],
    ['fromDate=2026-13-01&toDate=2026-12-01', 'fromDate'],
    ['fromDate=2026-1-1&toDate=2026-12-01', 'fromDate'],
    ['fromDate=20260101&toDate=2026-12-01', 'fromDate'],
    ['fromDate=2026-01-01T00:00:00Z&toDate=2026-12-01', 'fromDate'],
    ['fromDate=&toDate=2026-12-01', 'fromDate'],
    ['fromDate=2026-01-01&toDate=today', 'toDate'],
    ['fromDate=2026-01-01&toDate=2026-01-02&zone=Mars/Olympus', 'zone', 'no-such-zone'],
    ['fromDate=2026-01-01&toDate=2026-01-02&zone=%2B01:00', 'zone'],
    ['fromDate=2026-01-01&toDate=2026-01-02&zone=', 'zone'],
    ['zone=Europe/Berlin', 'zone'],
    ['fromDate=2026-01-01&fromDate=2026-01-01&toDate=2026-01-02', 'fromDate']
  ]
  for (const [query, parameter, code = String] of cases) {
    const fault = { parameter, code }
    t.match(await as('root').get(`/management/audits?${query}`), problem(400, 'validation-failed', [fault]), query)
  }
})

t.test('events are filtered and sorted', async (t) => {
  const { as } = await build(t)
  await as('ada').post('/api/graphs', { ...triangle, shared: true })
  await as('ada').post('/api/graphs', triangle)
  await as('bob').delete('/api/graphs/1')
  await as('ada').patch('/api/graphs/2', { name: 'x', shared: true })
  const found = async (query: string) => {
    const { status, body } = await as('root').get(`/management/audits?sort=id&${query}`)
    t.equal(status, 200, query)
    return body.map(({ id }: { id: number }) => id)
  }
  t.same(await found('principal=ada'), [1, 2, 4, 5])
  t.same(await found('principal=bob'), [3])
  t.same(await found('type=GRAPH_CREATED'), [1, 2])
  t.same(await found('outcome=DENIED'), [3])
  t.same(await found('targetType=GRAPH&targetId=2'), [2, 4, 5])
  t.same(await found('targetType=USER'), [])
  t.same(await found('targetId=9223372036854775807'), [])
  t.same(await found('principal=ada&type=GRAPH_SHARED&targetId=2'), [5])
  const byType = await as('root').get('/management/audits?sort=type&sort=id,asc')
  t.same(
    byType.body.map(({ id }: { id: number }) => id),
    [3, 1, 2, 5, 4]
  )
  const refused = ['type=NOTHING', 'outcome=success', 'targetType=graph', 'targetId=0', 'targetId=1e1', 'q=x']
  for (const query of [...refused, 'sort=data', 'sort=target']) {
    t.match(await as('root').get(`/management/audits?${query}`), problem(400, 'validation-failed'), query)
  }
})

t.test('a cursor pages through the events, newest first', async (t) => {
  const { as, store } = await build(t)
  await seed(
    store,
    Array.from({ length: 12 }, () => '2026-01-01T00:00:00.000Z')
  )
  const ids: number[] = []
  let url: string | undefined = '/management/audits?cursor=&size=5'
  while (url) {
    const { headers, body }: { headers: Record<string, string | undefined>; body: { id: number }[] } =
      await as('audrey').get(url)
    ids.push(...body.map(({ id }) => id))
    url = /<([^>]*)>; rel="next"/.exec(headers.link ?? '')?.[1]
    await seed(store, ['2026-01-02T00:00:00.000Z'])
  }
  t.same(ids, [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
})

t.test('an event names its target and, for a change to a graph, the new version', async (t) => {
  const { as, store } = await build(t)
  await as('ada').post('/api/graphs', triangle)
  await as('bob').get('/management/audits')
  await as('ada').delete('/api/graphs/1')
  await store.write((trx) => recordEvent(trx, system, { type: 'SERVER_STARTED' }))
  // The program always records a name with the target, but the database allows a target without one.
  await insertEvents(store, [{ targetType: 'USER', targetId: 7, type: 'USER_DELETED' }])
  const { body } = await as('root').get('/management/audits?sort=id')
  t.same(
    body.map(({ type, target }: AuditEvent) => [type, target]),
    [
      ['GRAPH_CREATED', { type: 'GRAPH', id: 1, name: 'Triangle', version: 1, href: '/api/graphs/1/versions/1' }],
      ['AUTHORIZATION_FAILURE', undefined],
      ['GRAPH_TRASHED', { type: 'GRAPH', id: 1, name: 'Triangle' }],
      ['SERVER_STARTED', undefined],
      ['USER_DELETED', { type: 'USER', id: 7, name: '' }]
    ]
  )
  for (const [index, event] of body.entries()) {
    t.equal('target' in event, [true, false, true, false, true][index], event.type)
    t.same((await as('root').get(`/management/audits/${event.id}`)).body, event)
  }
})

t.test('lists with an index are read directly, and all others as scans', async (t) => {
  const { store } = await build(t)
  await seed(store, ['2026-01-01T12:00:00.000Z', '2026-01-02T12:00:00.000Z', '2026-01-03T12:00:00.000Z'])
  const { reader, scanned } = watchReads(store)
  const near: Slice = { sorts: [{ field: 'id', direction: 'desc' }], limit: 20, offset: 0, after: undefined }
  const whole = { from: '2026-01-01T00:00:00.000Z', to: '2026-01-03T00:00:00.000Z' }
  const ever = { from: '2026-01-02T00:00:00.000Z', to: '9999-12-31T24:00:00.000Z' }
  const target = { targetType: 'GRAPH', targetId: '1' } as const
  /** Returns whether the list and its count required scans, and the number of events. */
  const read = async (filter: AuditFilter) => {
    const { length } = await listAudits(reader, filter, near)
    const list = scanned()
    t.equal(await countAudits(reader, filter), length, JSON.stringify(filter))
    return { list, count: scanned(), length }
  }
  t.same(await read({}), { list: false, count: false, length: 3 }, 'events are counted by day as they are recorded')
  t.same(await read({ period: whole }), { list: false, count: false, length: 2 })
  t.same(await read({ period: ever }), { list: false, count: false, length: 2 })
  t.same(await read({ principal: 'ada' }), { list: false, count: true, length: 3 })
  t.same(await read(target), { list: false, count: true, length: 0 })
  const others: AuditFilter[] = [
    { type: 'GRAPH_CREATED' },
    { outcome: 'SUCCESS' },
    { type: 'GRAPH_CREATED', outcome: 'SUCCESS' },
    { type: 'GRAPH_CREATED', ...target },
    { targetType: 'GRAPH' },
    { targetId: '1' },
    { principal: 'ada', targetType: 'GRAPH' },
    { principal: 'ada', targetId: '1' },
    { principal: 'ada', ...target },
    { period: whole, principal: 'ada' },
    { period: whole, targetType: 'GRAPH' },
    { period: whole, targetId: '1' },
    { period: { ...whole, from: '2026-01-01T01:00:00.000Z' } },
    { period: { ...whole, to: '2026-01-02T23:00:00.000Z' } },
    { period: { from: '2026-01-01T01:00:00.000Z', to: '2026-01-02T23:00:00.000Z' } }
  ]
  for (const filter of others) {
    const { list, count } = await read(filter)
    t.same([list, count], [true, true], JSON.stringify(filter))
  }
  const scans = async (slice: Partial<Slice>) => {
    await listAudits(reader, {}, { ...near, ...slice })
    return scanned()
  }
  t.same(
    [await scans({ offset: 1000 }), await scans({ offset: 1001 })],
    [false, true],
    'pages far into the list are found through day counts'
  )
  t.equal(await scans({ sorts: [{ field: 'type', direction: 'asc' }, ...near.sorts] }), true)
})

/** Ways to falsify the audit trail, in SQL that both engines accept. */
const columns = '"id", "timestamp", "principal", "type", "outcome", "data"'
const forged = (id: number) => `(${id}, '2020-01-01T00:00:00.000Z', 'mallory', 'GRAPH_DELETED', 'SUCCESS', '{}')`
const attacks: Record<string, string> = {
  'an edited row': `UPDATE "auditEvent" SET "principal" = 'mallory'`,
  'an edited id': `UPDATE "auditEvent" SET "id" = 99 WHERE "id" = 1`,
  'a deleted row': `DELETE FROM "auditEvent" WHERE "id" = 1`,
  'all rows deleted': `DELETE FROM "auditEvent"`,
  'an upsert': `INSERT INTO "auditEvent" (${columns}) VALUES ${forged(1)} ON CONFLICT ("id") DO UPDATE SET "principal" = 'mallory'`,
  'an id before the first': `INSERT INTO "auditEvent" (${columns}) VALUES ${forged(0)}`,
  'a negative id': `INSERT INTO "auditEvent" (${columns}) VALUES ${forged(-1)}`,
  ...(engine === 'SQLite'
    ? {
        'UPDATE OR REPLACE': `UPDATE OR REPLACE "auditEvent" SET "id" = 2 WHERE "id" = 1`,
        'INSERT OR REPLACE': `INSERT OR REPLACE INTO "auditEvent" (${columns}) VALUES ${forged(1)}`,
        'INSERT OR REPLACE of the last': `INSERT OR REPLACE INTO "auditEvent" (${columns}) VALUES ${forged(2)}`,
        'REPLACE INTO': `REPLACE INTO "auditEvent" (${columns}) VALUES ${forged(1)}`
      }
    : {
        TRUNCATE: 'TRUNCATE "auditEvent"',
        'MERGE that deletes': 'MERGE INTO "auditEvent" USING (SELECT 1) AS one ON TRUE WHEN MATCHED THEN DELETE',
        'MERGE that edits': `MERGE INTO "auditEvent" USING (SELECT 1) AS one ON TRUE WHEN MATCHED THEN UPDATE SET "principal" = 'mallory'`
      })
}

/** Removes the protection of the audit trail. A rollback restores it. */
const unprotect =
  engine === 'SQLite'
    ? 'DROP TRIGGER "auditEventNeverEdited"; DROP TRIGGER "auditEventNeverDeleted"; DROP TRIGGER "auditEventNeverReplaced"'
    : 'DROP TRIGGER "auditEventNeverChanged" ON "auditEvent"; ALTER TABLE "auditEvent" DROP CONSTRAINT "auditEvent_id_check"'

/** Opens a connection other than the server's, with default settings. */
async function connectElsewhere(t: Test, folder: string, url: string | undefined) {
  const list = 'SELECT * FROM "auditEvent" ORDER BY "id"'
  if (url !== undefined) {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    t.teardown(() => client.end())
    return {
      run: async (statements: string): Promise<unknown> => client.query(statements),
      list: async (): Promise<unknown[]> => (await client.query(list)).rows
    }
  }
  const connection = new Database(join(folder, 'graphstead.db'))
  t.teardown(() => connection.close())
  connection.pragma('recursive_triggers = OFF')
  return {
    async run(statements: string): Promise<unknown> {
      // A rollback does not restore this pragma.
      if (statements === unprotect) connection.pragma('ignore_check_constraints = ON')
      if (statements === 'ROLLBACK') connection.pragma('ignore_check_constraints = OFF')
      return connection.exec(statements)
    },
    list: async (): Promise<unknown[]> => connection.prepare(list).all()
  }
}

t.test('the database itself only allows events to be inserted', async (t) => {
  const { store, folder, url } = await build(t)
  await store.write((trx) => recordEvent(trx, system, { type: 'SERVER_STARTED' }))
  await store.write((trx) => recordEvent(trx, system, { type: 'SERVER_STOPPED' }))
  const elsewhere = await connectElsewhere(t, folder, url)
  const before = await elsewhere.list()
  t.equal(before.length, 2)
  const refusal = { message: /append-only|check constraint/i }
  for (const [what, statement] of Object.entries(attacks)) {
    await elsewhere.run('BEGIN')
    await elsewhere.run(unprotect)
    await elsewhere.run(statement)
    t.strictNotSame(await elsewhere.list(), before, `unprotected: ${what}`)
    await elsewhere.run('ROLLBACK')

    await t.rejects(
      store.write((trx) => sql.raw(statement).execute(trx)),
      refusal,
      what
    )
    await t.rejects(elsewhere.run(statement), refusal, `elsewhere: ${what}`)
    t.same(await elsewhere.list(), before, `nothing has changed: ${what}`)
  }
})

t.test('GET /management/activity counts the events of each day in the requested zone', async (t) => {
  const { as, store } = await build(t)
  await seed(store, [
    '2026-03-28T23:30:00.000Z',
    '2026-03-29T00:30:00.000Z',
    '2026-03-29T21:59:59.999Z',
    '2026-03-29T22:00:00.000Z',
    '2026-03-31T12:00:00.000Z'
  ])
  const counts = async (query: string) => {
    const { status, body } = await as('audrey').get(
      `/management/activity?fromDate=2026-03-28&toDate=2026-03-31${query}`
    )
    t.equal(status, 200)
    return body.map(({ date, count }: { date: string; count: number }) => `${date} ${count}`)
  }
  t.same(await counts(''), ['2026-03-28 1', '2026-03-29 3', '2026-03-30 0', '2026-03-31 1'])
  t.same(
    await counts('&zone=Europe/Berlin'),
    ['2026-03-28 0', '2026-03-29 3', '2026-03-30 1', '2026-03-31 1'],
    'a day with 23 hours is counted correctly'
  )
  t.same(await counts('&principal=bob'), ['2026-03-28 0', '2026-03-29 0', '2026-03-30 0', '2026-03-31 0'])
  t.same(await counts('&type=GRAPH_CREATED&outcome=SUCCESS'), await counts(''))

  const { headers } = await as('root').get('/management/audits?fromDate=2026-03-28&toDate=2026-03-31')
  t.equal(headers['x-total-count'], '5', 'the list has the same number of events')
})

t.test('GET /management/activity covers at most a year, and needs the right role', async (t) => {
  const { as } = await build(t)
  const year = await as('root').get('/management/activity?fromDate=2028-01-01&toDate=2028-12-31')
  t.equal(year.body.length, 366)
  const refused: [string, ...object[]][] = [
    ['?fromDate=2028-01-01&toDate=2029-01-01', { parameter: 'toDate', code: 'too-many-days' }],
    ['?fromDate=2026-02-02', { parameter: 'toDate', code: 'required' }],
    ['', { parameter: 'fromDate', code: 'required' }, { parameter: 'toDate', code: 'required' }],
    ['?fromDate=2026-02-01&toDate=2026-03-01&page=1', { parameter: 'page' }]
  ]
  for (const [query, ...faults] of refused) {
    t.match(await as('root').get(`/management/activity${query}`), problem(400, 'validation-failed', faults), query)
  }
  t.match(await as('ada').get('/management/activity?fromDate=2026-02-01&toDate=2026-02-01'), problem(403, 'forbidden'))
})

t.test('an event inserted with invalid JSON is shown with its raw text', async (t) => {
  const { store, as, app } = await build(t)
  const texts = ['no JSON', '[1]', '"x"', '{"a":1', 'null']
  await insertEvents(
    store,
    texts.map((text) => ({ principal: 'eve', request: text, data: text }))
  )
  await insertEvents(store, [{ principal: 'eve', request: '{"id":"1","ip":"::1"}', data: texts[0] }])
  texts.push(texts[0] as string)
  const { status, body } = await as('root').get('/management/audits?principal=eve&sort=id,asc')
  t.equal(status, 200)
  t.same(
    body.map(({ data }: { data: object }) => data),
    texts.map((text) => ({ text }))
  )
  t.same(
    body.filter((event: object) => 'request' in event),
    []
  )
  for (const { id } of body) t.equal((await as('root').get(`/management/audits/${id}`)).status, 200)
  await insertEvents(store, [
    { principal: 'mallory', targetType: 'GRAPH', targetId: null },
    { principal: 'mallory', targetType: null, targetId: 1 }
  ])
  const halves = (await as('root').get('/management/audits?principal=mallory')).body
  t.same(
    [halves.length, halves.filter((event: object) => 'target' in event)],
    [2, []],
    'an incomplete target is not shown'
  )
  await app.auditLog.takeInAll()
  for (const { id } of body) t.equal((await as('root').get(`/management/audits/${id}/proof`)).status, 200)
})
