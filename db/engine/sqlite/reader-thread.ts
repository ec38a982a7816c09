import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { termTables } from '../word-tables.ts'
import type { Question, Reply } from './readers.ts'

// The entry point of a thread that runs queries one at a time.
const database = new Database(workerData as string, { readonly: true, fileMustExist: true })
database.pragma('busy_timeout = 10000')
database.pragma('trusted_schema = OFF')
database.pragma('cache_size = -16000')
// The same settings as for readers in store.ts.
database.pragma('mmap_size = 2147418112')
database.pragma('temp_store = MEMORY')
for (const statement of termTables) database.exec(statement)

parentPort?.on('message', ({ sql, parameters }: Question) => {
  parentPort?.postMessage(answer(sql, parameters))
})

/** The maximum number of prepared statements to keep. Preparing a long one can take as long as running a search. */
const PREPARED = 100
const prepared = new Map<string, Database.Statement<unknown[]>>()

function prepare(sql: string) {
  let statement = prepared.get(sql)
  if (!statement) {
    if (prepared.size >= PREPARED) prepared.clear()
    statement = database.prepare<unknown[]>(sql).raw()
    prepared.set(sql, statement)
  }
  return statement
}

function answer(sql: string, parameters: unknown[]): Reply {
  try {
    const statement = prepare(sql)
    return { columns: statement.columns().map(({ name }) => name), rows: statement.all(parameters) as unknown[][] }
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string }
    return { code, message }
  }
}
