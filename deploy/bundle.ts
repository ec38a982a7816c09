import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join, relative, sep } from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'
import { build, type Plugin } from 'esbuild'
import { AROUND } from './program.ts'

// The code and files in the executables, which are the same for all platforms.

const root = join(import.meta.dirname, '..')
const { resolve } = createRequire(import.meta.url)

const THREADS = [
  'db/engine/sqlite/reader-thread',
  'db/upkeep/backup-thread',
  'db/audit/batch-thread',
  'db/audit/lines-thread',
  'graph/jobs/worker-thread'
]

/** Loads the addon from the executable instead of its package, on all platforms; see deploy/addon.ts. */
const addon: Plugin = {
  name: 'addon',
  setup({ onResolve }) {
    onResolve({ filter: /^better-sqlite3$/ }, () => ({ path: resolve('better-sqlite3/linux-x64') }))
    onResolve({ filter: /linux-x64\.node$/ }, () => ({ path: join(import.meta.dirname, 'addon.ts') }))
  }
}

/**
 * Omits what other packages load at startup, but this program never uses: HTTP/2 in Fastify, YAML in @fastify/swagger, and the
 * debug output of json-schema-resolver, which creates a function for its output at startup.
 */
const unused: Plugin = {
  name: 'unused',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:http2|yaml|debug)$/ }, ({ path }) => ({ path, namespace: 'unused' }))
    onLoad({ filter: /^/, namespace: 'unused' }, () => ({ contents: 'module.exports = () => () => {}' }))
  }
}

export interface Bundles {
  /** The paths of the entry point, the program, and the assets by name. */
  start: string
  program: string
  assets: Record<string, string>
  /** The paths of the files in the bundles. */
  inputs: Set<string>
}

/** Writes the bundled code and the compressed files of the web app, the API page and the help to the folder. */
export async function bundles(folder: string): Promise<Bundles> {
  const inputs = new Set<string>()
  async function bundle(entry: string, around: Partial<typeof AROUND> = {}) {
    const outfile = join(folder, `${basename(entry, '.ts')}.js`)
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile,
      metafile: true,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: `node${process.versions.node}`,
      plugins: [addon, unused],
      // An optional dependency of pg.
      external: ['pg-native'],
      // A fifth of the code is indentation. Names are not minified, so that stack traces stay readable.
      minifyWhitespace: true,
      lineLimit: 200,
      // Modules read their files from the executable: see src/system/assets.ts.
      define: { 'import.meta.url': '""', 'import.meta.dirname': '""' },
      logLevel: 'warning',
      ...around
    })
    for (const input of Object.keys(metafile.inputs)) inputs.add(input)
    return outfile
  }
  const program = await bundle('src/main.ts', AROUND)
  // esbuild does not escape regular expressions and licences, but deploy/start.ts requires ASCII.
  const ascii = readFileSync(program, 'utf8').replace(/[^\0-\x7f]/g, (unit) => `\\u${hexOf(unit)}`)
  writeFileSync(program, ascii)
  const assets: Record<string, string> = { 'main.js': program }
  for (const file of THREADS) assets[basename(file)] = await bundle(`${file}.ts`)
  const start = await bundle('deploy/start.ts')
  for (const file of ['@resvg/resvg-wasm/index_bg.wasm', 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf'])
    assets[basename(file)] = packed(resolve(file), folder)
  return {
    start,
    program,
    assets: Object.assign(assets, ...['ui', 'docs-page', 'help'].map((pages) => builtFiles(pages, folder))),
    inputs
  }
}

function hexOf(unit: string) {
  return unit.charCodeAt(0).toString(16).padStart(4, '0')
}

/**
 * Bundles the program for Node.js into a folder below dist/, as graphstead.js with the code for its worker threads next to it.
 */
export async function bundleForNode(folder: string) {
  await build({
    absWorkingDir: root,
    entryPoints: ['src/graphstead.js', ...THREADS.map((file) => `${file}.ts`)],
    outdir: folder,
    entryNames: '[name]',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: `node${process.versions.node}`,
    plugins: [unused],
    external: ['better-sqlite3', 'pg-native'],
    // Bundled CommonJS packages call `require` for Node's built-in modules.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);"
    },
    logLevel: 'warning'
  })
}

/** Compresses the files that ui/build.ts has built. Returns their paths, keyed by the names that src/system/assets.ts uses. */
function builtFiles(from: string, folder: string): Record<string, string> {
  const files = readdirSync(join(root, 'dist', from), { recursive: true, withFileTypes: true })
  const paths = files.filter((file) => file.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const names = paths.map((path) => [path, relative(join(root, 'dist'), path)] as const)
  return Object.fromEntries(names.map(([path, name]) => [name, packed(path, folder, name.replaceAll(sep, '-'))]))
}

/** Compresses a file for src/system/assets.ts, because such files are large and seldom used. Returns the path. */
function packed(path: string, folder: string, name = basename(path)) {
  const file = join(folder, `${name}.zst`)
  writeFileSync(file, zstdCompressSync(readFileSync(path), { params: { [constants.ZSTD_c_compressionLevel]: 19 } }))
  return file
}
