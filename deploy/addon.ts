import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { getAssetKeys, getRawAsset } from 'node:sea'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

// Replaces the module that loads the better-sqlite3 addon in the executable. The system loads libraries only from files, so
// this writes the addon to a private folder, loads it, and removes the file as soon as the system allows.

const PATH = 'path of the addon'
const isWindows = process.platform === 'win32'

/** Lists the folders to try. Some may be read-only, or may not allow code to be run. */
function folders() {
  // Windows cannot delete a library that is in use, so it is kept in one of the user's folders for the next start.
  if (isWindows) return [process.env.LOCALAPPDATA ?? homedir(), dirname(process.execPath)]
  return [tmpdir(), '/dev/shm', '/var/tmp', process.cwd(), dirname(process.execPath)]
}

function load() {
  const known = getEnvironmentData(PATH)
  // All threads load the same file, because two copies of SQLite would release each other's locks.
  if (typeof known === 'string') return open(known)
  const name = getAssetKeys().find((key) => key.endsWith('.node')) ?? ''
  const bytes = new Uint8Array(getRawAsset(name))
  const failures: string[] = []
  for (const folder of folders()) {
    let own: string | undefined
    const clean = () => own && rmSync(own, { recursive: true, force: true })
    try {
      if (!isWindows) own = mkdtempSync(join(folder, 'graphstead-'))
      const path = own ? written(own, name, bytes) : kept(join(folder, 'graphstead'), name, bytes)
      const addon = open(path)
      setEnvironmentData(PATH, path)
      // On Linux, other threads find a loaded library by its name even after the file is deleted. Other systems may not do
      // this.
      if (process.platform === 'linux') clean()
      else process.on('exit', clean)
      return addon
    } catch (error) {
      clean()
      failures.push((error as Error).message)
    }
  }
  throw new Error(`no folder to load SQLite from: ${failures.join('; ')}`)
}

function written(folder: string, name: string, bytes: Uint8Array) {
  const path = join(folder, name)
  writeFileSync(path, bytes, { mode: 0o700 })
  return path
}

/** Writes the addon to a permanent folder atomically, unless the folder already contains it. Returns the path. */
function kept(folder: string, name: string, bytes: Uint8Array) {
  const path = join(folder, name)
  const isThere = () => existsSync(path) && readFileSync(path).equals(bytes)
  if (isThere()) return path
  mkdirSync(folder, { recursive: true })
  const draft = written(folder, `${name}.${process.pid}`, bytes)
  try {
    renameSync(draft, path)
  } catch (error) {
    // Another process may have written the file in the meantime, and may be using it.
    rmSync(draft)
    if (!isThere()) throw error
  }
  return path
}

function open(path: string) {
  const module = { exports: {} }
  process.dlopen(module, path)
  return module.exports
}

module.exports = load()
