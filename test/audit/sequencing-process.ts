import { setTimeout as sleep } from 'node:timers/promises'
import { AuditSealer } from '../../db/audit/sealer.ts'
import { AuditSequencer, type SequencingStep } from '../../db/audit/sequencer.ts'
import { openStore } from '../../db/engine/open.ts'
import { AuditKeyFiles } from '../../src/audit/signing-key.ts'
import { startThread } from '../../src/system/assets.ts'

// node test/audit/sequencing-process.ts DATA KEY DATABASE [STEP COUNT]: adds events to the log of a store until it is killed.
// It prints each published checkpoint as JSON. With STEP and COUNT, it kills itself after performing this step this many times.
// DATABASE is a SQLite file or a PostgreSQL URL.

const [data = '', auditKeyFile = '', database = '', step, count = '1'] = process.argv.slice(2)
const store = await openStore(database.startsWith('postgres:') ? { database } : {}, () => database, startThread)
let left = Number(count)
const sequencer = new AuditSequencer(store, new AuditKeyFiles({ data, auditKeyFile }), new AuditSealer(startThread), {
  onStep(made: SequencingStep) {
    if (made === step && --left === 0) process.kill(process.pid, 'SIGKILL')
  }
})
for (let last = ''; ; ) {
  await sequencer.run()
  const { checkpoint = '' } = sequencer.published ?? {}
  if (checkpoint !== last) process.stdout.write(`${JSON.stringify(checkpoint)}\n`)
  last = checkpoint
  await sleep(5)
}
