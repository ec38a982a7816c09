import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { readHead } from '../../audit/checkpoint.ts'
import { digestOf } from '../../audit/disclosure.ts'
import { SALTS_LENGTH } from '../../audit/entry.ts'
import type { Kept } from '../../audit/kept.ts'
import type { LogLine } from '../../audit/line.ts'
import { readVerifier, type Signer, splitNote } from '../../audit/note.ts'
import { verifyLog } from '../../audit/verification.ts'
import { system } from '../../db/actors.ts'
import { recordEvent } from '../../db/audit/events.ts'
import { sealLeaves } from '../../db/audit/leaves.ts'
import { putSalts, readLog, readSalts } from '../../db/audit/log.ts'
import { MemoryAuditKey } from '../../db/audit/signing-key.ts'
import type { Store, Trx } from '../../db/store.ts'
import { databaseSource } from '../../src/audit/database.ts'
import { engine } from '../support/engine.ts'
import { openStore, record, sequencerOf } from './recording.ts'

// Tampering by a database owner who holds the real signing key, and the evidence that exposes it. Logs rewritten from
// the start are tested in verification.test.ts and epochs.test.ts.

const [EVENTS, KEPT] = [600, 400]

/** Opens a store with 600 events, and a checkpoint and an export made after the first 400. */
async function prepare(t: Test) {
  const store = await openStore(t)
  const key = new MemoryAuditKey()
  const sequencer = sequencerOf(store, key)
  await record(store, KEPT)
  await sequencer.run()
  const checkpoint = sequencer.published?.checkpoint ?? ''
  const lines: LogLine[] = []
  for await (const line of (await databaseSource(store.read)).lines?.() ?? []) lines.push(line)
  t.equal(lines.length, KEPT)
  await record(store, EVENTS - KEPT)
  await sequencer.run()
  const signer = (await key.signer()) as Signer
  const exported: Kept = {
    name: 'export',
    lines: async function* () {
      yield* lines
    }
  }
  return { store, signer, checkpoint, kept: { name: 'checkpoint', checkpoint }, exported }
}

/** Changes events with the privileges of the table owner. */
async function asOwner(store: Store, change: (trx: Trx) => Promise<unknown>) {
  await store.write(async (trx) => {
    if (engine === 'PostgreSQL') {
      await sql`ALTER TABLE "auditEvent" DISABLE TRIGGER USER`.execute(trx)
      await change(trx)
      await sql`ALTER TABLE "auditEvent" ENABLE TRIGGER USER`.execute(trx)
      return
    }
    const { rows } = await sql<{ name: string; sql: string }>`
      SELECT "name", "sql" FROM sqlite_schema WHERE "type" = 'trigger' AND "tbl_name" = 'auditEvent'`.execute(trx)
    for (const { name } of rows) await sql`DROP TRIGGER ${sql.id(name)}`.execute(trx)
    await change(trx)
    for (const trigger of rows) await sql.raw(trigger.sql).execute(trx)
  })
}

type Deed = (store: Store, signer: Signer) => Promise<unknown>

const edit = (trx: Trx, principal: string) =>
  trx.updateTable('auditEvent').set({ principal }).where('id', '=', 151).execute()

/** Changes to event 151 that contradict the log itself. */
const deeds: Record<string, Deed> = {
  'edits an event': (store) => asOwner(store, (trx) => edit(trx, 'eve')),
  'deletes an event': (store) => asOwner(store, (trx) => trx.deleteFrom('auditEvent').where('id', '=', 151).execute()),
  'inserts an event': (store) =>
    asOwner(store, async (trx) => {
      await sql`INSERT INTO "auditEvent" ("id", "timestamp", "principal", "type", "outcome", "data")
          VALUES (5000, '2026-01-01T00:00:00.000Z', 'eve', 'GRAPH_CREATED', 'SUCCESS', '{}')`.execute(trx)
      await trx.updateTable('auditRun').set({ count: 150 }).execute()
      const later = { firstIndex: 151, firstId: 151, count: EVENTS - 151 }
      await trx
        .insertInto('auditRun')
        .values([{ firstIndex: 150, firstId: 5000, count: 1 }, later])
        .execute()
    }),
  'zeroes a salt': (store) =>
    store.write(async (trx) => {
      const salts = Buffer.from(await readSalts(trx, 0))
      salts.fill(0, 150 * SALTS_LENGTH, 150 * SALTS_LENGTH + 16)
      await putSalts(trx, { bundle: 0, salts })
    }),
  'writes into an erased part': async (store, signer) => {
    const [leaf] = await sealLeaves(store.read, 150, 151)
    const digest = digestOf(leaf?.sealing.disclosures.principal ?? '')
    // Makes the same changes as an erasure.
    await store.write(async (trx) => {
      await trx.insertInto('auditErased').values({ index: 150, part: 'principal', digest }).execute()
      await recordEvent(trx, system, { type: 'AUDIT_ERASED', data: { 'ids.principal': '151' } })
    })
    await asOwner(store, (trx) => edit(trx, ''))
    const key = new MemoryAuditKey()
    key.replace(signer, (await readLog(store.read)).checkpoint)
    await sequencerOf(store, key).run()
    const erased = await verifyLog(await databaseSource(store.read), { keys: [signer.verifier] })
    if (erased.outcome !== 'sound') throw new Error(`the erasure itself is not a fault: ${JSON.stringify(erased)}`)
    await asOwner(store, (trx) => edit(trx, 'bob'))
  }
}

t.test('an unchanged log is consistent with the kept evidence', async (t) => {
  const { store, signer, kept, exported } = await prepare(t)
  const source = await databaseSource(store.read)
  const keys = [signer.verifier]
  const result = await verifyLog(source, { keys, kept: [kept, exported] })
  t.same([result.outcome, result.contradictions, result.size, result.pending], ['consistent', [], EVENTS, 0])
  t.equal((await verifyLog(source, { keys })).outcome, 'sound')
  t.equal((await verifyLog(source, { kept: [kept] })).outcome, 'sound', 'an unpinned key is known only from the log')
})

for (const [name, deed] of Object.entries(deeds)) {
  t.test(`kept evidence exposes an owner of the database who ${name}`, async (t) => {
    const { store, signer, checkpoint, kept, exported } = await prepare(t)
    await deed(store, signer)
    const source = await databaseSource(store.read)
    const { key, checkpoint: now } = await readLog(store.read)
    t.same(readVerifier(key).id, signer.verifier.id, 'the log is signed by the real key')
    t.equal(readHead(splitNote(now).text).origin, readHead(splitNote(checkpoint).text).origin)
    const keys = [signer.verifier]
    t.equal(
      (await verifyLog(source, { keys })).outcome,
      'contradiction',
      'the log contradicts itself without kept evidence'
    )
    t.equal(
      (await verifyLog(source, { keys, kept: [kept] })).outcome,
      'contradiction',
      'a kept checkpoint exposes the change'
    )
    const named = await verifyLog(source, { keys, kept: [exported] })
    t.same([named.outcome, named.firstIndex], ['contradiction', 150], 'a kept export shows the first wrong index')
  })
}
