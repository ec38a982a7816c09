import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { builtPages, bundled, nodeJs, sqliteAddon, writeBill } from './bill-of-materials.ts'
import { type Bundles, bundles } from './bundle.ts'
import { lockedOf } from './lockfile.ts'
import { signed } from './mach-o-signature.ts'
import { packageFile } from './package-file.ts'
import { HERE, runtimeOf, TARGETS, type Target, targetsOf } from './targets.ts'

// npm run build:exe builds dist/graphstead, a single executable for this machine that contains Node.js, the program and its
// worker threads, the SQLite addon, the web app and the API page. With --target TARGET or --target all, it builds
// dist/graphstead-TARGET for other platforms. Each file comes with a bill of materials and checksums.

const root = join(import.meta.dirname, '..')
const { target: option } = parseArgs({ options: { target: { type: 'string' } } }).values
const targets = targetsOf(option)
const work = mkdtempSync(join(tmpdir(), 'graphstead-build-'))

/** Writes V8's compiled code, which works only on this platform. Returns its path. */
function compiled(program: string) {
  const cache = join(work, 'main.cache')
  // The seed fixes the order of V8's tables. V8's other threads would leave random bytes in gaps between objects.
  const flags = ['--random-seed=1', '--no-concurrent-recompilation', '--single-threaded-gc']
  const args = [...flags, join(import.meta.dirname, 'compile.ts'), program, cache]
  execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  return cache
}

function buildFor(target: string, { start, program, assets, inputs }: Bundles) {
  const { node, addon } = TARGETS[target] as Target
  const addonFile = packageFile('better-sqlite3', `prebuilds/${addon}.node`, work)
  const name = option === undefined ? 'graphstead' : `graphstead-${target}`
  const output = join(root, 'dist', target.startsWith('win-') ? `${name}.exe` : name)
  const config = {
    // The executable contains this path, which must therefore exclude the temporary folder.
    main: basename(start),
    output,
    executable: runtimeOf(target, work),
    disableExperimentalSEAWarning: true,
    assets: {
      ...assets,
      ...(target === HERE && { 'main.cache': compiled(program) }),
      [`better-sqlite3-${lockedOf('better-sqlite3').version}-${basename(addonFile)}`]: addonFile
    }
  }
  writeFileSync(join(work, 'sea.json'), JSON.stringify(config))
  execFileSync(process.execPath, ['--build-sea', 'sea.json'], { cwd: work, stdio: 'inherit' })
  if (target.startsWith('darwin-')) writeFileSync(output, signed(readFileSync(output), 'graphstead'))
  if (target === HERE)
    execFileSync(output, ['--version'], { env: { ...process.env, GRAPHSTEAD_BUILD: 'true' }, stdio: 'inherit' })
  const packages = [
    ...bundled([...inputs]),
    'node_modules/better-sqlite3',
    'node_modules/dejavu-fonts-ttf',
    `node_modules/${node}`,
    ...builtPages()
  ]
  writeBill(output, new Set(packages), nodeJs(process.versions as Record<string, string>), sqliteAddon(addonFile))
  console.log(`${output}: ${(statSync(output).size / 1e6).toFixed(1)} MB`)
}

try {
  mkdirSync(join(root, 'dist'), { recursive: true })
  const made = await bundles(work)
  for (const target of targets) buildFor(target, made)
} finally {
  rmSync(work, { recursive: true, force: true })
}
