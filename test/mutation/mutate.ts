import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { modules } from './modules.ts'

// npm run mutate [-- MODULE…]: makes small changes to the program, one at a time, and counts those that a test
// detects. A run takes hours. It prints a table, and lists the surviving mutants in reports/mutation/MODULE.txt.

/** The percentage of mutants that tests must detect in each module. */
const LEAST = 85

const root = join(import.meta.dirname, '../..')
const reports = join(root, 'reports/mutation')
const stryker = join(import.meta.dirname, 'node_modules/@stryker-mutator')

/** A mutant in a Stryker report (mutation-testing-report-schema). */
interface Mutant {
  status: 'Killed' | 'Survived' | 'Timeout' | 'NoCoverage' | 'CompileError' | 'RuntimeError' | 'Ignored'
  mutatorName: string
  replacement?: string
  location: { start: { line: number; column: number } }
}
interface Report {
  files: Record<string, { source: string; mutants: Mutant[] }>
}

async function mutate({ name, mutate, tests }: (typeof modules)[number]) {
  const slug = name.toLowerCase().replaceAll(' ', '-')
  const report = join(reports, `${slug}.json`)
  const config = join(reports, `${slug}.config.json`)
  const settings = {
    plugins: [join(import.meta.dirname, 'runner.ts')],
    testRunner: 'subtests',
    subtests: { files: tests.map((test) => `test/${test}.test.ts`) },
    mutate,
    coverageAnalysis: 'perTest',
    reporters: ['progress', 'json'],
    jsonReporter: { fileName: report },
    // Concurrent runs of a test file would share its folder.
    concurrency: 1,
    // The runner has its own limits, in CPU time.
    timeoutMS: 1_200_000,
    tempDirName: `.stryker-tmp/${slug}`,
    ignorePatterns: ['.stryker-tmp', 'dist/exe', 'reports', 'test/mutation/node_modules', 'ui/node_modules'],
    disableTypeChecks: false,
    allowEmpty: false,
    warnings: { slow: false }
  }
  writeFileSync(config, JSON.stringify(settings, undefined, 2))
  const child = spawn(process.execPath, [join(stryker, 'core/bin/stryker.js'), 'run', config], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    // The timeout in seconds for tests that tap does not run itself. The default is 30.
    env: { ...process.env, TAP_TIMEOUT: '600' }
  })
  const [code] = await once(child, 'close')
  if (code !== 0 || !existsSync(report)) throw new Error(`Stryker ended with ${code} for ${name}`)
  return summaryOf(JSON.parse(readFileSync(report, 'utf8')) as Report, join(reports, `${slug}.txt`))
}

/** Counts the mutants, and writes those that no test detected to the file. */
function summaryOf({ files }: Report, file: string) {
  const survivors: string[] = []
  let [noticed, all] = [0, 0]
  for (const [path, { source, mutants }] of Object.entries(files)) {
    const lines = source.split('\n')
    for (const { status, mutatorName, replacement, location } of mutants) {
      if (status === 'CompileError' || status === 'RuntimeError' || status === 'Ignored') continue
      all++
      if (status === 'Killed' || status === 'Timeout') noticed++
      else {
        const { line, column } = location.start
        survivors.push(
          `${path}:${line}:${column} ${mutatorName} ${status}: ${lines[line - 1]?.trim()}\n  -> ${replacement}`
        )
      }
    }
  }
  writeFileSync(file, `${survivors.join('\n')}\n`)
  return { noticed, all }
}

mkdirSync(reports, { recursive: true })
const given = process.argv.slice(2)
const chosen = given.length > 0 ? modules.filter(({ name }) => given.includes(name)) : modules
const rows: string[] = []
let isEnough = true
for (const module of chosen) {
  const { noticed, all } = await mutate(module)
  const share = (100 * noticed) / all
  isEnough &&= share >= LEAST
  rows.push(`| ${module.name} | ${noticed} of ${all} | ${share.toFixed(1)} % |`)
}
console.log(`\n| module | noticed | share |\n|---|---|---|\n${rows.join('\n')}`)
process.exitCode = isEnough ? 0 : 1
