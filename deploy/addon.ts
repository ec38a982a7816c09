import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { getRawAsset } from 'node:sea'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

// Replaces the addon of better-sqlite3 in the single executable. The system loads libraries only from files: this
// writes the addon to a private folder, loads it, and removes it at once.

const NAME = 'linux-x64.node'
const PATH = 'path of the addon'

/** Some of these may be read-only, or forbid running code. */
const folders = [tmpdir(), '/dev/shm', '/var/tmp', process.cwd(), dirname(process.execPath)]

function load() {
  const known = getEnvironmentData(PATH)
  // All threads load one copy by the same name: two copies of SQLite would release each other's locks.
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
