import { spawnSync } from 'node:child_process'

// What the registry knows against the packages that run in production: fails where something is high or critical. A registry
// without such data is told, and is no failure: it says nothing about the packages.

const { stdout, stderr } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8', timeout: 120_000 })
const counts = readCounts(stdout)
if (!counts) {
  console.log(`NOT AUDITED: this registry gives no advisories. ${/audit (\d{3} .*|.*error.*)/.exec(stderr)?.[1] ?? ''}`)
} else {
  console.log(`Known against what runs in production: ${JSON.stringify(counts)}`)
  if ((counts.high ?? 0) + (counts.critical ?? 0) > 0) {
    console.log(stdout)
    process.exitCode = 1
  }
}

/** How many advisories there are of each severity; undefined where the answer is none. */
function readCounts(text: string): Record<string, number> | undefined {
  try {
    return JSON.parse(text).metadata?.vulnerabilities
  } catch {
    return undefined
  }
}
