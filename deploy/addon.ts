import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { getRawAsset } from 'node:sea'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

// Stands in the single executable for the addon of better-sqlite3. The system loads libraries from files only: it is
// written to a folder that nobody else can write to, loaded, and removed at once.

const NAME = 'linux-x64.node'
const PATH = 'path of the addon'

/** Some of these may be read-only, or forbid that code is run from them. */
const folders = [tmpdir(), '/dev/shm', '/var/tmp', process.cwd(), dirname(process.execPath)]

function load() {
  const known = getEnvironmentData(PATH)
  // All threads share one copy, which the system knows by its name: two copies of SQLite would undo one another's locks.
  if (typeof known === 'string') return open(known)
  const failures: string[] = []
  for (const folder of folders) {
    let own: string | undefined
    try {
      own = mkdtempSync(join(folder, 'graphstead-'))
      const path = join(own, NAME)
      writeFileSync(path, new Uint8Array(getRawAsset(NAME)), { mode: 0o700 })
      const addon = open(path)
      setEnvironmentData(PATH, path)
      return addon
    } catch (error) {
      failures.push((error as Error).message)
    } finally {
      if (own) rmSync(own, { recursive: true, force: true })
    }
  }
  throw new Error(`no folder to load SQLite from: ${failures.join('; ')}`)
}

function open(path: string) {
  const module = { exports: {} }
  process.dlopen(module, path)
  return module.exports
}

module.exports = load()
