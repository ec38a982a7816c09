import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Test } from 'tap'

/**
 * Returns all bytes of the database on disk, by file. For SQLite these are the file and its write-ahead log. For
 * PostgreSQL they are the files of all tables, indexes and statistics of this database after a checkpoint, but not PostgreSQL's
 * own log.
 */
export async function bytesOf(folder: string, url: string | undefined): Promise<Map<string, Buffer>> {
  if (url === undefined) {
    const files = ['graphstead.db', 'graphstead.db-wal'].map((name) => join(folder, name))
    return new Map(files.filter(existsSync).map((file) => [file, readFileSync(file)]))
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('CHECKPOINT')
    const { rows } = await client.query(
      `SELECT current_setting('data_directory') AS "folder", oid FROM pg_database WHERE datname = current_database()`
    )
    const own = join(rows[0].folder, 'base', String(rows[0].oid))
    return new Map(readdirSync(own).map((name) => [join(own, name), readFileSync(join(own, name))]))
  } finally {
    await client.end()
  }
}

/** Returns the values that appear anywhere in these bytes. */
export function foundIn(bytes: Map<string, Buffer>, values: Record<string, string | Buffer>): string[] {
  return Object.entries(values)
    .filter(([, value]) => [...bytes.values()].some((file) => file.includes(value)))
    .map(([name]) => name)
}

/** Returns whether the test can read the files of the database, which a remote server does not allow. */
export async function mayReadBytes(t: Test, folder: string, url: string | undefined) {
  try {
    await bytesOf(folder, url)
    return true
  } catch (error) {
    t.comment(`the files of the database cannot be read: ${(error as Error).message}`)
    return false
  }
}
