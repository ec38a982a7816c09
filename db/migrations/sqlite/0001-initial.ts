import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** The schema of 0.1.0, by subject. */
export const initial: Migration = async (db) => {
  for (const statements of [
    users,
    sessions,
    groups,
    graphs,
    history,
    counters,
    grants,
    views,
    search,
    audit,
    log,
    server
  ]) {
    for (const statement of statements) await statement.execute(db)
  }
}

const users = [
  sql`CREATE TABLE "user" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "login" TEXT NOT NULL UNIQUE,
    "passwordHash" TEXT NOT NULL,
    "role" TEXT NOT NULL CHECK ("role" IN ('ADMIN', 'AUDITOR', 'USER')),
    "enabled" INTEGER NOT NULL CHECK ("enabled" IN (0, 1)),
    "tokenVersion" INTEGER NOT NULL,
    "createdAt" TEXT NOT NULL,
    "updatedAt" TEXT NOT NULL,
    "mustChangePassword" INTEGER NOT NULL DEFAULT 0 CHECK ("mustChangePassword" IN (0, 1)),
    "kind" TEXT NOT NULL DEFAULT 'PERSON' CHECK ("kind" IN ('PERSON', 'SERVICE')),
    "secondFactorSince" TEXT,
    "lastSeenAt" TEXT
  ) STRICT`,

  sql`CREATE TABLE "userIdentity" (
    "userId" INTEGER NOT NULL PRIMARY KEY REFERENCES "user" ("id") ON DELETE CASCADE,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "linkedAt" TEXT NOT NULL,
    "linkedBy" TEXT NOT NULL,
    UNIQUE ("issuer", "subject")
  ) STRICT`,

  sql`CREATE TABLE "secondFactor" (
    "userId" INTEGER NOT NULL PRIMARY KEY REFERENCES "user" ("id") ON DELETE CASCADE,
    "secret" TEXT NOT NULL,
    "lastStep" INTEGER NOT NULL,
    "begunAt" INTEGER NOT NULL,
    "begunBy" TEXT NOT NULL
  ) STRICT`,
  sql`CREATE TABLE "recoveryCode" (
    "userId" INTEGER NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE,
    "hash" TEXT NOT NULL,
    PRIMARY KEY ("userId", "hash")
  ) STRICT`,

  sql`CREATE TABLE "invitation" (
    "userId" INTEGER NOT NULL PRIMARY KEY REFERENCES "user" ("id") ON DELETE CASCADE,
    "hash" TEXT NOT NULL UNIQUE,
    "expiresAt" INTEGER NOT NULL
  ) STRICT`,

  sql`CREATE TABLE "apiToken" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE,
    "name" TEXT NOT NULL,
    "hash" TEXT NOT NULL UNIQUE,
    "scopes" TEXT NOT NULL,
    "createdAt" TEXT NOT NULL,
    "createdBy" TEXT NOT NULL,
    "expiresAt" TEXT NOT NULL,
    "lastUsedAt" TEXT
  ) STRICT`,
  sql`CREATE INDEX "apiTokenByUser" ON "apiToken" ("userId", "id")`
]

