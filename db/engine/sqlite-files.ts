import { identityOf } from './sqlite-place.ts'

/** What stands beside the database while it is open, and what people call it. */
const NAMES = { '': 'the database file', '-wal': 'the write-ahead log', '-shm': 'the index of the write-ahead log' }

/** The files of an open database: whether what the paths lead to is still what was opened. */
export class SqliteFiles {
  readonly #known: { path: string; name: string; identity: string | undefined }[]

  /** Right after the file was opened, and used once. */
  constructor(file: string) {
    this.#known = Object.entries(NAMES).map(([suffix, name]) => {
      const path = file + suffix
      return { path, name, identity: identityOf(path) }
    })
  }

  /** What is wrong, in words; undefined where nothing is. What is written from then on would be seen by nobody else. */
  fault(): string | undefined {
    for (const { path, name, identity } of this.#known) {
      if (identityOf(path) !== identity) {
        const became = identityOf(path) === undefined ? 'removed' : 'replaced'
        return `${name} was ${became} while the server runs: restart it`
      }
    }
    return undefined
  }

  /** Whether only the log's names are gone, and nobody else has begun another: what it holds can still be saved. */
  hasLostLog() {
    const [database, ...logs] = this.#known
    return (
      database !== undefined &&
      identityOf(database.path) === database.identity &&
      logs.every(({ path, identity }) => [identity, undefined].includes(identityOf(path)))
    )
  }
}
