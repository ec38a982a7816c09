import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { getAsset, getRawAsset, isSea } from 'node:sea'
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

/** Starts the thread whose code is the file of this name beside the module that asks, which gives its `import.meta.url`. */
export function startThread(name: string, beside: string, options: WorkerOptions): Worker {
  if (isSea()) return new Worker(getAsset(name, 'utf8'), { ...options, eval: true })
  return new Worker(new URL(`./${name}${extname(beside)}`, beside), options)
}

/** What starts this program once more: its path, and what its arguments begin with. */
export function thisProgram(): string[] {
  return isSea() ? [process.execPath] : [process.execPath, process.argv[1] as string]
}
