import { setTimeout as sleep } from 'node:timers/promises'
import { AuditSealer } from '../../db/audit/sealer.ts'
import { AuditSequencer, type SequencingStep } from '../../db/audit/sequencer.ts'
import { openStore } from '../../db/engine/open.ts'
import { AuditKeyFiles } from '../../src/audit/signing-key.ts'
import { startThread } from '../../src/system/assets.ts'

// node test/audit/sequencing-process.ts DATA KEY DATABASE [STEP COUNT]: a process that takes events into the log of a store until it is
// killed. It prints each checkpoint that it publishes, as JSON. It kills itself when it has made this step so many times. DATABASE
// is a file of SQLite or the URL of PostgreSQL.

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
