import Database from 'better-sqlite3'
import { StoreBroken, StoreUnavailable } from '../../store.ts'

/** Faults of the disk, which last until a person mends them. */
const BROKEN = /^SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN)/
/** Faults of locks, of the file and of memory. All other errors are faults of the program. */
const UNAVAILABLE = /^SQLITE_(?:BUSY|LOCKED|CORRUPT|NOTADB|NOMEM|PROTOCOL)/

/** Returns an error of SQLite in the words of the store, and other errors as they are. */
export function translate(error: unknown) {
  return error instanceof Database.SqliteError ? errorOf(error.code, error.message, error) : error
}

/** The same for an error of another thread, of which only the code and the message are known. */
export function errorOf(code: string, message: string, cause?: Error): Error {
  if (BROKEN.test(code)) return new StoreBroken(`${code}: ${message}`, { cause })
  if (UNAVAILABLE.test(code)) return new StoreUnavailable(`${code}: ${message}`, { cause })
  return cause ?? new Error(`${code}: ${message}`)
}
