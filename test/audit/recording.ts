import type { Test } from 'tap'
import { headText } from '../../audit/checkpoint.ts'
import { type Signer, signNote } from '../../audit/note.ts'
import { EMPTY_ROOT } from '../../audit/tree.ts'
import { system } from '../../db/actors.ts'
import { recordEvent } from '../../db/audit/events.ts'
import { readLog, updateLog } from '../../db/audit/log.ts'
import { AuditSealer } from '../../db/audit/sealer.ts'
import { AuditSequencer, type SequencerOptions } from '../../db/audit/sequencer.ts'
import { type AuditKey, MemoryAuditKey } from '../../db/audit/signing-key.ts'
import type { Store } from '../../db/store.ts'
import type { AuditEventRow } from '../../db/tables.ts'
import { startThread } from '../../src/system/assets.ts'
import { openTestStore } from '../support/engine.ts'

/** Opens a store that is closed when the test ends. */
export async function openStore(t: Test) {
  const { store } = await openTestStore(t, t.testdir({}))
  t.teardown(() => store.close())
  return store
}

export function sequencerOf(store: Store, key: AuditKey = new MemoryAuditKey(), options: SequencerOptions = {}) {
  return new AuditSequencer(store, key, new AuditSealer(startThread), options)
}

/** Records this many distinct events. */
export function record(store: Store, count: number, data: Record<string, string> = {}) {
  return store.write(async (trx) => {
    for (let place = 0; place < count; place++) {
      await recordEvent(trx, system, { type: 'SERVER_STARTED', data: { place: String(place), ...data } })
    }
  })
}

/** Inserts rows, bypassing all checks except those of the database. */
export function insertEvents(store: Store, rows: Partial<AuditEventRow>[]) {
  const row = { timestamp: new Date().toISOString(), principal: 'ada', type: 'SESSION_ENDED', outcome: 'SUCCESS' }
  const values = rows.map((given) => ({ ...row, data: '{}', ...given }))
  return store.write((trx) =>
    trx
      .insertInto('auditEvent')
      .values(values as never)
      .execute()
  )
}

/** Rebuilds and signs the whole log with this key, as a database owner with the real key could. */
export async function recompute(store: Store, signer: Signer) {
  const { origin } = await readLog(store.read)
  const checkpoint = signNote(headText({ origin, size: 0, root: EMPTY_ROOT }), [signer])
  await store.write(async (trx) => {
    for (const table of ['auditRun', 'auditTile', 'auditSalt'] as const) await trx.deleteFrom(table).execute()
    await updateLog(trx, { size: 0, checkpoint })
  })
  const key = new MemoryAuditKey()
  key.replace(signer, checkpoint)
  await sequencerOf(store, key).run({ all: true })
}
