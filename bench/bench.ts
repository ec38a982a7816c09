import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { access } from './access.ts'
import { attacks } from './attacks.ts'
import { audit } from './audit.ts'
import { backup } from './backup.ts'
import { cost } from './cost.ts'
import { history } from './history.ts'
import { largeGraphs } from './large-graphs.ts'
import { layouts } from './layouts.ts'
import { peers } from './peers.ts'
import { postgres } from './postgres.ts'
import { coresAreApart } from './processes.ts'
import { reads } from './reads.ts'
import { scale } from './scale.ts'
import { search } from './search.ts'
import { soak } from './soak.ts'
import { startUp } from './start-up.ts'
import { holds, type Line, tableOf } from './table.ts'
import { webApp } from './web-app.ts'
import { workers } from './workers.ts'
import { writes } from './writes.ts'

// npm run bench -- [--only PART,…] [--only cost --base COMMIT [--rounds N]] [--only peers --pocketbase PATH] [--json FILE]
// [--database URL] [--soak [--minutes N]]: see README.md in this folder.

const parts = {
  'start-up': startUp,
  reads,
  'large-graphs': largeGraphs,
  writes,
  access,
  search,
  history,
  audit,
  backup,
  attacks,
  'web-app': webApp,
  layouts,
  scale,
  workers
}
/** Parts that need arguments. They run only if `--only` selects them. */
const others = {
  cost: (folder: string) => cost(folder, values.base, Number(values.rounds)),
  peers: (folder: string) => peers(folder, values.pocketbase)
}

const { values } = parseArgs({
  // npm consumes the first --.
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    only: { type: 'string', default: Object.keys(parts).join(',') },
    base: { type: 'string' },
    pocketbase: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    json: { type: 'string' },
    database: { type: 'string' },
    soak: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '10' }
  }
})

const folder = mkdtempSync(join(tmpdir(), 'graphstead-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
// Runs the exit handlers, which stop servers and remove files.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
const [{ model = 'unknown processor' } = {}] = cpus()
const machine = `${cpus().length} cores, ${model}, ${Math.round(totalmem() / 2 ** 30)} GiB; Node ${process.version}; ${coresAreApart() ? 'servers on one core, load generator on the other' : 'cores shared'}`
console.log(machine)
try {
  if (values.soak) await soak(folder, Number(values.minutes))
  else {
    const lines: Line[] = []
    if (values.database !== undefined) lines.push(...(await postgres(join(folder, 'postgres'), values.database)))
    else
      for (const name of values.only.split(',')) {
        const all = { ...parts, ...others }
        const part = all[name as keyof typeof all]
        if (!part) throw new Error(`--only ${name}: the parts are ${Object.keys(all).join(', ')}`)
        console.error(`${name} …`)
        lines.push(...(await part(join(folder, name))))
      }
    console.log(`\n${tableOf(lines)}\n`)
    if (values.json) {
      const date = new Date().toISOString()
      const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim()
      writeFileSync(values.json, `${JSON.stringify({ date, commit, machine, lines }, undefined, 2)}\n`)
    }
    const missed = lines.filter((line) => !holds(line)).length
    console.log(missed === 0 ? 'All targets were met.' : `${missed} targets were missed.`)
  }
} finally {
  // After an error, servers may still be running. They exit with this process.
  setImmediate(() => process.exit())
}