const sessions = [
  sql`CREATE TABLE "session" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "remembered" INTEGER NOT NULL CHECK ("remembered" IN (0, 1)),
    "lastUsedAt" INTEGER NOT NULL,
    "userId" INTEGER NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE,
    "sid" TEXT,
    "handle" TEXT NOT NULL UNIQUE,
    "browser" INTEGER NOT NULL CHECK ("browser" IN (0, 1)),
    "method" TEXT NOT NULL,
    "tokenVersion" INTEGER NOT NULL,
    "startedAt" INTEGER NOT NULL,
    "expiresAt" INTEGER NOT NULL,
    "address" TEXT NOT NULL,
    "userAgent" TEXT,
    "familiar" INTEGER NOT NULL CHECK ("familiar" IN (0, 1))
  ) STRICT, WITHOUT ROWID`,
  sql`CREATE INDEX "sessionByUser" ON "session" ("userId")`,
  sql`CREATE INDEX "sessionBySid" ON "session" ("sid") WHERE "sid" IS NOT NULL`,
  sql`CREATE INDEX "sessionByTime" ON "session" ("expiresAt")`,
  sql`CREATE INDEX "sessionByUse" ON "session" ("browser", "remembered", "lastUsedAt")`,

  sql`CREATE TABLE "endedSession" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "expiresAt" INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  sql`CREATE INDEX "endedSessionByTime" ON "endedSession" ("expiresAt")`
]

const groups = [
  sql`CREATE TABLE "group" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL UNIQUE,
    "description" TEXT,
    "createdAt" TEXT NOT NULL,
    "updatedAt" TEXT NOT NULL
  ) STRICT`,
  sql`CREATE TABLE "groupMember" (
    "groupId" INTEGER NOT NULL REFERENCES "group" ("id") ON DELETE CASCADE,
    "userId" INTEGER NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE,
    PRIMARY KEY ("groupId", "userId")
  ) STRICT, WITHOUT ROWID`,
  sql`CREATE INDEX "groupMemberByUser" ON "groupMember" ("userId", "groupId")`
]

const graphs = [
  sql`CREATE TABLE "content" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "hash" TEXT NOT NULL,
    "json" TEXT,
    "packed" BLOB CHECK (("packed" IS NULL) <> ("json" IS NULL)),
    "size" INTEGER NOT NULL
  ) STRICT`,
  // Large content is deduplicated. Hashes are inserted in random order, so for small content the index would cost more than it
  // saves.
  sql`CREATE UNIQUE INDEX "contentByHash" ON "content" ("hash") WHERE "packed" IS NOT NULL`,

  sql`CREATE TABLE "layout" (
    "contentId" INTEGER PRIMARY KEY REFERENCES "content" ("id") ON DELETE CASCADE,
    "positions" BLOB NOT NULL,
    "settled" INTEGER NOT NULL CHECK ("settled" IN (0, 1))
  ) STRICT`,

  // Filtering by `q` takes longer with every column before "searchText".
  sql`CREATE TABLE "graph" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL,
    "type" TEXT,
    "description" TEXT,
    "shared" INTEGER NOT NULL CHECK ("shared" IN (0, 1)),
    "owner" TEXT NOT NULL REFERENCES "user" ("login"),
    "version" INTEGER NOT NULL CHECK ("version" >= 1),
    "nodeCount" INTEGER NOT NULL,
    "edgeCount" INTEGER NOT NULL,
    "contentId" INTEGER REFERENCES "content" ("id"),
    "searchText" TEXT NOT NULL,
    "sortName" TEXT NOT NULL,
    "createdAt" TEXT NOT NULL,
    "updatedAt" TEXT NOT NULL,
    "principal" TEXT NOT NULL,
    "message" TEXT,
    "auditEventId" INTEGER,
    "restoredFrom" INTEGER,
    "bytes" INTEGER NOT NULL,
    "tags" TEXT NOT NULL,
    "key" TEXT,
    "defaultView" TEXT
  ) STRICT`,
  sql`CREATE INDEX "graphByOwner" ON "graph" ("owner", "shared", "id")`,
  sql`CREATE INDEX "graphShared" ON "graph" ("id") WHERE "shared" = true`,
  sql`CREATE INDEX "graphByName" ON "graph" ("owner", "shared", "sortName", "id")`,
  sql`CREATE INDEX "graphSharedByName" ON "graph" ("sortName", "id") WHERE "shared" = true`,
  sql`CREATE INDEX "graphByContent" ON "graph" ("contentId") WHERE "contentId" IS NOT NULL`,
  sql`CREATE INDEX "graphTagged" ON "graph" ("id") WHERE "tags" <> '[]'`,
  sql`CREATE UNIQUE INDEX "graphByKey" ON "graph" ("owner", "key") WHERE "key" IS NOT NULL`
]

const history = [
  sql`CREATE TABLE "graphVersion" (
    "graphId" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "sortName" TEXT NOT NULL,
    "type" TEXT,
    "description" TEXT,
    "shared" INTEGER NOT NULL CHECK ("shared" IN (0, 1)),
    "nodeCount" INTEGER NOT NULL,
    "edgeCount" INTEGER NOT NULL,
    "contentId" INTEGER REFERENCES "content" ("id"),
    "updatedAt" TEXT NOT NULL,
    "principal" TEXT NOT NULL,
    "message" TEXT,
    "auditEventId" INTEGER,
    "restoredFrom" INTEGER,
    "tags" TEXT NOT NULL,
    PRIMARY KEY ("graphId", "version")
  ) STRICT, WITHOUT ROWID`,
  sql`CREATE INDEX "graphVersionByContent" ON "graphVersion" ("contentId") WHERE "contentId" IS NOT NULL`,

  // A graph in the trash keeps its key; db/graphs/keys.ts ensures that no other graph of the same owner can use it.
  sql`CREATE TABLE "trash" (
    "id" INTEGER PRIMARY KEY,
    "owner" TEXT NOT NULL REFERENCES "user" ("login"),
    "version" INTEGER NOT NULL,
    "searchText" TEXT NOT NULL,
    "createdAt" TEXT NOT NULL,
    "trashedAt" TEXT NOT NULL,
    "trashedBy" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,
    "key" TEXT,
    "defaultView" TEXT
  ) STRICT`,
  sql`CREATE INDEX "trashByOwner" ON "trash" ("owner", "id")`,
  sql`CREATE INDEX "trashByTime" ON "trash" ("trashedAt")`,
  sql`CREATE UNIQUE INDEX "trashByKey" ON "trash" ("owner", "key") WHERE "key" IS NOT NULL`,

  sql`CREATE TABLE "purgedGraph" ("id" INTEGER PRIMARY KEY) STRICT`
]

// Counters maintained by triggers. Counting a million rows for every page of a list would take milliseconds.
const counters = [
  sql`CREATE TABLE "graphCount" (
    "owner" TEXT NOT NULL,
    "shared" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,
    PRIMARY KEY ("owner", "shared")
  ) STRICT, WITHOUT ROWID`,
  sql`CREATE TRIGGER "graphCreated" AFTER INSERT ON "graph" BEGIN
    INSERT INTO "graphCount" VALUES ('', NEW."shared", 1), (NEW."owner", NEW."shared", 1)
      ON CONFLICT DO UPDATE SET "count" = "count" + 1;
  END`,
  sql`CREATE TRIGGER "graphDeleted" AFTER DELETE ON "graph" BEGIN
    UPDATE "graphCount" SET "count" = "count" - 1
      WHERE "owner" IN ('', OLD."owner") AND "shared" = OLD."shared";
  END`,
  sql`CREATE TRIGGER "graphMoved" AFTER UPDATE OF "owner", "shared" ON "graph"
    WHEN OLD."owner" <> NEW."owner" OR OLD."shared" <> NEW."shared" BEGIN
    UPDATE "graphCount" SET "count" = "count" - 1
      WHERE "owner" IN ('', OLD."owner") AND "shared" = OLD."shared";
    INSERT INTO "graphCount" VALUES ('', NEW."shared", 1), (NEW."owner", NEW."shared", 1)
      ON CONFLICT DO UPDATE SET "count" = "count" + 1;
  END`,

  sql`CREATE TABLE "usage" (
    "owner" TEXT NOT NULL PRIMARY KEY,
    "graphs" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  ...['graph', 'trash'].flatMap((table) => {
    const on = sql.table(table)
    const add = sql.raw(`INSERT INTO "usage" VALUES (NEW."owner", 1, NEW."bytes")
      ON CONFLICT DO UPDATE SET "graphs" = "graphs" + 1, "bytes" = "bytes" + NEW."bytes";`)
    const subtract = sql.raw(`UPDATE "usage" SET "graphs" = "graphs" - 1, "bytes" = "bytes" - OLD."bytes"
      WHERE "owner" = OLD."owner";`)
    return [
      sql`CREATE TRIGGER ${sql.table(`${table}Used`)} AFTER INSERT ON ${on} BEGIN ${add} END`,
      sql`CREATE TRIGGER ${sql.table(`${table}Unused`)} AFTER DELETE ON ${on} BEGIN ${subtract} END`,
      sql`CREATE TRIGGER ${sql.table(`${table}UsedElse`)} AFTER UPDATE OF "owner", "bytes" ON ${on}
        WHEN OLD."owner" <> NEW."owner" OR OLD."bytes" <> NEW."bytes" BEGIN ${subtract} ${add} END`
    ]
  })
]

