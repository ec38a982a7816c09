import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { isCurrent } from '../deploy/freshness.ts'

// `npm run build:ui` builds dist/ui (the web app), dist/docs-page (the API page) and dist/help (the help pages from docs/)
// unless they are up to date. `npm run docs` builds only the help pages.

const root = join(import.meta.dirname, '..')
const { resolve } = createRequire(import.meta.url)

// The targets are the files that each build writes last.
const isAppCurrent = () =>
  isCurrent(
    ['dist/ui/index.html', 'dist/ui/share.html', 'dist/ui-packages.json', 'dist/docs-page/swagger-ui.css'],
    [
      'ui/src',
      'picture',
      'graph/samples',
      'ui/index.html',
      'ui/share.html',
      'ui/vite.config.ts',
      'ui/build.ts',
      'graph/formats/shared/losses.ts'
    ]
  )
const isHelpCurrent = () => isCurrent(['dist/help/search.js'], ['docs', 'ui/help', 'ui/src/icon.svg', 'package.json'])

/** Copies Swagger UI from @fastify/swagger-ui. swagger-ui-dist has the same files, but depends on a package that phones home. */
function copyDocsPage() {
  const from = join(dirname(resolve('@fastify/swagger-ui/package.json')), 'static')
  const to = join(root, 'dist/docs-page')
  mkdirSync(to, { recursive: true })
  for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css']) cpSync(join(from, file), join(to, file))
}

/** Returns the names of required packages that are not installed. */
function findMissing() {
  const { devDependencies } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'))
  const isInstalled = (name: string) =>
    [root, import.meta.dirname].some((folder) => existsSync(join(folder, 'node_modules', name)))
  return [...Object.keys(devDependencies), '@fastify/swagger-ui', 'esbuild'].filter((name) => !isInstalled(name))
}

const isHelpAlone = process.argv.includes('--help-pages')
const needs = { app: !isHelpAlone && !isAppCurrent(), help: isHelpAlone || !isHelpCurrent() }
if (needs.app || needs.help) {
  const missing = findMissing()
  if (missing.length > 0) {
    // The API works without the web app. `npm ci --omit=dev` does not install the build tools.
    console.warn(`The web app, /docs and /help were not built, because ${missing[0]} is not installed. Run npm ci.`)
    if (isHelpAlone) process.exitCode = 1
  } else {
    if (needs.app) await buildApp()
    // Imported on demand, because Eleventy is slow to load.
    if (needs.help) await (await import('./help/build.ts')).buildHelp()
  }
}

async function buildApp() {
  const { build } = await import('vite')
  await build({ configFile: join(import.meta.dirname, 'vite.config.ts'), logLevel: 'warn' })
  copyDocsPage()
}
