import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { archive } from './archive.ts'
import { unlockedPlaces } from './lockfile.ts'
import { filled, notesOf } from './release-texts.ts'
import { sourceDate } from './source-date.ts'
import { TARGETS } from './targets.ts'

// npm run release -- --dry-run [--url URL] builds all files of a release in dist/release/: see docs/release.md. URL is the
// address under which the release folders will be published.

const SERVICES = { linux: 'graphstead.service', darwin: 'graphstead.plist', win: 'graphstead-service.xml' }

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const release = join(dist, 'release')
const { values: option } = parseArgs({
  options: { 'dry-run': { type: 'boolean' }, url: { type: 'string', default: 'https://graphstead.invalid/releases' } }
})
const text = (...path: string[]) => readFileSync(join(root, ...path), 'utf8')
const { version } = JSON.parse(text('package.json'))

/** Runs a command in a folder of the repository. */
function run(command: string, args: string[], folder = '.') {
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(sourceDate().getTime() / 1000) }
  execFileSync(command, args, { cwd: join(root, folder), env, stdio: ['ignore', 'inherit', 'inherit'] })
}

/** Throws unless everything is committed and the lockfile matches. Returns the release notes. */
function checked() {
  const changes = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })
  if (changes) throw new Error(`there are uncommitted changes:\n${changes.trimEnd()}`)
  const locked = JSON.parse(text('package-lock.json')).version
  if (locked !== version) throw new Error(`package.json has version ${version}, and package-lock.json ${locked}`)
  run('npm', ['ci', '--dry-run', '--no-audit', '--no-fund', '--loglevel=error'])
  const unlocked = unlockedPlaces()
  if (unlocked.length > 0) throw new Error(`${unlocked.join(', ')}: different from package-lock.json; run npm ci`)
  return notesOf(version, text('CHANGELOG.md'), text('docs/executables.md'))
}

/** Packs the executable of a target with its documents and service definition. Returns the archive's SHA-256. */
function packExecutable(target: string, work: string) {
  const isWindows = target.startsWith('win-')
  const [end, packing] = isWindows ? ['.exe', 'zip'] : ['', 'tar.xz']
  const executable = `graphstead-${target}${end}`
  const folder = mkdtempSync(join(work, 'archive-'))
  copyFileSync(join(dist, executable), join(folder, `graphstead${end}`))
  copyFileSync(join(dist, `${executable}.cdx.json`), join(folder, 'graphstead.cdx.json'))
  for (const name of ['CHANGELOG.md', 'LICENSE', 'README.md']) copyFileSync(join(root, name), join(folder, name))
  const service = SERVICES[target.split('-')[0] as keyof typeof SERVICES]
  copyFileSync(join(import.meta.dirname, service), join(folder, service))
  const packed = `graphstead-${version}-${target}.${packing}`
  archive(join(release, packed), folder)
  copyFileSync(join(dist, `${executable}.cdx.json`), join(release, `${packed}.cdx.json`))
  return sha256(packed)
}

/** Builds the Python client with the tools pinned in its requirements. */
function buildPythonClient(work: string) {
  const python = join(work, 'venv/bin/python')
  run('python3', ['-m', 'venv', join(work, 'venv')])
  const quiet = ['--quiet', '--disable-pip-version-check']
  run(python, ['-m', 'pip', 'install', ...quiet, '-c', 'requirements.txt', 'hatchling'], 'clients/python')
  run(python, ['-m', 'hatchling', 'build', '-t', 'wheel', '-d', release], 'clients/python')
}

function sha256(name: string) {
  return createHash('sha256')
    .update(readFileSync(join(release, name)))
    .digest('hex')
}

function makeAll(work: string) {
  const notes = checked()
  rmSync(release, { recursive: true, force: true })
  mkdirSync(release, { recursive: true })
  run('npm', ['run', 'build:exe', '--', '--target', 'all'])
  const sums: Record<string, string> = {}
  for (const target of Object.keys(TARGETS)) sums[`sha256 of ${target}`] = packExecutable(target, work)
  for (const architecture of ['amd64', 'arm64']) {
    run('npm', ['run', 'build:deb', '--', architecture])
    const name = `graphstead_${version}_${architecture}.deb`
    copyFileSync(join(dist, name), join(release, name))
  }
  run('npm', ['run', 'build:package'])
  for (const name of [`graphstead-${version}.tgz`, `graphstead-${version}.tgz.cdx.json`])
    copyFileSync(join(dist, name), join(release, name))
  // `npm run` passes on the repository's ignore-scripts setting, which would prevent npm from compiling the client before
  // packing it.
  run('npm', ['pack', '--ignore-scripts=false', '--pack-destination', release], 'clients/typescript')
  buildPythonClient(work)
  copyFileSync(join(root, 'openapi.json'), join(release, 'openapi.json'))
  for (const recipe of ['homebrew/graphstead.rb', 'scoop/graphstead.json'])
    writeFileSync(
      join(release, basename(recipe)),
      filled(text('deploy', recipe), { ...sums, version, url: option.url })
    )
  writeFileSync(join(release, 'NOTES.md'), notes)
  const names = readdirSync(release).sort()
  writeFileSync(join(release, 'SHA256SUMS'), names.map((name) => `${sha256(name)}  ${name}\n`).join(''))
  for (const name of names)
    console.log(`${(statSync(join(release, name)).size / 1e6).toFixed(1).padStart(5)} MB ${name}`)
}

const work = mkdtempSync(join(tmpdir(), 'graphstead-release-'))
try {
  if (!option['dry-run'])
    throw new Error('this command cannot publish: --dry-run makes the files, and docs/release.md explains the rest')
  makeAll(work)
} catch (error) {
  console.error(`release: ${(error as Error).message}`)
  process.exitCode = 1
} finally {
  rmSync(work, { recursive: true, force: true })
}
