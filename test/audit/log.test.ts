import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { readProof } from '../../audit/checkpoint.ts'
import { openEntry, readEntry } from '../../audit/entry.ts'
import { hashLeaf, isConsistent, isIncluded } from '../../audit/tree.ts'
import { system } from '../../db/actors.ts'
import { recordEvent } from '../../db/audit/events.ts'
import { sealLeaves } from '../../db/audit/leaves.ts'
import { readLog } from '../../db/audit/log.ts'
import { MemoryAuditKey } from '../../db/audit/signing-key.ts'
import { countUnsealed } from '../../db/audit/unsealed.ts'
import { only } from '../support/engine.ts'
import { build, events, problem, triangle } from '../support/helper.ts'
import { expectOneLog } from './one-log.ts'
import { readPublished } from './published.ts'
import { insertEvents, record, sequencerOf } from './recording.ts'

const LOG = '/management/audits/log'

type Server = Awaited<ReturnType<typeof build>>

/** Reads the log through the API. */
async function readWhole(t: Test, { app, tokenOf }: Server) {
  const authorization = `Bearer ${await tokenOf('audrey')}`
  return readPublished(t, async (path) => {
    const response = await app.inject({ url: `${LOG}/${path}`, headers: { authorization } })
    t.equal(response.statusCode, 200, path)
    return response.rawPayload
  })
}

t.test('every event becomes one leaf in id order, and its entry opens to the event', async (t) => {
  const server = await build(t)
  const { app, as, store } = server
  await as('ada').post('/api/graphs', triangle)
  await as('bob').get('/api/graphs/1')
  await as('ada').patch('/api/graphs/1', { name: 'é \u2028 "' })
  await as('ada').patch('/api/graphs/1', { shared: true })
  await record(store, 600)
  await app.auditLog.takeInAll()
  const { entries } = await readWhole(t, server)
  const trail = await events(store)
  t.equal(entries.length, trail.length)
  const leaves = await sealLeaves(store.read, 0, entries.length)
  for (const [index, event] of trail.entries()) {
    const disclosures = Object.values(leaves[index]?.sealing.disclosures ?? {})
    const opened = openEntry(entries[index] as Buffer, disclosures)
    const { targetType, targetId, targetVersion } = event
    t.strictSame(opened, {
      id: event.id,
      time: event.timestamp,
      type: event.type,
      outcome: event.outcome,
      ...(targetType !== null && {
        target: { type: targetType, id: targetId, ...(targetVersion !== null && { version: targetVersion }) }
      }),
      principal: event.principal,
      request: event.request,
      name: event.targetName,
      data: event.data
    })
  }
  t.equal(await countUnsealed(store.read), 0)
})

for (const count of [1, 255, 256, 257, 700]) {
  t.test(`the log of ${count} events has the expected root, tiles and bundles`, async (t) => {
    const server = await build(t)
    await record(server.store, Math.min(count, 100))
    await server.app.auditLog.takeInAll()
    await record(server.store, Math.max(0, count - 100))
    await server.app.auditLog.takeInAll()
    const { head, entries } = await readWhole(t, server)
    t.equal(head.size, count)
    t.same(
      entries.map((entry) => readEntry(entry).id),
      (await events(server.store)).map(({ id }) => id)
    )
  })
}

t.test('paths of missing tiles return 404, and narrower tiles remain available', async (t) => {
  const server = await build(t)
  const { app, as, store } = server
  await record(store, 300)
  await app.auditLog.takeInAll()
  const get = (path: string) => as('audrey').get(`${LOG}/tile/${path}`)
  for (const path of [
    ...['0/001.p/45', '0/002', '1/000', '1/000.p/2', '2/000.p/1', 'entries/001', 'entries/001.p/45', '0/0'],
    ...['0/x000/000', '00/000', '0/000.p/0', '0/000.p/256', '-1/000', '64/000', 'entries/000.p/001', ''],
    '0/000%2F..%2F000'
  ]) {
    t.match(await get(path), problem(404, 'tile-not-found'), path)
  }
  t.match(await as('audrey').post(`${LOG}/tile/0/000`, {}), {
    ...problem(405, 'method-not-allowed'),
    headers: { allow: 'GET, HEAD, OPTIONS' }
  })
  t.match(await as('audrey').options(`${LOG}/tile/entries/000`), {
    status: 204,
    headers: { allow: 'GET, HEAD, OPTIONS' }
  })
  const narrow = await get('0/001.p/7')
  const headers = { authorization: `Bearer ${await server.tokenOf('audrey')}` }
  t.equal(narrow.headers['content-type'], 'application/octet-stream')
  t.equal(narrow.headers['cache-control'], 'private, no-cache')
  t.same(narrow.headers['content-length'], String(7 * 32))
  const bytes = async (path: string) => (await app.inject({ url: `${LOG}/tile/${path}`, headers })).rawPayload
  t.same(await bytes('0/001.p/7'), (await bytes('0/001.p/44')).subarray(0, 7 * 32))
  t.match(await as('audrey').get(`${LOG}/tile/0/000?x=1`), problem(400, 'validation-failed'))
})

