import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import t from 'tap'
import { readHead } from '../../audit/checkpoint.ts'
import { openEntry, type Part, parts, readEntry, SALTS_LENGTH } from '../../audit/entry.ts'
import { splitNote } from '../../audit/note.ts'
import { GrowingTree } from '../../audit/tiles.ts'
import { hashLeaf } from '../../audit/tree.ts'
import { system } from '../../db/actors.ts'
import { recordEvent } from '../../db/audit/events.ts'
import { exportLines } from '../../db/audit/export.ts'
import { sealLeaves } from '../../db/audit/leaves.ts'
import { AuditLineWriter } from '../../db/audit/line-writer.ts'
import type { Store } from '../../db/store.ts'
import { amendmentsOf } from '../../db/upkeep/amendments.ts'
import type { AuditEvent } from '../../schemas/audit.ts'
import { startThread } from '../../src/system/assets.ts'
import { engine } from '../support/engine.ts'
import { beforeNextTransaction } from '../support/held-transactions.ts'
import { build, events, problem, type Reply, triangle } from '../support/helper.ts'
import { until } from '../support/until.ts'
import { insertEvents, record } from './recording.ts'

const EXPORT = '/management/audits/export'

type Server = Awaited<ReturnType<typeof build>>

interface Line {
  index: number
  entry: string
  disclosures: Partial<Record<Part, string>>
  event: AuditEvent
}

