import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

// npm run build:ui builds dist/ui (the static files of the web app) and dist/docs-page (the API page), unless both are
// up to date.

const root = join(import.meta.dirname, '..')
const { resolve } = createRequire(import.meta.url)

function newestOf(folder: string) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Math.max(...files.map(({ parentPath, name }) => statSync(join(parentPath, name)).mtimeMs))
}

function isCurrent() {
  // The file that each build writes last.
  const targets = ['dist/ui/index.html', 'dist/ui/share.html', 'dist/ui-packages.json', 'dist/docs-page/swagger-ui.css']
  const built = targets.map((file) => statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0)
  const sources = ['ui/src', 'picture'].map((folder) => newestOf(join(root, folder)))
  const single = [
    'ui/index.html',
    'ui/share.html',
    'ui/vite.config.ts',
    'ui/build.ts',
    'graph/formats/shared/losses.ts',
    'package-lock.json'
  ].map((file) => statSync(join(root, file)).mtimeMs)
  return Math.min(...built) > Math.max(...sources, ...single)
}

/** Copies Swagger UI from @fastify/swagger-ui. swagger-ui-dist has the same files, but depends on a package that phones home. */
function copyDocsPage() {
  const from = join(dirname(resolve('@fastify/swagger-ui/package.json')), 'static')
  const to = join(root, 'dist/docs-page')
  mkdirSync(to, { recursive: true })
  for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css']) cpSync(join(from, file), join(to, file))
}

/** Returns the names of packages that the builds need but that are not installed. */
function findMissing() {
  const { devDependencies } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'))
  const isInstalled = (name: string) =>
    [root, import.meta.dirname].some((folder) => existsSync(join(folder, 'node_modules', name)))
  return [...Object.keys(devDependencies), '@fastify/swagger-ui'].filter((name) => !isInstalled(name))
}

if (!isCurrent()) {
  const missing = findMissing()
  if (missing.length > 0) {
    // The API works without them. `npm ci --omit=dev` leaves out the build tools.
    console.warn(`The web app and /docs are not built: ${missing[0]} is not installed; run npm ci.`)
  } else {
    const { build } = await import('vite')
    await build({ configFile: join(import.meta.dirname, 'vite.config.ts'), logLevel: 'warn' })
    copyDocsPage()
  }
}