t.test('the proof of an event links its entry to the checkpoint', async (t) => {
  const server = await build(t)
  const { app, as, store } = server
  await record(store, 700)
  await app.auditLog.takeInAll()
  const { head, entries } = await readWhole(t, server)
  for (const [index, event] of (await events(store)).entries()) {
    if (index % 50 > 0 && index < 690) continue
    const reply = await as('root').get(`/management/audits/${event.id}/proof`)
    t.equal(reply.status, 200)
    const proof = readProof(reply.text)
    t.equal(proof.index, index)
    const leaf = hashLeaf(entries[index] as Buffer)
    t.ok(isIncluded(leaf, index, head.size, proof.hashes, head.root))
    t.notOk(isIncluded(hashLeaf(entries[(index + 1) % 700] as Buffer), index, head.size, proof.hashes, head.root))
  }
  await record(store, 1)
  const [last] = (await events(store)).slice(-1)
  const early = await as('root').get(`/management/audits/${last?.id}/proof`)
  t.match(early, { ...problem(409, 'not-in-tree-yet'), headers: { 'retry-after': '2' } })
  t.match(await as('root').get('/management/audits/999999/proof'), problem(404, 'audit-event-not-found'))
  t.match(await as('root').get('/management/audits/9223372036854775807/proof'), problem(404, 'audit-event-not-found'))
  t.match(await as('ada').get('/management/audits/1/proof'), problem(403, 'forbidden'))
})

t.test('a checkpoint is consistent with each older one, and with no other', async (t) => {
  const server = await build(t)
  const { app, as, store } = server
  const older = []
  for (const count of [1, 6, 250, 300]) {
    await record(store, count)
    await app.auditLog.takeInAll()
    older.push((await readWhole(t, server)).head)
  }
  for (const { size, root } of older) {
    const { status, body } = await as('audrey').get(`${LOG}/consistency?from=${size}`)
    t.equal(status, 200)
    const { head } = await readWhole(t, server)
    const hashes = (body.hashes as string[]).map((hash) => Buffer.from(hash, 'base64'))
    t.equal(body.to, head.size)
    t.ok(isConsistent(size, root, head.size, head.root, hashes))
    t.notOk(isConsistent(size, randomBytes(32), head.size, head.root, hashes))
  }
  t.match(await as('audrey').get(`${LOG}/consistency?from=100000`), problem(400, 'validation-failed'))
  for (const query of ['', '?from=0', '?from=-1', '?from=x', '?from=1&from=2']) {
    t.match(await as('audrey').get(`${LOG}/consistency${query}`), problem(400, 'validation-failed'), query)
  }
})

t.test(
  'an event whose transaction outlasts later ones enters the log late and only once',
  only('PostgreSQL', 'SQLite runs one transaction at a time'),
  async (t) => {
    const server = await build(t)
    const { app, store } = server
    const gate = Promise.withResolvers<void>()
    const ids: number[] = []
    const slow = store.write(async (trx) => {
      ids.push(await recordEvent(trx, system, { type: 'SERVER_STARTED', data: { is: 'slow' } }))
      await gate.promise
    })
    const aborted = store.write(async (trx) => {
      await recordEvent(trx, system, { type: 'SERVER_STARTED', data: { is: 'aborted' } })
      throw new Error('never committed')
    })
    await t.rejects(aborted, { message: 'never committed' })
    while (ids.length === 0) await sleep(5)
    await record(store, 3)
    await app.auditLog.takeInAll()
    t.equal((await readWhole(t, server)).entries.length, 3)
    gate.resolve()
    await slow
    await app.auditLog.takeInAll()
    await app.auditLog.takeInAll()
    const { entries } = await readWhole(t, server)
    const [slowId] = ids
    t.same(
      entries.map((entry) => readEntry(entry).id),
      [...(await events(store)).map(({ id }) => id).filter((id) => id !== slowId), slowId]
    )
    const proof = await server.as('root').get(`/management/audits/${slowId}/proof`)
    t.equal(readProof(proof.text).index, 3)
  }
)

t.test(
  'a full check finds late events more than a day old',
  only('PostgreSQL', 'SQLite has no late events'),
  async (t) => {
    const { store } = await build(t)
    const sequencer = sequencerOf(store)
    const [old, now] = ['2020-01-01T00:00:00.000Z', new Date().toISOString()]
    const insert = async (timestamp: string, ...ids: number[]) => {
      for (const id of ids) await insertEvents(store, [{ id, timestamp }])
    }
    await insert(old, 2, 3, 7)
    await insert(now, 20, 21)
    await sequencer.run()
    await insert(old, 1, 5, 19)
    await insert(now, 22)
    await sequencer.run()
    const idsOf = async () =>
      (await sealLeaves(store.read, 0, (await readLog(store.read)).size)).map(({ row }) => row.id)
    t.same(await idsOf(), [2, 3, 7, 20, 21, 22])
    await sequencer.run({ all: true })
    t.same(await idsOf(), [2, 3, 7, 20, 21, 22, 1, 5, 19])
    await sequencer.run({ all: true })
    t.equal((await readLog(store.read)).size, 9)
    t.equal(await countUnsealed(store.read), 0)
  }
)

t.test('concurrent sequencers add each event once, and publish consistent checkpoints', async (t) => {
  const server = await build(t)
  const { store } = server
  const key = new MemoryAuditKey()
  const checkpoints: string[] = []
  const sequencers = [1, 2, 3].map(() => sequencerOf(store, key))
  await sequencers[0]?.run()
  let isRecording = true
  const recording = (async () => {
    for (let round = 0; round < 20; round++) {
      await Promise.all(Array.from({ length: 10 }, (_, place) => record(store, place === 0 ? 150 : 3)))
      await sleep(5)
    }
    isRecording = false
  })()
  await Promise.all(
    sequencers.map(async (sequencer) => {
      while (isRecording) {
        await sequencer.run()
        if (sequencer.published) checkpoints.push(sequencer.published.checkpoint)
        await sleep(2)
      }
    })
  )
  await recording
  for (const sequencer of sequencers) await sequencer.run({ all: true })
  t.ok(checkpoints.length >= 3)
  await expectOneLog(t, store, checkpoints)
})
