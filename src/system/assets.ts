import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, extname, join, relative, sep } from 'node:path'
import { getAsset, getAssetKeys, getRawAsset, isSea } from 'node:sea'
import { promisify } from 'node:util'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { zstdDecompress } from 'node:zlib'
import type { PictureKit } from '../../picture/sheet/png.ts'
import type { BuiltFiles } from '../../plugins/http/built-files.ts'

// Files that the program needs in addition to its code. deploy/build-exe.ts adds them to the single executable.

/** Files from npm packages. The executable stores them under their base names. */
const WASM = '@resvg/resvg-wasm/index_bg.wasm'
const FONT = 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf'

const unpack = promisify(zstdDecompress)

/** The files of the web app built by `npm run build:ui`, by path, such as `index.html`. Empty if the app has not been built. */
export const webApp = () => builtFiles('ui')

/** The files of Swagger UI for the API page, built and named in the same way. */
export const docsPage = () => builtFiles('docs-page')

/** The files of the help pages, named in the same way. */
export const helpPages = () => builtFiles('help')

/** Loads the code and font for rendering PNG pictures. */
export async function pictureKit(): Promise<PictureKit> {
  const load = (name: string) => {
    if (isSea()) return unpack(getRawAsset(basename(name)))
    return readFile(createRequire(import.meta.url).resolve(name))
  }
  // Copying produces plain arrays, which can be sent to a thread.
  const [wasm, font] = await Promise.all([WASM, FONT].map(async (name) => new Uint8Array(await load(name))))
  return { wasm: wasm as PictureKit['wasm'], font: font as PictureKit['font'] }
}

/** Returns the files of a folder in dist/. In the executable, their names begin with the folder's name. */
function builtFiles(folder: string): BuiltFiles {
  if (isSea()) {
    const names = getAssetKeys().filter((name) => name.startsWith(`${folder}/`))
    return new Map(names.map((name) => [name.slice(folder.length + 1), () => unpack(getRawAsset(name))]))
  }
  // Paths relative to the source, and relative to the built package.
  for (const parent of ['../../dist', '../../..'].map((path) => join(import.meta.dirname, path, folder))) {
    try {
      const files = readdirSync(parent, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      const paths = files.map(({ parentPath, name }) => join(parentPath, name))
      // Unlike URLs, Windows paths are not separated by slashes.
      const nameOf = (path: string) => relative(parent, path).split(sep).join('/')
      return new Map(paths.map((path) => [nameOf(path), () => readFile(path)]))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return new Map()
}

/**
 * Starts a thread that runs the named file, which must be next to the calling module. The module passes its `import.meta.url`.
 */
export function startThread(name: string, beside: string, options: WorkerOptions): Worker {
  if (isSea()) return new Worker(getAsset(name, 'utf8'), { ...options, eval: true })
  return new Worker(new URL(`./${name}${extname(beside)}`, beside), options)
}

/** Returns the command that starts this program, to which arguments can be appended. */
export function thisProgram(): string[] {
  return isSea() ? [process.execPath] : [process.execPath, process.argv[1] as string]
}