const grants = [
  // A grant outlives its grantee until a batch removes it (see db/graphs/listed-grants.ts). Ids of users and groups are never
  // reused.
  sql`CREATE TABLE "graphGrant" (
    "graphId" INTEGER NOT NULL,
    "granteeType" TEXT NOT NULL CHECK ("granteeType" IN ('USER', 'GROUP')),
    "granteeId" INTEGER NOT NULL,
    "access" TEXT NOT NULL CHECK ("access" IN ('READ', 'WRITE')),
    "listed" INTEGER NOT NULL CHECK ("listed" IN (0, 1)),
    "createdAt" TEXT NOT NULL,
    "createdBy" TEXT NOT NULL,
    PRIMARY KEY ("graphId", "granteeType", "granteeId")
  ) STRICT, WITHOUT ROWID`,
  sql`CREATE INDEX "graphGrantByGrantee" ON "graphGrant" ("granteeType", "granteeId", "listed", "graphId")`,

  sql`CREATE TABLE "grantCount" (
    "granteeType" TEXT NOT NULL,
    "granteeId" INTEGER NOT NULL,
    "total" INTEGER NOT NULL,
    "listed" INTEGER NOT NULL,
    "changes" INTEGER NOT NULL,
    PRIMARY KEY ("granteeType", "granteeId")
  ) STRICT, WITHOUT ROWID`,
  sql`CREATE TRIGGER "graphGrantAdded" AFTER INSERT ON "graphGrant" BEGIN
    INSERT INTO "grantCount" VALUES (NEW."granteeType", NEW."granteeId", 1, NEW."listed", 1)
      ON CONFLICT DO UPDATE SET "total" = "total" + 1, "listed" = "listed" + NEW."listed", "changes" = "changes" + 1;
  END`,
  sql`CREATE TRIGGER "graphGrantRemoved" AFTER DELETE ON "graphGrant" BEGIN
    UPDATE "grantCount" SET "total" = "total" - 1, "listed" = "listed" - OLD."listed", "changes" = "changes" + 1
      WHERE "granteeType" = OLD."granteeType" AND "granteeId" = OLD."granteeId";
  END`,
  sql`CREATE TRIGGER "graphGrantChanged" AFTER UPDATE OF "listed" ON "graphGrant" BEGIN
    UPDATE "grantCount" SET "listed" = "listed" - OLD."listed" + NEW."listed", "changes" = "changes" + 1
      WHERE "granteeType" = NEW."granteeType" AND "granteeId" = NEW."granteeId";
  END`
]

