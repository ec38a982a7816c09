import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { inspect, toRefusal } from '../engine/sqlite/schema.ts'
import { StoreRefused } from '../store.ts'
import type { BackupMessage, BackupTask } from './backup.ts'
import { checkSqlite } from './check.ts'

// The entry point of a thread that copies a database, checks the copy and reports its progress.
const { from, to } = workerData as BackupTask

run()

async function run() {
  try {
    if (from !== undefined) copy(from, to)
    const soundness = await checkSqlite(to, (done, total, at) => say({ kind: 'progress', done, total, at }))
    say({ kind: 'checked', soundness })
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error
    say({ kind: 'refused', message: error.message })
  }
}

/** Copies a consistent snapshot without unused pages. Reads and writes continue during the copy. */
function copy(from: string, to: string) {
  let connection: Database.Database | undefined
  try {
    connection = new Database(from, { readonly: true, fileMustExist: true })
    connection.pragma('busy_timeout = 10000')
    if (inspect(connection, from)) throw new StoreRefused(`${from} is empty.`)
    try {
      connection.prepare('VACUUM INTO ?').run(to)
    } catch (error) {
      const { code = '', message } = error as Error & { code?: string }
      if (!/^SQLITE_(FULL|IOERR|CANTOPEN|READONLY)/.test(code)) throw error
      throw new StoreRefused(`The copy of ${from} cannot be written: ${message}.`)
    }
  } catch (error) {
    throw toRefusal(error, from)
  } finally {
    connection?.close()
  }
}

function say(message: BackupMessage) {
  parentPort?.postMessage(message)
}
