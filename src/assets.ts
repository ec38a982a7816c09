import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import { getAsset, getAssetKeys, getRawAsset, isSea } from 'node:sea'
import { promisify } from 'node:util'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { zstdDecompress } from 'node:zlib'

// What the program needs besides its own code: files, but inside of the single executable parts of it, which
// deploy/build-exe.ts puts there.

const unpack = promisify(zstdDecompress)

/** A file of a package, such as `swagger-ui-dist/swagger-ui.css`, as text. */
export async function readAsset(name: string): Promise<string> {
  if (isSea()) return (await unpack(getRawAsset(name))).toString()
  return readFile(createRequire(import.meta.url).resolve(name), 'utf8')
}

/** What reads a file, each time anew. */
export type Reading = () => Promise<Buffer>

/** The web app as `npm run build:ui` has made it: its files by their path, such as `index.html`. None where it has not. */
export function webApp(): Map<string, Reading> {
  if (isSea()) {
    const names = getAssetKeys().filter((name) => name.startsWith(WEB_APP))
    return new Map(names.map((name) => [name.slice(WEB_APP.length), () => unpack(getRawAsset(name))]))
  }
  // Beside the source, and beside what is built of it.
  for (const folder of ['../dist/ui', '../../ui'].map((path) => join(import.meta.dirname, path))) {
    try {
      const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      const paths = files.map(({ parentPath, name }) => join(parentPath, name))
      return new Map(paths.map((path) => [path.slice(folder.length + 1), () => readFile(path)]))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return new Map()
}

/** What the names of its files begin with inside of the executable. */
const WEB_APP = 'ui/'

/** Starts the thread whose code is the file of this name beside the module that asks, which gives its `import.meta.url`. */
export function startThread(name: string, beside: string, options: WorkerOptions): Worker {
  if (isSea()) return new Worker(getAsset(name, 'utf8'), { ...options, eval: true })
  return new Worker(new URL(`./${name}${extname(beside)}`, beside), options)
}

/** What starts this program once more: its path, and what its arguments begin with. */
export function thisProgram(): string[] {
  return isSea() ? [process.execPath] : [process.execPath, process.argv[1] as string]
}
