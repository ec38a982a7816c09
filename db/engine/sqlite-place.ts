import { accessSync, constants, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** The most processes, and open files of them, that are examined. */
const PROCESSES = 5000
const OPEN_FILES = 20_000

/**
 * Lists faults of the place of a database, as sentences: a server could not write there, or a process has files of it open
 * whose names are gone or lead to others. The latter works on Linux only, for processes of the same user.
 */
export function placeFaults(file: string): string[] {
  const path = realpathSync(file)
  return [...readOnlyFaults(path), ...lostFaults(path)]
}

function readOnlyFaults(path: string) {
  const log = `${path}-wal`
  const places = [
    { place: dirname(path), says: 'the folder' },
    { place: path, says: 'the database file' },
    ...(statSync(log, { throwIfNoEntry: false }) ? [{ place: log, says: 'the write-ahead log' }] : [])
  ]
  return places.flatMap(({ place, says }) => {
    try {
      accessSync(place, constants.W_OK)
      return []
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      return [`${says} ${place} cannot be written by this user: ${code === 'EROFS' ? 'its disk is read-only' : code}`]
    }
  })
}

function lostFaults(path: string) {
  const names = new Map([
    [path, 'the database file'],
    [`${path}-wal`, 'the write-ahead log'],
    [`${path}-shm`, 'the index of the write-ahead log']
  ])
  const faults = new Set<string>()
  let left = OPEN_FILES
  const processes = list('/proc').filter((name) => /^\d+$/.test(name))
  for (const id of processes.slice(0, PROCESSES)) {
    for (const descriptor of list(`/proc/${id}/fd`)) {
      if (left-- === 0) return [...faults]
      const opened = `/proc/${id}/fd/${descriptor}`
      const name = resolve(linkOf(opened).replace(/ \(deleted\)$/, ''))
      const says = names.get(name)
      if (says === undefined || identityOf(opened) === identityOf(name)) continue
      const became = identityOf(name) === undefined ? 'removed' : 'replaced'
      faults.add(`${says} was ${became}, and process ${id} goes on with the old one: restart it`)
    }
  }
  return [...faults]
}

/** Lists the names in a folder; none if it is missing or not readable. */
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

/** Returns a text that no other file has; undefined if the file is missing, or was closed meanwhile. */
export function identityOf(path: string) {
  try {
    const { dev, ino } = statSync(path)
    return `${dev} ${ino}`
  } catch {
    return undefined
  }
}
