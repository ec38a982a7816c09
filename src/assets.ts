import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { getAsset, getAssetKeys, getRawAsset, isSea } from 'node:sea'
import { promisify } from 'node:util'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { zstdDecompress } from 'node:zlib'
import type { BuiltFiles } from '../plugins/http/built-files.ts'

// Files that the program needs besides its code. The single executable contains them; deploy/build-exe.ts adds them.

const unpack = promisify(zstdDecompress)

/** The web app of `npm run build:ui`: its files by path, such as `index.html`; empty if it has not been built. */
export const webApp = () => builtFiles('ui')

/** The files of Swagger UI for the API page, built and named in the same way. */
export const docsPage = () => builtFiles('docs-page')

/** The files of a folder of dist/. In the executable, their names begin with that of the folder. */
function builtFiles(folder: string): BuiltFiles {
  if (isSea()) {
    const names = getAssetKeys().filter((name) => name.startsWith(`${folder}/`))
    return new Map(names.map((name) => [name.slice(folder.length + 1), () => unpack(getRawAsset(name))]))
  }
  // Relative to the source, and to the built package.
  for (const parent of ['../dist', '../..'].map((path) => join(import.meta.dirname, path, folder))) {
    try {
      const files = readdirSync(parent, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      const paths = files.map(({ parentPath, name }) => join(parentPath, name))
      return new Map(paths.map((path) => [path.slice(parent.length + 1), () => readFile(path)]))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return new Map()
}

/** Starts a thread with the code of the named file beside the calling module, which passes its `import.meta.url`. */
export function startThread(name: string, beside: string, options: WorkerOptions): Worker {
  if (isSea()) return new Worker(getAsset(name, 'utf8'), { ...options, eval: true })
  return new Worker(new URL(`./${name}${extname(beside)}`, beside), options)
}

/** The command that starts this program again: its path, and its first arguments. */
export function thisProgram(): string[] {
  return isSea() ? [process.execPath] : [process.execPath, process.argv[1] as string]
}
