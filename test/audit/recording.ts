import type { Test } from 'tap'
import { system } from '../../db/actors.ts'
import { recordEvent } from '../../db/audit/events.ts'
import { type AuditKey, MemoryAuditKey } from '../../db/audit/key.ts'
import { AuditSealer } from '../../db/audit/sealer.ts'
import { AuditSequencer, type SequencerOptions } from '../../db/audit/sequencer.ts'
import type { Store } from '../../db/store.ts'
import type { AuditEventRow } from '../../db/tables.ts'
import { startThread } from '../../src/system/assets.ts'
import { openTestStore } from '../support/engine.ts'

/** Opens a store that closes with the test. */
export async function openStore(t: Test) {
  const { store } = await openTestStore(t, t.testdir({}))
  t.teardown(() => store.close())
  return store
}

export function sequencerOf(store: Store, key: AuditKey = new MemoryAuditKey(), options: SequencerOptions = {}) {
  return new AuditSequencer(store, key, new AuditSealer(startThread), options)
}

/** Records so many events, all of them different. */
export function record(store: Store, count: number, data: Record<string, string> = {}) {
  return store.write(async (trx) => {
    for (let place = 0; place < count; place++) {
      await recordEvent(trx, system, { type: 'SERVER_STARTED', data: { place: String(place), ...data } })
    }
  })
}

/** Inserts rows past all checks but those of the database. */
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
