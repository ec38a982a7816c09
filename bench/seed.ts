import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Database from 'better-sqlite3'
import { AuditSealer } from '../db/audit/sealer.ts'
import { AuditSequencer } from '../db/audit/sequencer.ts'
import { openSqlite } from '../db/engine/sqlite/store.ts'
import { sortNameOf } from '../db/graphs/name-order.ts'
import { hashPassword } from '../db/users/passwords.ts'
import { AuditKeyFiles } from '../src/audit/signing-key.ts'
import { startThread } from '../src/system/assets.ts'
import { smallNetwork } from './graphs.ts'
import { PASSWORD } from './processes.ts'

/** The number of records of each kind in a store. */
export interface Amounts {
  graphs: number
  /** The users, all with the same number of graphs. The first is `user1`. */
  users: number
  events: number
  /** The number of shared graphs, which belong to the administrator. */
  shared: number
  /** Whether to add the events to the audit log; true by default. */
  isSealed?: boolean
}

const DAY = 24 * 60 * 60 * 1000
/** Events are spread evenly over the days before this one. */
export const LAST_DAY = Date.UTC(2026, 0, 1)
export const DAYS = 365

/** The number of rows in one commit. */
const BATCH = 20_000

/**
 * Fills a new store in the folder with an administrator and users (all with the password PASSWORD), their graphs and contents,
 * and events. Writes rows directly, bypassing all checks except the database's own. Returns the number of rows per second.
 */
export async function seed(folder: string, amounts: Amounts): Promise<number> {
  const { graphs, users, events, shared, isSealed = true } = amounts
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'graphstead.db')
  await (await openSqlite(file, startThread)).close()
  const db = new Database(file)
  // Durability does not matter until the end.
  db.pragma('synchronous = OFF')
  db.pragma('cache_size = -500000')
  const start = performance.now()
  let rows = 0

  /** Inserts `count` rows. `row` builds each from its number, starting at 1. */
  function fill(sql: string, count: number, row: (index: number) => unknown[]) {
    const insert = db.prepare(sql)
    for (let from = 1; from <= count; from += BATCH) {
      db.exec('BEGIN')
      for (let index = from; index < Math.min(from + BATCH, count + 1); index++) insert.run(row(index))
      db.exec('COMMIT')
    }
    rows += count
  }

  // Creating the indexes at the end is faster than updating them row by row.
  const indexes = db
    .prepare(`SELECT "name", "sql" FROM sqlite_schema WHERE "type" = 'index' AND "sql" IS NOT NULL`)
    .all() as { name: string; sql: string }[]
  for (const { name } of indexes) db.exec(`DROP INDEX "${name}"`)

  const passwordHash = await hashPassword(PASSWORD)
  const now = new Date(LAST_DAY).toISOString()
  const logins = ['admin', ...Array.from({ length: users }, (_, index) => `user${index + 1}`)]
  fill(
    `INSERT INTO "user" ("login", "passwordHash", "role", "enabled", "tokenVersion", "createdAt", "updatedAt")
     VALUES (?, ?, ?, 1, 1, ?, ?)`,
    logins.length,
    (index) => [logins[index - 1], passwordHash, index === 1 ? 'ADMIN' : 'USER', now, now]
  )

  fill('INSERT INTO "content" ("hash", "json", "size") VALUES (?, ?, ?)', graphs, (index) => {
    const json = JSON.stringify(smallNetwork(index))
    return [createHash('sha256').update(json).digest('hex'), json, json.length]
  })
  fill(
    `INSERT INTO "graph" ("name", "sortName", "type", "shared", "owner", "version", "nodeCount", "edgeCount", "contentId",
       "searchText", "createdAt", "updatedAt", "principal", "bytes", "tags")
     VALUES (?, ?, 'LINE', ?, ?, 1, 3, 2, ?, ?, ?, ?, ?, 0, '[]')`,
    graphs,
    (index) => {
      const name = `Line ${index}`
      const sortName = sortNameOf(name)
      const isShared = index <= shared
      const owner = isShared ? 'admin' : logins[1 + (index % users)]
      return [name, sortName, Number(isShared), owner, index, `${name.toLowerCase()}\n`, now, now, owner]
    }
  )

  const types = ['GRAPH_CREATED', 'GRAPH_UPDATED', 'GRAPH_UPDATED', 'GRAPH_SHARED', 'AUTHENTICATION_SUCCESS']
  fill(
    `INSERT INTO "auditEvent" ("timestamp", "principal", "type", "outcome", "targetType", "targetId", "targetName",
       "request", "data") VALUES (?, ?, ?, 'SUCCESS', 'GRAPH', ?, ?, ?, ?)`,
    events,
    (index) => {
      const time = LAST_DAY - DAYS * DAY + Math.floor(((index - 1) / events) * DAYS * DAY)
      const graph = 1 + ((index * 7919) % graphs)
      return [
        new Date(time).toISOString(),
        logins[1 + (index % users)],
        types[index % types.length],
        graph,
        `Line ${graph}`,
        `{"id":"00000000-0000-4000-8000-${String(index).padStart(12, '0')}","ip":"127.0.0.1","userAgent":"script/1.0","method":"PUT","route":"/api/graphs"}`,
        `{"name.old":"Line","name.new":"Line ${graph}","version.old":"${index}","version.new":"${index + 1}"}`
      ]
    }
  )
  for (const { sql } of indexes) db.exec(sql)
  const seconds = (performance.now() - start) / 1000
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  if (isSealed) await sealAll(folder, file)
  return rows / seconds
}

/** Adds the events to the audit log, so that servers have no backlog. */
async function sealAll(folder: string, file: string) {
  const store = await openSqlite(file, startThread)
  const sealer = new AuditSealer(startThread)
  const sequencer = new AuditSequencer(store, new AuditKeyFiles({ data: folder }), sealer)
  while (await sequencer.run());
  await sealer.close()
  await store.close()
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      graphs: { type: 'string', default: '1000' },
      users: { type: 'string', default: '100' },
      events: { type: 'string', default: '5000' },
      shared: { type: 'string', default: '10' }
    }
  })
  if (values.data === undefined) throw new Error('--data FOLDER is missing')
  const [graphs, users, events, shared] = [values.graphs, values.users, values.events, values.shared].map(Number)
  const rate = await seed(values.data, { graphs, users, events, shared } as Amounts)
  console.log(`${values.data}: ${Math.round(rate)} rows per second; the password of all users is ${PASSWORD}`)
}
