import { chmodSync, cpSync, existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { headText, readHead } from '../../audit/checkpoint.ts'
import { createSigner, openNote, readVerifier, type Signer, signNote, splitNote } from '../../audit/note.ts'
import { EMPTY_ROOT } from '../../audit/tree.ts'
import { sealLeaves } from '../../db/audit/leaves.ts'
import { readLog, readRoot, updateLog } from '../../db/audit/log.ts'
import { AuditSealer } from '../../db/audit/sealer.ts'
import type { AuditSequencer } from '../../db/audit/sequencer.ts'
import { MemoryAuditKey } from '../../db/audit/signing-key.ts'
import { openSqlite } from '../../db/engine/sqlite/store.ts'
import type { Store } from '../../db/store.ts'
import { copyStore } from '../../db/upkeep/copy.ts'
import { AuditKeyFiles } from '../../src/audit/signing-key.ts'
import { startThread } from '../../src/system/assets.ts'
import { only, openTestStore } from '../support/engine.ts'
import { events } from '../support/helper.ts'
import { run, serve } from '../support/program.ts'
import { until } from '../support/until.ts'
import { openStore, recompute, record, sequencerOf } from './recording.ts'

/** Opens a store, and returns it with its log's key and a sequencer with that key. */
async function openLog(t: Test) {
  const store = await openStore(t)
  const key = new MemoryAuditKey()
  return { store, key, sequencer: sequencerOf(store, key) }
}

/** Records this many events and sequences them. Returns the published checkpoint. */
async function grow(store: Store, sequencer: AuditSequencer, count: number) {
  await record(store, count)
  await sequencer.run()
  return sequencer.published
}

/** Rolls the log back to its first leaves, as restoring an old database would. The events remain. */
async function rollBack(store: Store, { size, checkpoint }: { size: number; checkpoint: string }) {
  await store.write(async (trx) => {
    // The events of these tests have consecutive ids and form one run.
    await trx.updateTable('auditRun').set({ count: size }).where('firstIndex', '=', 0).execute()
    await updateLog(trx, { size, checkpoint })
  })
}

t.test('the first checkpoint begins the first epoch, without an event', async (t) => {
  const store = await openStore(t)
  const sequencer = sequencerOf(store)
  await grow(store, sequencer, 3)
  const { origin, epoch, size } = await readLog(store.read)
  t.match(origin, /^graphstead\.audit\/[0-9a-f]{16}\/1$/)
  t.same([epoch, size], [1, 3])
  t.same(await events(store, 'AUDIT_EPOCH_STARTED'), [])
  t.equal(sequencer.published?.origin, origin)
})

for (const server of ['the next server', 'a running server']) {
  t.test(
    `${server} on a rolled-back store continues under a new origin and key, and reports the missing entries`,
    async (t) => {
      const store = await openStore(t)
      const key = new MemoryAuditKey()
      const sequencer = sequencerOf(store, key)
      const early = await grow(store, sequencer, 5)
      const late = await grow(store, sequencer, 7)
      t.same([early?.size, late?.size], [5, 12])
      await rollBack(store, { size: 5, checkpoint: early?.checkpoint ?? '' })

      const next = server === 'a running server' ? sequencer : sequencerOf(store, key)
      await next.run()
      t.not(next.published?.origin, late?.origin)
      t.match(next.published?.origin, /\/2$/)
      t.not(next.published?.key, late?.key)
      t.equal(next.published?.size, 13, 'the log has the seven events again, and one about the epoch')
      const [event] = await events(store, 'AUDIT_EPOCH_STARTED')
      t.strictSame(event?.data, {
        'origin.old': late?.origin,
        'origin.new': next.published?.origin,
        'size.old': '12',
        'size.new': '5',
        missing: '7',
        checkpoint: late?.checkpoint,
        reason: 'the database does not continue from the last checkpoint: it was restored or changed'
      })
      t.same(await readRoot(store.read, 5), early?.root, 'earlier events are still provable')
      t.equal((await events(store, 'AUDIT_EPOCH_STARTED')).length, 1)
      await sequencerOf(store, key).run()
      t.equal((await readLog(store.read)).epoch, 2, 'no other epoch begins')
    }
  )
}

t.test('a key without the last checkpoint signs nothing under its origin', async (t) => {
  const { store, key } = await openLog(t)
  await grow(store, sequencerOf(store, key), 5)
  const { origin } = await readLog(store.read)
  const replace = key.replace.bind(key)
  key.head = async () => undefined
  key.replace = (signer, checkpoint) => {
    Reflect.deleteProperty(key, 'head')
    replace(signer, checkpoint)
  }
  await record(store, 1)
  const sequencer = sequencerOf(store, key)
  await t.resolves(sequencer.publish())
  const [event] = await events(store, 'AUDIT_EPOCH_STARTED')
  t.match(event?.data, { 'origin.old': origin, missing: '0', reason: 'the last checkpoint (audit.head) is missing' })
})

t.test('a store from a later epoch that has lost provable events does not continue the log', async (t) => {
  const { store, key, sequencer } = await openLog(t)
  const early = await grow(store, sequencer, 5)
  const late = await grow(store, sequencer, 7)
  // A copy of the store's earlier state continues elsewhere, in its own epoch.
  await rollBack(store, { size: 5, checkpoint: early?.checkpoint ?? '' })
  const elsewhere = new MemoryAuditKey()
  elsewhere.replace(createSigner('graphstead.audit/elsewhere/0'), early?.checkpoint ?? '')
  await sequencerOf(store, elsewhere, { patience: 0 }).run()
  t.match(await readLog(store.read), { origin: /\/2$/ })
  // The copy then replaces the store whose late checkpoint was published.
  const here = sequencerOf(store, key)
  await here.run()
  t.match(here.published?.origin, /\/3$/)
  const [, event] = await events(store, 'AUDIT_EPOCH_STARTED')
  t.match(event?.data, { 'origin.old': late?.origin, 'size.old': '12', checkpoint: late?.checkpoint })
})

t.test('a store with another tree of the same size does not continue the log', async (t) => {
  const { store, key } = await openLog(t)
  await grow(store, sequencerOf(store, key), 4)
  // The owner reseals the events with the same key.
  const { origin: before } = await readLog(store.read)
  await recompute(store, (await key.signer()) as Signer)
  t.match(await readLog(store.read), { origin: before, size: 4, epoch: 1 }, 'the forgery is signed by the real key')
  await sequencerOf(store, key).run()
  const { epoch, origin } = await readLog(store.read)
  t.equal(epoch, 2)
  t.match(origin, /\/2$/)
})

t.test('a copy continues under its own origin with all leaves', async (t) => {
  const folder = t.testdir({ source: {}, copy: {} })
  const { store } = await openTestStore(t, join(folder, 'source'))
  const { store: target } = await openTestStore(t, join(folder, 'copy'))
  t.teardown(() => store.close())
  t.teardown(() => target.close())
  const key = new MemoryAuditKey()
  const sequencer = sequencerOf(store, key)
  await grow(store, sequencer, 300)
  await copyStore(store, target, () => {})
  t.match(await readLog(target.read), { origin: '', key: '', size: 300, epoch: 1 })
  const textsOf = async ({ read }: Store) => (await sealLeaves(read, 0, 300)).map(({ sealing }) => sealing.text)
  t.same(await textsOf(target), await textsOf(store))
  const copied = sequencerOf(target, key)
  await copied.run()
  t.match(copied.published?.origin, /\/2$/, 'the copy gets a new origin even with the key of the source')
  const [event] = await events(target, 'AUDIT_EPOCH_STARTED')
  t.match(event?.data, { 'origin.old': sequencer.published?.origin, missing: '0', reason: 'the database was copied' })
  t.same(await readRoot(target.read, 300), sequencer.published?.root)
})

t.test(
  'a process without the key waits for the key holder, and then continues the log under a new origin',
  async (t) => {
    const store = await openStore(t)
    await record(store, 2)
    await sequencerOf(store).run()
    const passive = sequencerOf(store, new MemoryAuditKey(), { patience: 150 })
    await passive.run()
    t.match(
      passive.published,
      { size: 2, origin: /\/1$/ },
      "a process without the key shows the other process's checkpoint"
    )
    await sleep(200)
    await passive.run()
    t.equal((await readLog(store.read)).epoch, 1, 'all events are already in the log')
    await record(store, 1)
    await passive.run()
    t.equal((await readLog(store.read)).epoch, 1)
    await sleep(200)
    await passive.run()
    t.match(passive.published, { size: 4, origin: /\/2$/ })
    t.match((await events(store, 'AUDIT_EPOCH_STARTED'))[0]?.data, {
      reason: 'the key of the log is missing',
      missing: '0'
    })
  }
)

t.test('a process without the key waits while another process sequences events', async (t) => {
  const store = await openStore(t)
  const active = sequencerOf(store)
  const passive = sequencerOf(store, new MemoryAuditKey(), { patience: 150 })
  let now = performance.now()
  t.capture(performance, 'now', () => now)
  await record(store, 1)
  await active.run()
  for (let turn = 0; turn < 6; turn++) {
    await record(store, 1)
    await passive.run()
    now += 60
    await active.run()
    // Ensures that there is always an event not yet in the log.
    await record(store, 1)
    await passive.run()
  }
  t.equal((await readLog(store.read)).epoch, 1)
})

t.test('a process leaves the events to another that appends some, and takes over once it stops', async (t) => {
  const store = await openStore(t)
  const key = new MemoryAuditKey()
  const [active, other] = [sequencerOf(store, key), sequencerOf(store, key)]
  let now = Math.ceil(performance.now())
  t.capture(performance, 'now', () => now)
  const sizeAfter = async (run: Promise<boolean>) => {
    t.equal(await run, false)
    return (await readLog(store.read)).size
  }
  await record(store, 1)
  t.equal(await sizeAfter(active.run({ mayDefer: true })), 1, 'a process does not defer before it has seen another')
  t.equal(await sizeAfter(other.run({ mayDefer: true })), 1)
  await record(store, 1)
  t.equal(await sizeAfter(active.run({ mayDefer: true })), 2, 'a process does not defer to itself')
  await record(store, 1)
  t.equal(await sizeAfter(other.run({ mayDefer: true })), 2)
  t.equal(other.published?.size, 2, 'a process that defers publishes the checkpoint of the other')
  now += 2999
  t.equal(await sizeAfter(other.run({ mayDefer: true })), 2)
  now += 1
  t.equal(await sizeAfter(other.run({ mayDefer: true })), 3, 'the other process has stopped')
  await record(store, 1)
  t.equal(await sizeAfter(active.run({ mayDefer: true })), 3)
  t.equal(await sizeAfter(active.run()), 4)
})

t.test('a process whose batch comes too late leaves the next events to the other', async (t) => {
  const store = await openStore(t)
  const key = new MemoryAuditKey()
  await sequencerOf(store, key).run()
  const active = sequencerOf(store, key)
  let steps = 0
  const late = sequencerOf(store, key, { onStep: (step) => step === 'sealed' && steps++ })
  const now = performance.now()
  t.capture(performance, 'now', () => now)
  await late.run()
  const { seal } = AuditSealer.prototype
  t.capture(AuditSealer.prototype, 'seal', async function (this: AuditSealer, ...batch: Parameters<typeof seal>) {
    t.capture(AuditSealer.prototype, 'seal', seal)
    const sealed = await this.seal(...batch)
    await active.run()
    return sealed
  })
  await record(store, 1)
  t.equal(await late.run({ mayDefer: true }), false)
  t.equal(steps, 1)
  await record(store, 1)
  t.equal(await late.run({ mayDefer: true }), false)
  t.equal(steps, 1, 'no batch is prepared in vain')
  t.equal((await readLog(store.read)).size, 1)
})

t.test('a failed start of an epoch keeps the checkpoint that reveals the missing entries', async (t) => {
  const { store, key, sequencer } = await openLog(t)
  await grow(store, sequencer, 3)
  const old = await readLog(store.read)
  const last = await grow(store, sequencer, 5)
  await rollBack(store, old)
  const replace = key.replace.bind(key)
  key.replace = (...files) => {
    replace(...files)
    throw new Error('the commit fails')
  }
  await t.rejects(sequencerOf(store, key).run(), { message: 'the commit fails' })
  t.same(await events(store, 'AUDIT_EPOCH_STARTED'), [])
  key.replace = replace
  const next = sequencerOf(store, key)
  await next.run()
  t.match(next.published?.origin, /\/2$/)
  const { data } = (await events(store, 'AUDIT_EPOCH_STARTED'))[0] ?? {}
  t.same([data?.['origin.old'], data?.missing, data?.checkpoint], [last?.origin, '5', last?.checkpoint])
})

t.test('a checkpoint that cannot be saved is never published', async (t) => {
  const { store, key, sequencer } = await openLog(t)
  await grow(store, sequencer, 1)
  const keepHead = key.keepHead.bind(key)
  key.keepHead = async () => {
    throw new Error('the disk is full')
  }
  await record(store, 1)
  await t.rejects(sequencer.run(), { message: 'the disk is full' })
  t.equal(sequencer.published?.size, 1)
  t.equal((await readLog(store.read)).size, 2, 'the store has the unpublished leaves')
  key.keepHead = keepHead
  await sequencer.run()
  t.equal(sequencer.published?.size, 2)
  t.match(sequencer.published?.origin, /\/1$/)
})

t.test('a log that contradicts its checkpoint is not published', async (t) => {
  const { store, key } = await openLog(t)
  await grow(store, sequencerOf(store, key), 3)
  await store.write((trx) =>
    trx
      .updateTable('auditTile')
      .set({ hashes: Buffer.alloc(96, 7) })
      .execute()
  )
  const sequencer = sequencerOf(store, key)
  await t.rejects(sequencer.run(), { name: 'AuditLogBroken' })
  t.equal(sequencer.published, undefined)
})

t.test(
  'damaged key files are reported by name, and other users cannot read key files',
  only('SQLite', 'it tests files'),
  async (t) => {
    const data = t.testdir({})
    const files = new AuditKeyFiles({ data })
    t.same([await files.signer(), await files.head()], [undefined, undefined])
    const store = await openStore(t)
    await record(store, 1)
    await sequencerOf(store, files).run()
    t.equal(existsSync(join(data, 'audit.key')) && existsSync(join(data, 'audit.head')), true)
    const { text } = splitNote(readFileSync(join(data, 'audit.head'), 'utf8'))
    t.equal(readHead(text).size, 1)
    for (const [name, content, message] of [
      ['audit.key', 'nonsense', /audit\.key is not a valid key/],
      ['audit.head', 'nonsense', /audit\.head is damaged/],
      ['audit.head', 'x'.repeat(5000), /audit\.head is too long/]
    ] as const) {
      const path = join(data, name)
      const before = readFileSync(path)
      writeFileSync(path, content)
      await t.rejects(sequencerOf(store, files).run(), { message })
      writeFileSync(path, before)
    }
    t.equal(statSync(join(data, 'audit.key')).mode & 0o777, 0o600)
    chmodSync(join(data, 'audit.key'), 0o644)
    await t.rejects(files.signer(), { message: /chmod 600/ })
  }
)

t.test(
  'after its database is restored from a backup, the server continues the log under a new origin',
  only('SQLite', 'PostgreSQL has its own restore tools'),
  async (t) => {
    const folder = t.testdir({})
    const data = join(folder, 'data')
    const headIn = () => readHead(splitNote(readFileSync(join(data, 'audit.head'), 'utf8')).text)
    const hasHead = (size: number) => until(async () => existsSync(join(data, 'audit.head')) && headIn().size >= size)

    const first = await serve(t, data, ['--log-level', 'fatal'])
    t.ok(await hasHead(2))
    t.match(await run(['backup', join(folder, 'backup.db'), '--data', data]), { code: 0 })
    t.match(await run(['check', join(folder, 'backup.db')]), { code: 0 })
    await first.stop()
    const second = await serve(t, data, ['--log-level', 'fatal'])
    t.ok(await hasHead(4))
    await second.stop()
    const left = readFileSync(join(data, 'audit.head'), 'utf8')
    t.match(await run(['restore', join(folder, 'backup.db'), '--force', '--data', data]), { code: 0 })

    const third = await serve(t, data, ['--log-level', 'fatal'])
    t.ok(await until(async () => headIn().origin.endsWith('/2') && headIn().size >= 4))
    await third.stop()
    t.match(await run(['check', '--data', data]), { code: 0 })
    const store = await openSqlite(join(data, 'graphstead.db'), startThread)
    const [event, ...others] = await events(store, 'AUDIT_EPOCH_STARTED')
    t.same(others, [])
    t.equal(event?.data.checkpoint, left)
    t.ok(Number(event?.data.missing) > 0)
    const { key, checkpoint } = await readLog(store.read)
    t.equal(openNote(checkpoint, [readVerifier(key)]).signers.length, 1)
    await store.close()
  }
)

t.test(
  'two databases with the same key files never publish different logs under one origin',
  only('SQLite', 'it copies a file'),
  async (t) => {
    for (let trial = 0; trial < 8; trial++) {
      const folder = t.testdir({})
      const open = async (name: string) => openSqlite(join(folder, `${name}.db`), startThread)
      const keyOf = () => new AuditKeyFiles({ data: folder })
      const first = await open('a')
      await record(first, 1)
      await sequencerOf(first, keyOf()).run()
      await first.close()
      cpSync(join(folder, 'a.db'), join(folder, 'b.db'))

      /** All published checkpoints, grouped by origin. */
      const published = new Map<string, Set<string>>()
      const faults: string[] = []
      const stores = [await open('a'), await open('b')]
      await Promise.all(
        stores.map(async (store, number) => {
          const sequencer = sequencerOf(store, keyOf(), {
            onStep: (step) => {
              if (step !== 'published' || !sequencer.published) return
              const { origin, checkpoint } = sequencer.published
              published.set(origin, (published.get(origin) ?? new Set()).add(`${number} ${checkpoint}`))
            }
          })
          for (let round = 0; round < 4; round++) {
            await record(store, number + 1)
            await sequencer.run().catch(({ message }: Error) => faults.push(message))
          }
        })
      )
      for (const store of stores) await store.close()
      for (const [origin, checkpoints] of published) {
        const [ofA, ofB] = ['0 ', '1 '].map(
          (sign) => new Set([...checkpoints].flatMap((one) => (one.startsWith(sign) ? [one.slice(2)] : [])))
        ) as [Set<string>, Set<string>]
        // Both databases may publish their common leaves.
        t.ok(ofA.isSubsetOf(ofB) || ofB.isSubsetOf(ofA), `${origin} continues in only one database`)
      }
      t.same(
        faults.filter((fault) => !/Is another database using the same key\?$/.test(fault)),
        []
      )
      t.ok(published.size <= 4, 'the databases do not keep starting epochs')
      t.notOk(existsSync(join(folder, 'audit.head.lock')))
    }
  }
)

t.test('the stale lock of a killed process is broken', async (t) => {
  const folder = t.testdir({ 'audit.head.lock': '' })
  const longAgo = new Date(Date.now() - 11_000)
  utimesSync(join(folder, 'audit.head.lock'), longAgo, longAgo)
  const key = new AuditKeyFiles({ data: folder })
  const head = headText({ origin: 'graphstead.audit/0/1', size: 0, root: EMPTY_ROOT })
  const checkpoint = signNote(head, [createSigner('graphstead.audit/0/1')])
  t.equal(await key.keepHead(checkpoint, undefined), true)
  t.equal(await key.head(), checkpoint)
  t.equal(await key.keepHead(checkpoint, undefined), false, 'a new checkpoint must follow the saved one')
})
