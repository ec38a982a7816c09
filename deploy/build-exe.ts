import { execFileSync } from 'node:child_process'
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
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'
import { build, type Plugin } from 'esbuild'
import { builtPages, bundled, nodeJs, writeBill } from './bill-of-materials.ts'
import { AROUND } from './program.ts'

// npm run build:exe builds dist/graphstead for linux-x64, a single executable with everything inside: Node.js, the code
// with that of its threads, the addon of SQLite, the web app and the files of the API page. Its bill of materials and
// checksum stand beside it.

const root = join(import.meta.dirname, '..')
const { resolve } = createRequire(import.meta.url)
const target = join(root, 'dist', 'graphstead')
const work = mkdtempSync(join(tmpdir(), 'graphstead-build-'))

const ADDON = 'linux-x64.node'
/** The files in the bundles. */
const inputs = new Set<string>()

/** Loads the addon from the executable instead of its package; see deploy/addon.ts. */
const addon: Plugin = {
  name: 'addon',
  setup({ onResolve }) {
    onResolve({ filter: /^better-sqlite3$/ }, () => ({ path: resolve('better-sqlite3/linux-x64') }))
    onResolve({ filter: /linux-x64\.node$/ }, () => ({ path: join(import.meta.dirname, 'addon.ts') }))
  }
}

async function bundle(entry: string, name: string, around: Partial<typeof AROUND> = {}) {
  const outfile = join(work, name)
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    metafile: true,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: `node${process.versions.node}`,
    plugins: [addon],
    // Optional for pg.
    external: ['pg-native'],
    // A fifth of the code is indentation. Names stay, for stack traces.
    minifyWhitespace: true,
    lineLimit: 200,
    // Files beside a module are in the executable, see src/assets.ts.
    define: { 'import.meta.url': '""', 'import.meta.dirname': '""' },
    logLevel: 'warning',
    ...around
  })
  for (const input of Object.keys(metafile.inputs)) inputs.add(input)
  return outfile
}

/** Returns Node.js stripped of its symbols, a sixth of its size. */
function runtime() {
  const copy = join(work, 'node')
  copyFileSync(execFileSync('node', ['-p', 'process.execPath'], { encoding: 'utf8' }).trim(), copy)
  try {
    execFileSync('strip', [copy])
  } catch (error) {
    console.warn(`Not stripped, and larger for it: ${(error as Error).message}`)
  }
  return copy
}

/** Compresses a file for src/assets.ts: such files are large and seldom used. */
function packed(path: string) {
  const file = join(work, `${basename(path)}.zst`)
  writeFileSync(file, zstdCompressSync(readFileSync(path), { params: { [constants.ZSTD_c_compressionLevel]: 19 } }))
  return file
}

/** The files of ui/build.ts in a folder of dist/, by the names that src/assets.ts uses. */
function builtFiles(folder: string): Record<string, string> {
  const files = readdirSync(join(root, 'dist', folder), { recursive: true, withFileTypes: true })
  const paths = files.filter((file) => file.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return Object.fromEntries(paths.map((path) => [relative(join(root, 'dist'), path), packed(path)]))
}

try {
  const node = runtime()
  const program = await bundle('src/main.ts', 'main.js', AROUND)
  const threads: Record<string, string> = {}
  for (const file of [
    'db/engine/sqlite-reader-thread',
    'db/engine/sqlite-backup-thread',
    'db/audit-batch-thread',
    'db/audit-lines-thread',
    'graph/worker-thread'
  ]) {
    const name = basename(file)
    threads[name] = await bundle(`${file}.ts`, `${name}.js`)
  }
  const addonFile = resolve('better-sqlite3/package.json').replace('package.json', `prebuilds/${ADDON}`)
  const compiled = join(work, 'main.cache')
  execFileSync('node', [join(import.meta.dirname, 'compile.ts'), program, addonFile, compiled], {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 60_000
  })
  const config = {
    main: await bundle('deploy/start.ts', 'start.js'),
    output: target,
    executable: node,
    disableExperimentalSEAWarning: true,
    assets: {
      'main.js': program,
      'main.cache': compiled,
      [ADDON]: addonFile,
      ...threads,
      'index_bg.wasm': packed(resolve('@resvg/resvg-wasm/index_bg.wasm')),
      'DejaVuSans.ttf': packed(resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')),
      ...builtFiles('ui'),
      ...builtFiles('docs-page')
    }
  }
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(join(work, 'sea.json'), JSON.stringify(config))
  execFileSync('node', ['--build-sea', join(work, 'sea.json')], { stdio: 'inherit' })
  execFileSync(target, ['--version'], { env: { ...process.env, GRAPHSTEAD_BUILD: 'true' }, stdio: 'inherit' })
  const packages = new Set([
    ...bundled([...inputs]),
    'node_modules/better-sqlite3',
    'node_modules/dejavu-fonts-ttf',
    ...builtPages()
  ])
  const versions = execFileSync(node, ['-p', 'JSON.stringify(process.versions)'], { encoding: 'utf8' })
  writeBill(target, packages, nodeJs(JSON.parse(versions)))
  console.log(`${target}: ${(statSync(target).size / 1e6).toFixed(1)} MB`)
} finally {
  rmSync(work, { recursive: true, force: true })
}
