import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { modules } from './modules.ts'

// npm run mutate [-- MODULE…]: changes the program in small ways, one at a time, and counts how many of the changes some
// test notices. It takes hours. A table is at the end; the mutants that lived are in reports/mutation/MODULE.txt.

/** The share of mutants that has to be noticed in each module, in percent. */
const LEAST = 85

const root = join(import.meta.dirname, '../..')
const reports = join(root, 'reports/mutation')
const stryker = join(import.meta.dirname, 'node_modules/@stryker-mutator')

/** A mutant in a report of Stryker (mutation-testing-report-schema). */
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
    // Two runs of one file of tests would share its folder.
    concurrency: 1,
    // The runner has limits of its own, in CPU time.
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
    // Tests that are not run by tap have half a minute, unless this says otherwise; in seconds.
    env: { ...process.env, TAP_TIMEOUT: '600' }
  })
  const [code] = await once(child, 'close')
  if (code !== 0 || !existsSync(report)) throw new Error(`Stryker ended with ${code} for ${name}`)
  return summaryOf(JSON.parse(readFileSync(report, 'utf8')) as Report, join(reports, `${slug}.txt`))
}

/** Counts the mutants, and writes those that nobody noticed into the file. */
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
