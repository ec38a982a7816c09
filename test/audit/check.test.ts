import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import t, { type Test } from 'tap'
import { checkSqlite } from '../../db/upkeep/check.ts'
import { only, openTestStore } from '../support/engine.ts'
import { record, sequencerOf } from './recording.ts'

const sqlite = only('SQLite', 'check reads files')

/** Creates a database file with this many events, all of them in the log. */
async function fileWith(t: Test, count: number) {
  const folder = t.testdir({})
  const { store } = await openTestStore(t, folder)
  await record(store, count)
  await sequencerOf(store).run()
  await store.close()
  return join(folder, 'graphstead.db')
}

/** Changes the file as its owner can, with the triggers disabled. */
function change(file: string, sql: string) {
  const db = new Database(file)
  const triggers = db.prepare(
    `SELECT "name", "sql" FROM sqlite_schema WHERE "type" = 'trigger' AND "tbl_name" = 'auditEvent'`
  )
  const kept = triggers.all() as { name: string; sql: string }[]
  for (const { name } of kept) db.exec(`DROP TRIGGER "${name}"`)
  db.exec(sql)
  for (const trigger of kept) db.exec(trigger.sql)
  db.close()
}

const auditFaults = async (file: string) =>
  (await checkSqlite(file, () => {})).faults.filter((fault) => fault.startsWith('audit log'))

t.test('an unchanged log is sound, from an empty log to several tiles', sqlite, async (t) => {
  for (const count of [0, 1, 256, 600]) t.same((await checkSqlite(await fileWith(t, count), () => {})).faults, [])
})

const changes: [name: string, sql: string, faults: string[]][] = [
  [
    'an edited event',
    `UPDATE "auditEvent" SET "principal" = 'mallory' WHERE "id" = 300`,
    ['audit log: event 300 does not match leaf 299']
  ],
  [
    'an edited detail',
    `UPDATE "auditEvent" SET "data" = '{"x":"y"}' WHERE "id" = 1`,
    ['audit log: event 1 does not match leaf 0']
  ],
  [
    'a removed event',
    `DELETE FROM "auditEvent" WHERE "id" = 257; UPDATE "auditDay" SET "count" = "count" - 1`,
    ['audit log: the event for leaf 256 is missing', 'audit log: some of its events are missing']
  ],
  [
    'swapped events',
    `UPDATE "auditEvent" SET "id" = 9999 WHERE "id" = 5; UPDATE "auditEvent" SET "id" = 5 WHERE "id" = 6;
      UPDATE "auditEvent" SET "id" = 6 WHERE "id" = 9999`,
    ['audit log: event 5 does not match leaf 4', 'audit log: event 6 does not match leaf 5']
  ],
  [
    'other salts',
    `UPDATE "auditSalt" SET "salts" = randomblob(length("salts")) WHERE "bundle" = 2`,
    Array.from({ length: 20 }, (_, place) => `audit log: event ${513 + place} does not match leaf ${512 + place}`)
  ],
  ['lost salts', `DELETE FROM "auditSalt" WHERE "bundle" = 1`, ['audit log: the event for leaf 256 is missing']],
  [
    'an edited tile of hashes',
    `UPDATE "auditTile" SET "hashes" = zeroblob(length("hashes")) WHERE "level" = 1`,
    ['audit log: tile 0 of level 1 is wrong']
  ],
  [
    'a lost tile',
    `DELETE FROM "auditTile" WHERE "level" = 0 AND "index" = 1`,
    ['audit log: the tile of leaf 256 is missing']
  ],
  ['a shorter log', `UPDATE "auditLog" SET "size" = 500`, ['audit log: the checkpoint does not match the log']],
  [
    'another checkpoint',
    `UPDATE "auditLog" SET "checkpoint" = replace("checkpoint", 'graphstead', 'graphstaed')`,
    ['audit log: the checkpoint does not match the log']
  ]
]

t.test('check reports each change to the log', sqlite, async (t) => {
  const original = await fileWith(t, 600)
  const file = `${original}.changed`
  for (const [name, sql, faults] of changes) {
    copyFileSync(original, file)
    change(file, sql)
    t.same(await auditFaults(file), faults, name)
  }
})
