import Database from 'better-sqlite3'
import { StoreBroken, StoreUnavailable } from '../../store.ts'

/** Disk errors, which persist until an operator fixes the cause. */
const BROKEN = /^SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN)/
/** Errors related to locks, the file or memory. All other errors are bugs in the program. */
const UNAVAILABLE = /^SQLITE_(?:BUSY|LOCKED|CORRUPT|NOTADB|NOMEM|PROTOCOL)/

/** Translates SQLite errors to store errors. Returns other errors unchanged. */
export function translate(error: unknown) {
  return error instanceof Database.SqliteError ? errorOf(error.code, error.message, error) : error
}

/** Translates an error from another thread, given only its code and message. */
export function errorOf(code: string, message: string, cause?: Error): Error {
  if (BROKEN.test(code)) return new StoreBroken(`${code}: ${message}`, { cause })
  if (UNAVAILABLE.test(code)) return new StoreUnavailable(`${code}: ${message}`, { cause })
  return cause ?? new Error(`${code}: ${message}`)
}
