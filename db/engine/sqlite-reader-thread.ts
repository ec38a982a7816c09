import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import type { Question, Reply } from './sqlite-readers.ts'

// The entry of a thread that answers queries, one after another.
const database = new Database(workerData as string, { readonly: true, fileMustExist: true })
database.pragma('busy_timeout = 10000')
database.pragma('trusted_schema = OFF')
database.pragma('cache_size = -16000')

parentPort?.on('message', ({ sql, parameters }: Question) => {
  parentPort?.postMessage(answer(sql, parameters))
})

function answer(sql: string, parameters: unknown[]): Reply {
  try {
    return { rows: database.prepare(sql).all(parameters) }
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string }
    return { code, message }
  }
}