// A graph in the trash keeps its views and links (see db/graphs/saved-views.ts and db/sharing/links.ts).
const views = [
  sql`CREATE TABLE "savedView" (
    "graphId" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "style" TEXT,
    "savedAt" TEXT NOT NULL,
    "savedBy" TEXT NOT NULL,
    PRIMARY KEY ("graphId", "name")
  ) STRICT, WITHOUT ROWID`,

  sql`CREATE TABLE "link" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "graphId" INTEGER NOT NULL,
    "publicId" TEXT NOT NULL UNIQUE,
    "salt" TEXT NOT NULL,
    "name" TEXT,
    "version" INTEGER,
    "expiresAt" TEXT,
    "passwordHash" TEXT,
    "origins" TEXT NOT NULL,
    "downloads" INTEGER NOT NULL,
    "tokenVersion" INTEGER NOT NULL,
    "createdAt" TEXT NOT NULL,
    "createdBy" TEXT NOT NULL,
    "openCount" INTEGER NOT NULL DEFAULT 0,
    "lastOpenedAt" TEXT,
    "minuteStart" INTEGER NOT NULL DEFAULT 0,
    "minuteCount" INTEGER NOT NULL DEFAULT 0,
    "preview" INTEGER NOT NULL DEFAULT 0 CHECK ("preview" IN (0, 1)),
    "view" TEXT
  ) STRICT`,
  sql`CREATE INDEX "linkByGraph" ON "link" ("graphId", "id")`,
  // Finds links with visits that no event has reported yet.
  sql`CREATE INDEX "linkByMinute" ON "link" ("minuteStart") WHERE "minuteCount" > 10`
]

const search = [
  ...['graphWords', 'graphWordPart'].flatMap((table) => [
    // The index stores which rows contain a word, but neither the text nor the positions. The tokenizer keeps words verbatim
    // (see graph/content/words.ts).
    sql`CREATE VIRTUAL TABLE ${sql.table(table)}
      USING fts5("words", content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')`,
    // Pages are small because a search decodes a whole page for each position that it jumps to.
    sql`INSERT INTO ${sql.table(table)} (${sql.ref(table)}, "rank") VALUES ('pgsz', 1000)`
  ]),

  // Contains a single row.
  sql`CREATE TABLE "indexing" (
    "id" INTEGER PRIMARY KEY CHECK ("id" = 1),
    "after" INTEGER NOT NULL,
    "isDone" INTEGER NOT NULL CHECK ("isDone" IN (0, 1))
  ) STRICT`,
  sql`INSERT INTO "indexing" VALUES (1, 0, true)`
]

