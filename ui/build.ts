import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

// npm run build:ui: makes dist/ui, the web app as static files, unless it is there and newer than all that it is made of.

const root = join(import.meta.dirname, '..')

function newestOf(folder: string) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Math.max(...files.map(({ parentPath, name }) => statSync(join(parentPath, name)).mtimeMs))
}

function isCurrent() {
  const built = statSync(join(root, 'dist/ui/index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const sources = ['src', 'generated'].map((folder) => newestOf(join(import.meta.dirname, folder)))
  const single = ['ui/index.html', 'ui/vite.config.ts', 'package-lock.json'].map(
    (file) => statSync(join(root, file)).mtimeMs
  )
  return built > Math.max(...sources, ...single)
}

if (!isCurrent()) {
  try {
    const { build } = await import('vite')
    await build({ configFile: join(import.meta.dirname, 'vite.config.ts'), logLevel: 'warn' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    // The API does without: `npm ci --omit=dev` leaves out what builds the app.
    console.warn('The web app is not built: that takes what npm ci installs.')
  }
}
