import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// A test run keeps its files in one folder. On a disk, tests would spend half of their time waiting, so the folder is in memory
// if the machine has enough of it.

const IN_MEMORY = '/dev/shm'
const PREFIX = 'graphstead-tests-'
/** The required free space in bytes, several times what a run uses. */
const ENOUGH = 4 * 2 ** 30

/**
 * Creates the folder for a run, which is removed after this process exits. Returns the path, and whether the folder is in
 * memory.
 */
export function createScratch({ mayUseMemory }: { mayUseMemory: boolean }) {
  const isInMemory = mayUseMemory && hasRoom()
  const folder = mkdtempSync(join(isInMemory ? IN_MEMORY : tmpdir(), PREFIX))
  removeAfterwards(folder)
  // PostgreSQL runs as another user, and its folder is in this one.
  chmodSync(folder, 0o755)
  return { folder, isInMemory }
}

/** Returns whether the machine has an in-memory folder with enough space, from which programs can run. */
function hasRoom() {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize >= ENOUGH && process.availableMemory() >= ENOUGH && runsPrograms()
  } catch {
    // The folder does not exist on this system, or is not writable.
    return false
  }
}

/** Returns whether programs can run from the folder. Containers often mount it `noexec`. */
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
 * Removes the folder after this process exits, for whatever reason. Tests that briefly outlive the process may still write to
 * the folder, so it is removed repeatedly for several seconds.
 */
function removeAfterwards(folder: string) {
  const script = 'cat; for second in 1 2 3 4 5 6 7 8 9 10; do rm -rf "$0"; sleep 1; done'
  // The script's input ends when this process does.
  spawn('sh', ['-c', script, folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] }).unref()
}
