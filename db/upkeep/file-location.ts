import { accessSync, constants, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { FILE_NAMES, fateOf, identityOf } from '../engine/sqlite/files.ts'

/** The maximum number of processes to examine, and of open files per process. */
const PROCESSES = 5000
const OPEN_FILES = 20_000

/**
 * Lists problems with a database's location, as sentences: for example, a server could not write to it, or a process still has
 * database files open that have since been removed or replaced. Detects such processes only on Linux, and only if they belong
 * to the same user.
 */
export function placeFaults(file: string): string[] {
  const path = realpathSync(file)
  return [...readOnlyFaults(path), ...lostFaults(path)]
}

function readOnlyFaults(path: string) {
  const log = `${path}-wal`
  const places = [
    { place: dirname(path), name: 'the folder' },
    { place: path, name: FILE_NAMES[''] },
    ...(statSync(log, { throwIfNoEntry: false }) ? [{ place: log, name: FILE_NAMES['-wal'] }] : [])
  ]
  return places.flatMap(({ place, name }) => {
    try {
      accessSync(place, constants.W_OK)
      return []
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      return [`this user cannot write to ${name} ${place}: ${code === 'EROFS' ? 'the disk is read-only' : code}`]
    }
  })
}

function lostFaults(path: string) {
  const names = new Map(Object.entries(FILE_NAMES).map(([suffix, name]) => [path + suffix, name]))
  const faults = new Set<string>()
  let left = OPEN_FILES
  const processes = list('/proc').filter((name) => /^\d+$/.test(name))
  for (const id of processes.slice(0, PROCESSES)) {
    for (const descriptor of list(`/proc/${id}/fd`)) {
      if (left-- === 0) return [...faults]
      const opened = `/proc/${id}/fd/${descriptor}`
      const known = resolve(linkOf(opened).replace(/ \(deleted\)$/, ''))
      const name = names.get(known)
      if (name === undefined || identityOf(opened) === identityOf(known)) continue
      faults.add(`${name} was ${fateOf(known)}, and process ${id} still uses the old one: restart it`)
    }
  }
  return [...faults]
}

/** Lists the names in a folder. Returns an empty list if the folder does not exist or cannot be read. */
function list(folder: string) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function linkOf(path: string) {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
