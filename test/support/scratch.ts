import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// A test run keeps its files in one folder. On a disk, tests would wait for half of their time, so the folder is in memory if the
// machine has enough.

const IN_MEMORY = '/dev/shm'
const PREFIX = 'graphstead-tests-'
/** Several times the bytes that a run uses at most. */
const ENOUGH = 4 * 2 ** 30

/** Creates the folder of a run, which is removed after this process. Returns its path, and whether it is in memory. */
export function createScratch({ mayUseMemory }: { mayUseMemory: boolean }) {
  const isInMemory = mayUseMemory && hasRoom()
  const folder = mkdtempSync(join(isInMemory ? IN_MEMORY : tmpdir(), PREFIX))
  removeAfterwards(folder)
  // PostgreSQL runs as another user, and has its folder in this one.
  chmodSync(folder, 0o755)
  return { folder, isInMemory }
}

/** Whether the machine has a folder in memory with enough space that allows running programs. */
function hasRoom() {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize >= ENOUGH && process.availableMemory() >= ENOUGH && runsPrograms()
  } catch {
    // It does not exist on this system, or is not writable.
    return false
  }
}

/** Containers often mount the folder `noexec`. */
function runsPrograms() {
  const folder = mkdtempSync(join(IN_MEMORY, PREFIX))
  try {
    const program = join(folder, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    execFileSync(program)
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Removes the folder after this process, however that ends. Tests that outlive the process for a moment may still write to the
 * folder, so it is removed repeatedly for several seconds.
 */
function removeAfterwards(folder: string) {
  const script = 'cat; for second in 1 2 3 4 5 6 7 8 9 10; do rm -rf "$0"; sleep 1; done'
  // Its input ends with this process.
  spawn('sh', ['-c', script, folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] }).unref()
}
