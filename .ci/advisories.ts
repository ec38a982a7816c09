import { spawnSync } from 'node:child_process'

// Asks the registry for known vulnerabilities of the packages in production. Fails if one is high or critical. A
// registry without such data is reported, and is not a failure.

const { stdout, stderr } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8', timeout: 120_000 })
const counts = readCounts(stdout)
if (!counts) {
  console.log(`NOT AUDITED: this registry gives no advisories. ${/audit (\d{3} .*|.*error.*)/.exec(stderr)?.[1] ?? ''}`)
} else {
  console.log(`Known vulnerabilities of production packages: ${JSON.stringify(counts)}`)
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
