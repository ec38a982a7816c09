import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const dist = join(import.meta.dirname, '..', 'dist')
const packages = new Set<string>()

/** Writes the lockfile paths of the bundled packages to dist/ui-packages.json, for the bill of materials. */
const packageList = (): Plugin => ({
  name: 'package-list',
  generateBundle(_options, bundle) {
    for (const output of Object.values(bundle)) {
      for (const id of output.type === 'chunk' ? output.moduleIds : []) {
        const [, place] = /.*?\/((?:ui\/)?node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(id) ?? []
        if (place) packages.add(place)
      }
    }
    mkdirSync(dist, { recursive: true })
    writeFileSync(join(dist, 'ui-packages.json'), `${JSON.stringify([...packages].sort(), null, 2)}\n`)
  }
})

/** `npm run build:ui` builds dist/ui for the server. `npm run dev:ui` serves the app and proxies the API to port 8080. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), packageList()],
  resolve: { dedupe: ['react', 'react-dom'] },
  build: {
    outDir: '../dist/ui',
    rolldownOptions: { input: ['index.html', 'share.html'].map((page) => join(import.meta.dirname, page)) },
    emptyOutDir: true,
    // Small files are not inlined, because the Content-Security-Policy forbids scripts in data URLs.
    assetsInlineLimit: 0,
    // These browsers support light-dark(). For older ones, the build would replace it with CSS that does not follow theme
    // changes.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200
  },
  worker: { format: 'es', plugins: () => [packageList()] },
  server: { proxy: Object.fromEntries(['/api', '/management', '/help'].map((path) => [path, 'http://127.0.0.1:8080'])) }
})