const linesOf = ({ text }: Pick<Reply, 'text'>): Line[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

const csvRowsOf = ({ text }: Pick<Reply, 'text'>) =>
  text
    .split('\r\n')
    .slice(1, -1)
    .map((row) => row.split(','))

/** Records events of every type, and adds them to the log. */
async function recordAll({ app, as, store }: Server) {
  await as('ada').post('/api/graphs', triangle)
  await as('ada').patch('/api/graphs/1', { name: 'é \u2028 " \\ud800', shared: true })
  await as('bob').get('/api/users')
  await as('ada').delete('/api/graphs/1')
  await as('root').post('/api/groups', { name: 'lab' })
  await as().post('/api/authenticate', { username: 'ada', password: 'hunter2hunter2' })
  await record(store, 3)
  await app.auditLog.takeInAll()
}

/** Disables the triggers, as the database owner can, so that events can be changed. */
async function dropTriggers(store: Store) {
  const statements =
    engine === 'SQLite'
      ? [sql`DROP TRIGGER "auditEventNeverEdited"`, sql`DROP TRIGGER "auditEventNeverDeleted"`]
      : [sql`ALTER TABLE "auditEvent" DISABLE TRIGGER "auditEventNeverChanged"`]
  await store.write(async (trx) => {
    for (const statement of statements) await statement.execute(trx)
  })
}

t.test('JSON lines contain the bytes of each leaf, its disclosures, and the event as in the API', async (t) => {
  const server = await build(t)
  const { as, store } = server
  await recordAll(server)
  const size = (await events(store)).length
  const reply = await as('audrey').get(EXPORT)
  t.equal(reply.status, 200)
  const lines = linesOf(reply)
  const leaves = await sealLeaves(store.read, 0, size)
  const { body } = await as('root').get('/management/audits?size=1000&sort=id,asc')
  for (const { target } of body) delete target?.href
  t.strictSame(
    lines,
    leaves.map(({ sealing: { text, disclosures } }, index) => ({ index, entry: text, disclosures, event: body[index] }))
  )
  const tree = new GrowingTree()
  for (const { entry, disclosures, event } of lines) {
    tree.append(hashLeaf(Buffer.from(entry)))
    const { time, data, principal } = openEntry(Buffer.from(entry), Object.values(disclosures))
    t.same([time, data, principal], [event.timestamp, event.data, event.principal])
  }
  const checkpoint = Buffer.from(reply.headers['graphstead-audit-checkpoint']?.slice(1, -1) ?? '', 'base64')
  const head = readHead(splitNote(checkpoint.toString()).text)
  t.same([tree.size, tree.root()], [head.size, head.root])
  t.match(reply.headers, {
    'graphstead-audit-size': String(size),
    'content-type': 'application/jsonl',
    'content-disposition': `attachment; filename="audit-${size}.jsonl"`
  })
})

t.test('an export is recorded with its format and filters before it starts', async (t) => {
  const server = await build(t)
  const { as, store } = server
  await recordAll(server)
  const before = (await events(store)).length
  await as('audrey').get(EXPORT)
  const query = 'format=csv&type=GRAPH_CREATED&principal=ada&outcome=SUCCESS&targetType=GRAPH&targetId=1&after=0'
  await as('root').get(`${EXPORT}?${query}&fromDate=2026-01-01&toDate=2999-12-31&zone=Europe/Berlin`)
  t.match((await events(store)).slice(before), [
    {
      type: 'AUDIT_EXPORTED',
      principal: 'audrey',
      outcome: 'SUCCESS',
      targetType: null,
      request: { method: 'GET', route: EXPORT }
    },
    { type: 'AUDIT_EXPORTED', principal: 'root' }
  ])
  t.strictSame(
    (await events(store, 'AUDIT_EXPORTED')).map(({ data }) => data),
    [
      { format: 'jsonl', size: String(before) },
      {
        ...Object.fromEntries(new URLSearchParams(query)),
        fromDate: '2026-01-01',
        toDate: '2999-12-31',
        zone: 'Europe/Berlin',
        size: String(before)
      }
    ]
  )
})

t.test('HEAD returns the headers and records no event', async (t) => {
  const server = await build(t)
  const { as, store } = server
  await recordAll(server)
  const { status, headers, text } = await as('audrey').head(`${EXPORT}?format=csv`)
  t.same([status, text], [200, ''])
  t.match(headers, {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'graphstead-audit-size': String((await events(store)).length)
  })
  t.same(await events(store, 'AUDIT_EXPORTED'), [])
})

t.test('other users cannot export, and query faults are reported', async (t) => {
  const { as, store } = await build(t)
  t.match(await as('ada').get(EXPORT), problem(403, 'forbidden'))
  t.match(await as().get(EXPORT), problem(401, 'token-missing'))
  for (const [query, parameter] of [
    ['format=xml', 'format'],
    ['after=-1', 'after'],
    ['after=9007199254740992', 'after'],
    ['fromDate=2026-01-01', 'toDate'],
    ['size=3', 'size']
  ] as const) {
    t.match(await as('audrey').get(`${EXPORT}?${query}`), problem(400, 'validation-failed', [{ parameter }]), query)
  }
  t.same(await events(store, 'AUDIT_EXPORTED'), [])
})

t.test(
  'a caller demoted during the request gets no data, no event is recorded, and the next export can begin',
  async (t) => {
    const server = await build(t)
    const { as, store } = server
    await recordAll(server)
    await as('audrey').get('/management/audits')
    const setRole = (role: 'USER' | 'AUDITOR') =>
      store.write((trx) => trx.updateTable('user').set({ role }).where('login', '=', 'audrey').execute())
    for (let attempt = 0; attempt < 3; attempt++) {
      beforeNextTransaction(store, () => setRole('USER'))
      const reply = await as('audrey').get(EXPORT)
      t.match(reply, problem(403, 'forbidden'))
      t.notMatch(reply.text, /disclosures/)
      await setRole('AUDITOR')
    }
    t.same(await events(store, 'AUDIT_EXPORTED'), [])
    t.equal((await as('audrey').get(EXPORT)).status, 200)
  }
)

t.test('the filters select the same events as in the list', async (t) => {
  const server = await build(t)
  const { app, as, store } = server
  await recordAll(server)
  const day = (date: string, count: number) =>
    insertEvents(
      store,
      Array.from({ length: count }, (_, minute) => ({
        timestamp: `${date}T23:${String(minute % 60).padStart(2, '0')}:00.000Z`,
        principal: minute % 2 ? 'zoe' : '',
        type: 'GRAPH_SHARED',
        outcome: 'DENIED'
      }))
    )
  await day('2026-03-28', 60)
  await day('2026-03-29', 300)
  await day('2026-03-28', 60)
  await app.auditLog.takeInAll()
  const { size } = await app.auditLog.published()
  const firstId = (await events(store))[0]?.id ?? 0
  for (const query of [
    '',
    'principal=ada',
    'principal=zoe',
    'principal=nobody',
    'principal=%00',
    'type=GRAPH_SHARED',
    'type=GRAPH_CREATED',
    'outcome=DENIED',
    'outcome=FAILURE',
    'targetType=GRAPH',
    'targetType=GROUP',
    'targetId=1',
    'targetId=9223372036854775807',
    'targetType=GRAPH&targetId=1&type=GRAPH_UPDATED',
    'fromDate=2026-03-28&toDate=2026-03-28',
    'fromDate=2026-03-29&toDate=2026-03-29&zone=Europe/Berlin',
    'fromDate=2026-03-29&toDate=2026-03-29&zone=Pacific/Auckland&principal=zoe',
    'fromDate=2026-03-27&toDate=2026-03-27',
    'fromDate=0000-01-01&toDate=9999-12-31'
  ]) {
    const { body } = await as('audrey').get(`/management/audits?size=1000&sort=id,asc&${query}`)
    const wanted = body.map(({ id }: AuditEvent) => id).filter((id: number) => id < firstId + size)
    const rows = csvRowsOf(await as('audrey').get(`${EXPORT}?format=csv&${query}`))
    t.strictSame(
      rows.map(([, , id]) => Number(id)),
      wanted,
      `${query}: ${wanted.length}`
    )
  }
  const lines = linesOf(await as('audrey').get(`${EXPORT}?type=GRAPH_SHARED&principal=zoe`))
  t.equal(lines.length, 210, 'JSON lines are filtered too')
})

t.test('an export can be resumed after any leaf', async (t) => {
  const { app, as, store } = await build(t)
  await record(store, 700)
  await app.auditLog.takeInAll()
  const { text } = await as('audrey').get(EXPORT)
  const whole = text.split('\n')
  const { text: csv } = await as('audrey').get(`${EXPORT}?format=csv`)
  const [head, ...rows] = csv.split('\r\n')
  for (const after of [0, 255, 256, 698]) {
    const rest = await as('audrey').get(`${EXPORT}?after=${after}`)
    t.equal(rest.text, whole.slice(after + 1).join('\n'), `after ${after}`)
    const table = await as('audrey').get(`${EXPORT}?format=csv&after=${after}`)
    t.equal(table.text, [head, ...rows.slice(after + 1)].join('\r\n'), `after ${after} as CSV`)
  }
  for (const after of [699, 1_000_000]) {
    t.equal((await as('audrey').get(`${EXPORT}?after=${after}`)).text, '')
    t.equal((await as('audrey').get(`${EXPORT}?format=csv&after=${after}`)).text, `${head}\r\n`)
  }
})

t.test('late events are exported at the positions of their leaves', async (t) => {
  const { app, as, store } = await build(t)
  const rounds = [[1001, 1002, 1005, 1200], engine === 'PostgreSQL' ? [1003, 1100, 1201] : [1201, 1300]]
  for (const ids of rounds) {
    for (const id of ids) await insertEvents(store, [{ id }])
    await app.auditLog.takeInAll()
  }
  const ids = rounds.flat()
  t.strictSame(
    linesOf(await as('audrey').get(EXPORT)).map(({ event }) => event.id),
    ids
  )
  t.strictSame(
    csvRowsOf(await as('audrey').get(`${EXPORT}?format=csv`)).map(([, , id]) => Number(id)),
    ids
  )
})

t.test('erased parts are blank without a disclosure, and the leaf is unchanged', async (t) => {
  const server = await build(t)
  const { as, store } = server
  await recordAll(server)
  const before = linesOf(await as('audrey').get(EXPORT))
  const all = { 0: ['principal'], 1: ['request', 'details'], 2: ['principal', 'request', 'details'] } as const
  const { salts } = await store.read.selectFrom('auditSalt').selectAll().executeTakeFirstOrThrow()
  const zeroed = Buffer.from(salts)
  for (const [index, erased] of Object.entries(all)) {
    const { sealed } = readEntry(Buffer.from(before[Number(index)]?.entry ?? ''))
    for (const part of erased) {
      const start = Number(index) * SALTS_LENGTH + parts.indexOf(part) * 16
      zeroed.fill(0, start, start + 16)
      const row = { index: Number(index), part, digest: sealed[part] }
      await store.write((trx) => trx.insertInto('auditErased').values(row).execute())
    }
  }
  await store.write((trx) => trx.updateTable('auditSalt').set({ salts: zeroed }).execute())
  // The values may still be present if an erasure and an export run concurrently.
  for (const isBlank of [false, true]) {
    if (isBlank) {
      await dropTriggers(store)
      const blank = { principal: '', request: null, targetName: null, data: '{}' }
      const id = Number(before[2]?.event.id)
      await store.write((trx) => trx.updateTable('auditEvent').set(blank).where('id', '=', id).execute())
    }
    const after = linesOf(await as('audrey').get(`${EXPORT}`)).slice(0, before.length)
    t.same(
      after.map(({ entry }) => entry),
      before.map(({ entry }) => entry)
    )
    t.same(after.map(({ disclosures }) => Object.keys(disclosures)).slice(0, 4), [
      ['details', 'request'],
      ['principal'],
      [],
      ['details', 'principal', 'request']
    ])
    t.same(after[0]?.event.principal, '')
    t.notOk(after[1]?.event.request)
    t.same([after[1]?.event.data, after[1]?.event.target?.name], [{}, ''])
    t.strictSame(after[3], before[3])
    const [, , row = []] = csvRowsOf(await as('audrey').get(`${EXPORT}?format=csv`))
    const hash = hashLeaf(Buffer.from(before[2]?.entry ?? '')).toString('hex')
    t.same(row.slice(0, 3), ['2', hash, String(before[2]?.event.id)])
    t.same([row[4], row[9], row[10], ...row.slice(11)], ['', '', '2', '', '', '', '', '', '', '', '{}'])
  }
})

t.test('leaves whose events or salts are gone are omitted', async (t) => {
  const { app, as, store } = await build(t)
  await record(store, 600)
  await app.auditLog.takeInAll()
  await dropTriggers(store)
  await store.write((trx) => trx.deleteFrom('auditEvent').where('id', '<=', 10).execute())
  const indices = async (query = '') => linesOf(await as('audrey').get(`${EXPORT}?${query}`)).map(({ index }) => index)
  const all = Array.from({ length: 600 }, (_, index) => index)
  t.same(await indices(), all.slice(10))
  const { salts } = await store.read
    .selectFrom('auditSalt')
    .selectAll()
    .where('bundle', '=', 2)
    .executeTakeFirstOrThrow()
  const zeroed = Buffer.from(salts).fill(0, 0, SALTS_LENGTH)
  await store.write((trx) => trx.updateTable('auditSalt').set({ salts: zeroed }).where('bundle', '=', 2).execute())
  await store.write((trx) => trx.deleteFrom('auditSalt').where('bundle', '=', 1).execute())
  t.same(await indices(), [...all.slice(10, 256), ...all.slice(513)])
  const countRows = async () => csvRowsOf(await as('audrey').get(`${EXPORT}?format=csv`)).length
  t.equal(await countRows(), 590, 'CSV does not need salts')
  await store.write((trx) => trx.deleteFrom('auditTile').where('level', '=', 0).where('index', '=', 1).execute())
  t.equal(await countRows(), 590 - 256)
})

t.test('CSV has a column for each field, and contains no formulas', async (t) => {
  const server = await build(t)
  const { app, as, store } = server
  const name = '=HYPERLINK("http://x")\r\n;@b,c'
  const request = {
    id: 'r-1',
    ip: '127.0.0.1',
    userAgent: '+1+1',
    method: 'GET',
    route: '/x',
    token: { id: 7, name: '-2' }
  }
  await store.write(async (trx) => {
    const author = { principal: '@ada', request }
    const target = { type: 'GRAPH', id: 3, name, version: 2 } as const
    await recordEvent(trx, author, { type: 'GRAPH_UPDATED', target, data: { 'name.old': '"a"', 'name.new': ';=1' } })
    await recordEvent(trx, system, { type: 'SERVER_STARTED' })
  })
  await app.auditLog.takeInAll()
  const { text, headers } = await as('audrey').get(`${EXPORT}?format=csv`)
  t.equal(headers['content-type'], 'text/csv; charset=utf-8; header=present')
  const [first, second] = await sealLeaves(store.read, 0, 2)
  const [one, two] = await events(store)
  const hashOf = (entry = '') => hashLeaf(Buffer.from(entry)).toString('hex')
  t.equal(
    text,
    [
      'index,leafHash,id,timestamp,principal,type,outcome,targetType,targetId,targetName,targetVersion,requestId,requestIp,requestUserAgent,requestMethod,requestRoute,requestTokenId,requestTokenName,data',
      `0,${hashOf(first?.sealing.text)},1,${one?.timestamp},'@ada,GRAPH_UPDATED,SUCCESS,GRAPH,3,"'=HYPERLINK(""http://x"")\r\n;'@b,c",2,r-1,127.0.0.1,'+1+1,GET,/x,7,'-2,"{""name.old"":""\\""a\\"""",""name.new"":"";'=1""}"`,
      `1,${hashOf(second?.sealing.text)},2,${two?.timestamp},system,SERVER_STARTED,SUCCESS,,,,,,,,,,,,{}`,
      ''
    ].join('\r\n')
  )
})

t.test('text inserted by the database owner does not stop an export', async (t) => {
  const { app, as, store } = await build(t)
  const texts = ['no JSON', '[1]', 'null', '"x"', '{"a":{"b":["\\ud800"]}}', '{"__proto__":1}']
  await insertEvents(
    store,
    texts.map((text) => ({ timestamp: 'never\u2028', principal: text, request: text, data: text }))
  )
  await app.auditLog.takeInAll()
  const lines = linesOf(await as('audrey').get(EXPORT))
  t.equal(lines.length, 6)
  for (const { entry, disclosures, event } of lines) {
    const opened = openEntry(Buffer.from(entry), Object.values(disclosures))
    t.same([event.data, event.request], [opened.data, opened.request])
  }
  t.equal(csvRowsOf(await as('audrey').get(`${EXPORT}?format=csv`)).length, 6)
})

/** Starts an export over a real connection. */
async function begin({ app, tokenOf }: Server) {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const headers = { authorization: `Bearer ${await tokenOf('audrey')}` }
  const sent = httpRequest({ port, host: '127.0.0.1', path: EXPORT, headers })
  sent.on('error', () => {})
  sent.end()
  const [message] = (await once(sent, 'response')) as [IncomingMessage]
  message.on('error', () => {})
  return message
}

/** Counts the scans of a store, and can make later ones fail. */
function watchScans(store: Store) {
  const watch = { count: 0, left: Number.POSITIVE_INFINITY }
  const watched = new Proxy(store.report, {
    get(db, key) {
      const value = Reflect.get(db, key, db)
      if (key !== 'executeQuery') return typeof value === 'function' ? value.bind(db) : value
      return async (...parameters: unknown[]) => {
        watch.count++
        if (watch.left-- <= 0) throw new Error('the disk is broken')
        return value.apply(db, parameters)
      }
    }
  })
  Object.defineProperty(store, 'report', { value: watched })
  return watch
}

t.test(
  'a client that stops reading buffers only a few chunks and gets the rest later; a disconnect allows the next export',
  async (t) => {
    const server = await build(t)
    const { app, as, store } = server
    await record(store, 4000, { filler: 'x'.repeat(5000) })
    await app.auditLog.takeInAll()
    const { size } = await app.auditLog.published()
    const watch = watchScans(store)
    const [kept, left] = [await begin(server), await begin(server)]
    for (const message of [kept, left]) message.pause()
    const refused = await as('audrey').get(EXPORT)
    t.match(refused, problem(429, 'too-many-requests'))
    t.equal(refused.headers['content-disposition'], undefined)
    t.equal((await as('root').get(`${EXPORT}?after=3990`)).status, 200, 'other users can export')
    left.destroy()
    t.ok(await until(async () => (await as('audrey').get(`${EXPORT}?after=3990`)).status === 200))
    const rests = async () => {
      const { count } = watch
      await sleep(300)
      return watch.count === count
    }
    t.ok(await until(rests), 'the store is no longer read')
    const stopped = watch.count
    t.equal(linesOf({ text: await text(kept) }).length, size)
    // A complete export takes 124 queries.
    t.ok(stopped < 120 && watch.count > 124, `${stopped} of ${watch.count} queries ran before the client read`)
  }
)

t.test('a late fault aborts the response, and a fault before the first byte is an error response', async (t) => {
  const server = await build(t)
  const { app, as, store } = server
  await record(store, 6000)
  await app.auditLog.takeInAll()
  const watch = watchScans(store)
  watch.left = 20
  const message = await begin(server)
  t.equal(message.statusCode, 200)
  let length = 0
  await t.rejects(
    async () => {
      for await (const chunk of message) length += chunk.length
    },
    { code: 'ECONNRESET' }
  )
  t.ok(length > 0, `after ${length} bytes`)
  watch.left = 0
  t.match(await as('audrey').get(EXPORT), problem(500, 'internal-error'))
})

/** Returns the options for exporting this many events. */
const first = (size: number) => ({ format: 'jsonl', filter: {}, from: 0, size }) as const

t.test('events recorded during an export are not part of it', async (t) => {
  const { app, store } = await build(t)
  await record(store, 3000)
  await app.auditLog.takeInAll()
  const writer = new AuditLineWriter(startThread)
  t.teardown(() => writer.close())
  const indices: number[] = []
  for await (const { bytes, next } of exportLines(store, writer, first(3000))) {
    const lines = linesOf({ text: String(Buffer.from(bytes)) })
    indices.push(...lines.map(({ index }) => index))
    t.equal(indices.length, next)
    await record(store, 5)
    await app.auditLog.takeInAll()
  }
  t.same(
    indices,
    Array.from({ length: 3000 }, (_, index) => index)
  )
})

t.test('a thread that exits fails its export, and the next export gets a new thread', async (t) => {
  const { app, store } = await build(t)
  await record(store, 300)
  await app.auditLog.takeInAll()
  let started = 0
  const writer = new AuditLineWriter((...parameters) => {
    const worker = startThread(...parameters)
    if (started++ === 0) worker.terminate()
    return worker
  })
  t.teardown(() => writer.close())
  async function lastIndex() {
    let last = 0
    for await (const { next } of exportLines(store, writer, first(300))) last = next
    return last
  }
  await t.rejects(lastIndex(), { message: 'the thread has ended' })
  t.equal(await lastIndex(), 300)
})

t.test('an export shows the recorded event, even if its row has been edited', async (t) => {
  const { app, as, store } = await build(t)
  const data = { version: '0.1.0', place: 'here' }
  await store.write((trx) => recordEvent(trx, system, { type: 'SERVER_STARTED', data }))
  await app.auditLog.takeInAll()
  const read = async () => [
    linesOf(await as('audrey').get(`${EXPORT}?type=SERVER_STARTED`)),
    (await as('audrey').get(`${EXPORT}?type=SERVER_STARTED&format=csv`)).text
  ]
  const before = await read()
  const amend = await amendmentsOf(store)
  await amend(['auditEvent'], (trx) =>
    trx
      .updateTable('auditEvent')
      .set({ data: '{"version": "9.9.9", "version":"0.1.0","place":"here"}', targetId: 235, targetVersion: 9 })
      .where('type', '=', 'SERVER_STARTED')
      .execute()
  )
  t.same(await read(), before)
})
