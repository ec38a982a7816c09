import { statSync } from 'node:fs'

/** The suffixes of an open database's files, with their names for use in messages. */
export const FILE_NAMES = {
  '': 'the database file',
  '-wal': 'the write-ahead log',
  '-shm': 'the index of the write-ahead log'
}

/** Checks that the paths of an open database still refer to the files that were opened. */
export class SqliteFiles {
  readonly #known: { path: string; name: string; identity: string | undefined }[]

  /** Must be called right after the file is opened and first used. */
  constructor(file: string) {
    this.#known = Object.entries(FILE_NAMES).map(([suffix, name]) => {
      const path = file + suffix
      return { path, name, identity: identityOf(path) }
    })
  }

  /** Returns the fault as a sentence, or undefined. After a fault, only this process would see its own writes. */
  fault(): string | undefined {
    for (const { path, name, identity } of this.#known) {
      if (identityOf(path) !== identity) {
        return `${name} was ${fateOf(path)} while the server was running: restart it`
      }
    }
    return undefined
  }

  /**
   * Returns whether only the log files are gone and no other process has begun a new log. In that case, the log's commits can
   * still be saved.
   */
  hasLostLog() {
    const [database, ...logs] = this.#known
    return (
      database !== undefined &&
      identityOf(database.path) === database.identity &&
      logs.every(({ path, identity }) => [identity, undefined].includes(identityOf(path)))
    )
  }
}

/** Returns a string that identifies the file, or undefined if the file does not exist or has been closed. */
export function identityOf(path: string) {
  try {
    // File ids on Windows exceed 2^53.
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev} ${ino}`
  } catch {
    return undefined
  }
}

/** Describes what happened to a file that is no longer at its path: it was either removed or replaced. */
export function fateOf(path: string) {
  return identityOf(path) === undefined ? 'removed' : 'replaced'
}
