import { statSync } from 'node:fs'

/** The suffixes of the files of an open database, with their names for people. */
export const FILE_NAMES = {
  '': 'the database file',
  '-wal': 'the write-ahead log',
  '-shm': 'the index of the write-ahead log'
}

/** Watches the files of an open database: the paths must lead to the files that were opened. */
export class SqliteFiles {
  readonly #known: { path: string; name: string; identity: string | undefined }[]

  /** The store calls this right after it has opened and first used the file. */
  constructor(file: string) {
    this.#known = Object.entries(FILE_NAMES).map(([suffix, name]) => {
      const path = file + suffix
      return { path, name, identity: identityOf(path) }
    })
  }

  /** Returns the fault as a sentence, or undefined. After a fault only this process would see what it writes. */
  fault(): string | undefined {
    for (const { path, name, identity } of this.#known) {
      if (identityOf(path) !== identity) {
        return `${name} was ${fateOf(path)} while the server runs: restart it`
      }
    }
    return undefined
  }

  /** Tells whether only names of the log are gone, and no other process has begun a new log: its commits can still be saved. */
  hasLostLog() {
    const [database, ...logs] = this.#known
    return (
      database !== undefined &&
      identityOf(database.path) === database.identity &&
      logs.every(({ path, identity }) => [identity, undefined].includes(identityOf(path)))
    )
  }
}

/** Returns a text that no other file has; undefined if the file is missing, or was closed meanwhile. */
export function identityOf(path: string) {
  try {
    // File ids on Windows exceed 2^53.
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev} ${ino}`
  } catch {
    return undefined
  }
}

/** Tells what has become of a file that is no longer at the path: another one is there, or none. */
export function fateOf(path: string) {
  return identityOf(path) === undefined ? 'removed' : 'replaced'
}
