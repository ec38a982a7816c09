import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { judgeByFsck } from './audit/fsck.ts'
import { Program } from './audit/program.ts'
import { judgeProofs } from './audit/proofs.ts'
import { judgeByPymerkle } from './audit/pymerkle.ts'
import { judgeServer } from './audit/server.ts'
import { Tally } from './audit/tally.ts'
import { judgeByWitness } from './audit/witness.ts'

// Verifies the audit log with an independent program, which shares no code with audit/: `node .ci/audit.ts JUDGE`. The judges
// are verifier, fsck and witness, which need Go on PATH, and pymerkle, which needs `python` with that package. Prints each
// wrong verdict and the number of correct verdicts.

const judges = {
  verifier: [judgeProofs, judgeServer],
  fsck: [judgeByFsck],
  pymerkle: [judgeByPymerkle],
  witness: [judgeByWitness]
}

const name = process.argv[2] ?? ''
if (!Object.hasOwn(judges, name)) throw new Error(`usage: node .ci/audit.ts ${Object.keys(judges).join('|')}`)
const work = mkdtempSync(join(tmpdir(), 'graphstead-audit-'))
process.on('exit', () => rmSync(work, { recursive: true, force: true }))
const tally = new Tally()
for (const judge of judges[name as keyof typeof judges]) await judge({ tally, work, openLog: Program.open })
console.log(`${tally.right} verdicts are right, ${tally.wrong} are wrong`)
process.exitCode = tally.wrong > 0 || tally.right === 0 ? 1 : 0
