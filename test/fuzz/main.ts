import { parseArgs } from 'node:util'
import { targets, walkOf } from './cases.ts'
import { type Finding, fuzz, walk } from './fuzz.ts'

// npm run fuzz -- --minutes 30 --seed 1 [--target gml], or npm run fuzz -- --walk [--target gml]

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    cases: { type: 'string' },
    target: { type: 'string' },
    walk: { type: 'boolean' }
  }
})
if (values.target !== undefined && !targets.includes(values.target)) {
  console.error(`The target is one of ${targets.join(', ')}.`)
  process.exit(2)
}

function tell({ seed, what, case: one }: Finding) {
  const shown = JSON.stringify(one, (_, value: unknown) =>
    typeof value === 'string' && value.length > 200 ? `${value.slice(0, 200)}…` : value
  )
  console.log(`seed ${seed}: ${what}\n  ${shown}`)
}

if (values.walk) {
  for (const target of values.target === undefined ? targets : [values.target]) {
    const { count, findings } = await walk(walkOf(target), tell)
    console.log(`${target}: ${count} cases, ${findings.length} findings.`)
    if (findings.length > 0) process.exitCode = 1
  }
  process.exit()
}

const { count, findings } = await fuzz({
  seed: Number(values.seed),
  seconds: Number(values.minutes) * 60,
  ...(values.cases !== undefined && { cases: Number(values.cases) }),
  target: values.target,
  onFinding: tell
})
console.log(`${count} cases, ${findings.length} findings.`)
process.exitCode = findings.length === 0 ? 0 : 1
