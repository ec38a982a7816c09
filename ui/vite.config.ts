import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** `npm run build:ui` makes dist/ui, which the server serves; `npm run dev:ui` serves it itself, with the API of a server on 8080. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  resolve: { dedupe: ['react', 'react-dom'] },
  build: {
    outDir: '../dist/ui',
    emptyOutDir: true,
    // What is small would stand in the page as data: otherwise, which its policy forbids to scripts.
    assetsInlineLimit: 0,
    // They know light-dark(), which would otherwise be written in another way that does not follow a switch.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200
  },
  worker: { format: 'es' },
  server: { proxy: { '/api': 'http://127.0.0.1:8080', '/management': 'http://127.0.0.1:8080' } }
})
