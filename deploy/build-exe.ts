import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'

// npm run build:exe: makes dist/graphstead for linux-x64, a single executable with everything inside: Node.js, the code
// with the code of its threads, the addon of SQLite and the files of the page on the API.

const root = join(import.meta.dirname, '..')
const { resolve } = createRequire(import.meta.url)
const target = join(root, 'dist', 'graphstead')
const work = mkdtempSync(join(tmpdir(), 'graphstead-build-'))

const ADDON = 'linux-x64.node'

/** The addon comes out of the executable instead of from its package; see deploy/addon.ts. */
const addon: Plugin = {
  name: 'addon',
  setup({ onResolve }) {
    onResolve({ filter: /^better-sqlite3$/ }, () => ({ path: resolve('better-sqlite3/linux-x64') }))
    onResolve({ filter: /linux-x64\.node$/ }, () => ({ path: join(import.meta.dirname, 'addon.ts') }))
  }
}

async function bundle(entry: string, name: string) {
  const outfile = join(work, name)
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: `node${process.versions.node}`,
    plugins: [addon],
    // Looked for by pg, which does without.
    external: ['pg-native'],
    // What stands beside a module is inside of the executable, see src/assets.ts.
    define: { 'import.meta.url': '""' },
    logLevel: 'warning'
  })
  return outfile
}

/** Node.js itself, without the names of its inner functions, which are a sixth of it. */
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

try {
  const config = {
    main: await bundle('src/main.ts', 'main.js'),
    output: target,
    executable: runtime(),
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    assets: {
      [ADDON]: resolve('better-sqlite3/package.json').replace('package.json', `prebuilds/${ADDON}`),
      'sqlite-thread': await bundle('db/sqlite-thread.ts', 'sqlite-thread.js'),
      'sqlite-backup-thread': await bundle('db/sqlite-backup-thread.ts', 'sqlite-backup-thread.js'),
      'graph-worker-thread': await bundle('src/graph-worker-thread.ts', 'graph-worker-thread.js'),
      ...Object.fromEntries(
        ['swagger-ui-dist/swagger-ui.css', 'swagger-ui-dist/swagger-ui-bundle.js'].map((name) => [name, resolve(name)])
      )
    }
  }
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(join(work, 'sea.json'), JSON.stringify(config))
  execFileSync('node', ['--build-sea', join(work, 'sea.json')], { stdio: 'inherit' })
  console.log(`${target}: ${(statSync(target).size / 1e6).toFixed(1)} MB`)
} finally {
  rmSync(work, { recursive: true, force: true })
}
