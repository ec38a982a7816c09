import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { getAsset, getAssetKeys, getRawAsset, isSea } from 'node:sea'
import { promisify } from 'node:util'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { zstdDecompress } from 'node:zlib'
import type { BuiltFiles } from '../plugins/http/built-files.ts'

// What the program needs besides its own code: files, but inside of the single executable parts of it, which
// deploy/build-exe.ts puts there.

const unpack = promisify(zstdDecompress)

/** The web app as `npm run build:ui` has made it: its files by their path, such as `index.html`. None where it has not. */
export const webApp = () => builtFiles('ui')

/** The files of Swagger UI that the page on the API needs, made and named in the same way. */
export const docsPage = () => builtFiles('docs-page')

/** The files of a folder of dist/; inside of the executable their names begin with that of the folder. */
function builtFiles(folder: string): BuiltFiles {
  if (isSea()) {
    const names = getAssetKeys().filter((name) => name.startsWith(`${folder}/`))
    return new Map(names.map((name) => [name.slice(folder.length + 1), () => unpack(getRawAsset(name))]))
  }
  // Beside the source, and beside what is built of it.
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

/** Starts the thread whose code is the file of this name beside the module that asks, which gives its `import.meta.url`. */
export function startThread(name: string, beside: string, options: WorkerOptions): Worker {
  if (isSea()) return new Worker(getAsset(name, 'utf8'), { ...options, eval: true })
  return new Worker(new URL(`./${name}${extname(beside)}`, beside), options)
}

/** What starts this program once more: its path, and what its arguments begin with. */
export function thisProgram(): string[] {
  return isSea() ? [process.execPath] : [process.execPath, process.argv[1] as string]
}
