import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux keeps files in this folder in memory. */
const IN_MEMORY = '/dev/shm'

/** Creates a private folder, in memory if the system supports that. Returns its path. */
export function createDemoFolder(): string {
  try {
    return mkdtempSync(join(IN_MEMORY, 'graphstead-demo-'))
  } catch {
    return mkdtempSync(join(tmpdir(), 'graphstead-demo-'))
  }
}

export function removeDemoFolder(folder: string) {
  rmSync(folder, { recursive: true, force: true })
}