const audit = [
  sql`CREATE TABLE "auditEvent" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT CHECK ("id" > 0),
    "timestamp" TEXT NOT NULL,
    "principal" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "outcome" TEXT NOT NULL CHECK ("outcome" IN ('SUCCESS', 'FAILURE', 'DENIED')),
    "targetType" TEXT,
    "targetId" INTEGER,
    "targetName" TEXT,
    "request" TEXT,
    "data" TEXT NOT NULL,
    "targetVersion" INTEGER
  ) STRICT`,
  sql`CREATE INDEX "auditEventByTime" ON "auditEvent" ("timestamp", "id")`,
  sql`CREATE INDEX "auditEventByPrincipal" ON "auditEvent" ("principal", "id")`,
  sql`CREATE INDEX "auditEventByTarget" ON "auditEvent" ("targetType", "targetId", "id")`,
  sql`CREATE TRIGGER "auditEventNeverEdited" BEFORE UPDATE ON "auditEvent"
    BEGIN SELECT RAISE(ABORT, 'audit events are append-only'); END`,
  sql`CREATE TRIGGER "auditEventNeverDeleted" BEFORE DELETE ON "auditEvent"
    BEGIN SELECT RAISE(ABORT, 'audit events are append-only'); END`,
  // INSERT OR REPLACE deletes rows without running the trigger above. Inserts with an explicit id that was already assigned are
  // therefore rejected. NEW."id" is -1 here if SQLite will choose the id.
  sql`CREATE TRIGGER "auditEventNeverReplaced" BEFORE INSERT ON "auditEvent"
    WHEN NEW."id" <> -1 AND NEW."id" <= (SELECT max("seq") FROM (
      SELECT "seq" FROM sqlite_sequence WHERE "name" = 'auditEvent'
      UNION ALL SELECT max("id") FROM "auditEvent"))
    BEGIN SELECT RAISE(ABORT, 'audit events are append-only'); END`,

  // Events are counted per day, so that the events of a period can be counted quickly. Ids may be out of chronological order,
  // because clocks may be set back.
  sql`CREATE TABLE "auditDay" (
    "day" TEXT NOT NULL PRIMARY KEY,
    "count" INTEGER NOT NULL,
    "firstId" INTEGER NOT NULL,
    "lastId" INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  sql`CREATE TRIGGER "auditEventRecorded" AFTER INSERT ON "auditEvent" BEGIN
    INSERT INTO "auditDay" VALUES (substr(NEW."timestamp", 1, 10), 1, NEW."id", NEW."id")
      ON CONFLICT DO UPDATE SET "count" = "count" + 1, "lastId" = max("lastId", NEW."id");
  END`
]

// The tamper-evident log of the events.
const log = [
  // Contains a single row.
  sql`CREATE TABLE "auditLog" (
    "id" INTEGER PRIMARY KEY CHECK ("id" = 1),
    "origin" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "size" INTEGER NOT NULL,
    "firstIndex" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "checkpoint" TEXT NOT NULL
  ) STRICT`,
  sql`INSERT INTO "auditLog" VALUES (1, '', 0, 0, 0, '', '')`,
  sql`CREATE TABLE "auditTile" (
    "level" INTEGER NOT NULL,
    "index" INTEGER NOT NULL,
    "hashes" BLOB NOT NULL,
    PRIMARY KEY ("level", "index")
  ) STRICT`,
  sql`CREATE TABLE "auditSalt" ("bundle" INTEGER PRIMARY KEY, "salts" BLOB NOT NULL) STRICT`,
  sql`CREATE TABLE "auditRun" (
    "firstIndex" INTEGER PRIMARY KEY,
    "firstId" INTEGER NOT NULL UNIQUE,
    "count" INTEGER NOT NULL
  ) STRICT`,
  sql`CREATE TABLE "auditErased" (
    "index" INTEGER NOT NULL,
    "part" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    PRIMARY KEY ("index", "part")
  ) STRICT, WITHOUT ROWID`
]

// Tables shared by all servers that use the store.
const server = [
  sql`CREATE TABLE "attempt" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "count" INTEGER NOT NULL,
    "expiresAt" INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  sql`CREATE INDEX "attemptByTime" ON "attempt" ("expiresAt")`,

  // Contains a single row.
  sql`CREATE TABLE "clock" (
    "id" INTEGER PRIMARY KEY CHECK ("id" = 1),
    "trustedAt" INTEGER NOT NULL,
    "ran" INTEGER NOT NULL,
    "probes" INTEGER NOT NULL
  ) STRICT`,
  sql`INSERT INTO "clock" VALUES (1, 1000 * unixepoch(), 0, 0)`
]
