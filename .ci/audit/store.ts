import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openSqlite } from '../../db/engine/sqlite/store.ts'
import { hashOfToken, newTokenText } from '../../db/users/token-text.ts'
import { startThread } from '../../src/system/assets.ts'

// A store filled by writing to the database file directly, so that the log has the sizes that the checks need.

/** The database file in a data folder. */
export const FILE = 'graphstead.db'

/** Creates a store without events in a new folder. Returns an auditor's token. */
export async function prepareStore(folder: string): Promise<string> {
  mkdirSync(folder, { mode: 0o700 })
  const file = join(folder, FILE)
  await (await openSqlite(file, startThread)).close()
  const token = newTokenText()
  const now = new Date()
  const later = new Date(now.getTime() + 24 * 60 * 60 * 1000).toISOString()
  const db = new Database(file)
  db.prepare(`INSERT INTO "user" ("login", "kind", "passwordHash", "role", "enabled", "tokenVersion", "createdAt", "updatedAt")
    VALUES ('auditor', 'SERVICE', '', 'AUDITOR', 1, 1, ?, ?)`).run(now.toISOString(), now.toISOString())
  db.prepare(`INSERT INTO "apiToken" ("userId", "name", "hash", "scopes", "createdAt", "createdBy", "expiresAt")
    VALUES (1, 'judges', ?, 'read:audits', ?, 'auditor', ?)`).run(hashOfToken(token), now.toISOString(), later)
  db.close()
  return token
}

/** Adds events until there are `size` of them, some about a graph, and some without a target or request. */
export function insertEvents(file: string, size: number, principal: string) {
  const db = new Database(file, { fileMustExist: true })
  const count = db.prepare('SELECT count(*) FROM "auditEvent"').pluck()
  const insert = db.prepare(`INSERT INTO "auditEvent"
    ("timestamp", "principal", "type", "outcome", "targetType", "targetId", "targetName", "targetVersion", "request", "data")
    VALUES (?, ?, ?, 'SUCCESS', ?, ?, ?, ?, ?, ?)`)
  const time = new Date().toISOString()
  const insertAll = db.transaction(() => {
    for (let index = count.get() as number; index < size; index++) {
      if (index % 3 === 0) insert.run(time, principal, 'USERS_LISTED', null, null, null, null, null, '{}')
      else {
        const request = `{"id":"${index}","ip":"127.0.0.1","userAgent":"é ☃","method":"PUT","route":"/api/graphs/:id"}`
        const data = `{"name.old":"Gräph","name.new":"${index}"}`
        insert.run(time, principal, 'GRAPH_UPDATED', 'GRAPH', 1 + (index % 7), 'Gräph', index, request, data)
      }
    }
  })
  insertAll.immediate()
  db.close()
}
