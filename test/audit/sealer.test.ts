import { Worker } from 'node:worker_threads'
import t from 'tap'
import { AuditSealer } from '../../db/audit/sealer.ts'
import { startThread } from '../../src/system/assets.ts'

// The threads that seal batches of events.

/** Enough events to be sealed in a thread. */
const rows = Array.from({ length: 51 }, (_, place) => ({
  id: place + 1,
  timestamp: '2026-01-01T00:00:00.000Z',
  principal: 'system',
  type: 'SERVER_STARTED' as const,
  outcome: 'SUCCESS' as const,
  targetType: null,
  targetId: null,
  targetName: null,
  targetVersion: null,
  request: null,
  data: '{}'
}))
const end = { size: 0, edge: [], salts: new Uint8Array(), run: undefined }

t.test('a thread that fails between two batches is replaced', async (t) => {
  const started: Worker[] = []
  const sealer = new AuditSealer((...args) => {
    const worker = startThread(...args)
    started.push(worker)
    return worker
  })
  t.teardown(() => sealer.close())
  t.equal((await sealer.seal(end, rows)).size, 51)
  const [first] = started
  first?.emit('error', new Error('out of memory'))
  await first?.terminate()
  t.equal((await sealer.seal(end, rows)).size, 51)
  t.equal(started.length, 2)
})

t.test('a thread that fails during a batch rejects that batch, and the next one succeeds', async (t) => {
  const code = 'require("node:worker_threads").parentPort.once("message", () => { throw new Error("out of memory") })'
  const failing = [() => new Worker(code, { eval: true })]
  const sealer = new AuditSealer((...args) => failing.pop()?.() ?? startThread(...args))
  t.teardown(() => sealer.close())
  await t.rejects(sealer.seal(end, rows), { message: 'out of memory' })
  t.equal((await sealer.seal(end, rows)).size, 51)
})
