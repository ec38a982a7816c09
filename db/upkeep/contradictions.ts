import { COUNTED } from '../store.ts'
import type { TableWith } from '../tables.ts'

/** A possible contradiction within a file, with a sentence that describes it and a query for the affected rows. */
interface Contradiction {
  says: string
  sql: string
}

/** Queries for derived rows that do not match their sources. */
const derived: Record<TableWith<{ rows: 'derived' }>, Contradiction> = {
  graphCount: {
    says: 'the graph count of an owner is wrong',
    sql: `SELECT coalesce(k."owner", a."owner") AS "of" FROM (SELECT * FROM "graphCount" WHERE "count" <> 0) AS k
      FULL JOIN (
        SELECT "owner", "shared", count(*) AS "count" FROM "graph" GROUP BY "owner", "shared"
        UNION ALL SELECT '', "shared", count(*) FROM "graph" GROUP BY "shared"
      ) AS a ON a."owner" = k."owner" AND a."shared" = k."shared"
      WHERE k."count" IS NOT a."count"`
  },
  auditDay: {
    says: 'the event count of a day is wrong',
    sql: `SELECT coalesce(d."day", e."day") AS "of" FROM "auditDay" AS d FULL JOIN (
        SELECT substr("timestamp", 1, 10) AS "day", count(*) AS "count", min("id") AS "first", max("id") AS "last"
        FROM "auditEvent" GROUP BY 1) AS e ON e."day" = d."day"
      WHERE d."count" IS NOT e."count" OR d."firstId" IS NOT e."first" OR d."lastId" IS NOT e."last"`
  },
  usage: {
    says: 'the storage usage of an owner is wrong',
    sql: `SELECT coalesce(k."owner", a."owner") AS "of" FROM (SELECT * FROM "usage" WHERE "graphs" <> 0 OR "bytes" <> 0) AS k
      FULL JOIN (SELECT "owner", count(*) AS "graphs", sum("bytes") AS "bytes" FROM (
        SELECT "owner", "bytes" FROM "graph" UNION ALL SELECT "owner", "bytes" FROM "trash") GROUP BY "owner") AS a
      ON a."owner" = k."owner" WHERE k."graphs" IS NOT a."graphs" OR k."bytes" IS NOT a."bytes"`
  },
  grantCount: {
    says: 'the grant count of a person or group is wrong',
    sql: `SELECT coalesce(k."granteeId", a."granteeId") AS "of" FROM (SELECT * FROM "grantCount" WHERE "total" <> 0 OR "listed" <> 0) AS k
      FULL JOIN (SELECT "granteeType", "granteeId", count(*) AS "total", sum("listed") AS "listed"
        FROM "graphGrant" GROUP BY "granteeType", "granteeId") AS a
      ON a."granteeType" = k."granteeType" AND a."granteeId" = k."granteeId"
      WHERE k."total" IS NOT a."total" OR k."listed" IS NOT a."listed"`
  }
}

export const contradictions: Contradiction[] = [
  ...Object.values(derived),
  {
    says: 'the id counter of a table is behind its highest id',
    sql: COUNTED.map(
      (table) => `SELECT '${table}' AS "of" FROM (SELECT max("id") AS "last" FROM "${table}")
        WHERE "last" > (SELECT coalesce(max("seq"), 0) FROM sqlite_sequence WHERE "name" = '${table}')`
    ).join(' UNION ALL ')
  },
  {
    says: 'some content belongs to neither a graph nor a version',
    sql: `SELECT "id" AS "of" FROM "content" WHERE "id" NOT IN (
      SELECT "contentId" FROM "graph" WHERE "contentId" IS NOT NULL
      UNION ALL SELECT "contentId" FROM "graphVersion" WHERE "contentId" IS NOT NULL)`
  },
  {
    says: 'a layout does not have two coordinates per node',
    sql: `SELECT DISTINCT "contentId" AS "of" FROM "layout" JOIN (
        SELECT "contentId", "nodeCount" FROM "graph" UNION SELECT "contentId", "nodeCount" FROM "graphVersion"
      ) AS g USING ("contentId")
      WHERE length("positions") <> 8 * "nodeCount"`
  },
  {
    // The rest of the key may differ after a Unicode update.
    says: 'the sort key of a name is wrong',
    sql: `SELECT "id" AS "of" FROM (
        SELECT "id", "name", "sortName" FROM "graph" UNION ALL SELECT "graphId", "name", "sortName" FROM "graphVersion")
      WHERE substr("sortName", -length("name") - 1) <> char(10) || "name"`
  },
  {
    says: 'a graph is both in the trash and outside it',
    sql: `SELECT "id" AS "of" FROM "trash" JOIN "graph" USING ("id")`
  },
  {
    says: 'the last version of a graph in the trash is missing',
    sql: `SELECT "id" AS "of" FROM "trash" WHERE NOT EXISTS (
      SELECT 1 FROM "graphVersion" WHERE "graphId" = "trash"."id" AND "version" = "trash"."version")`
  },
  {
    says: 'a version refers to a missing graph',
    sql: `SELECT DISTINCT "graphId" AS "of" FROM "graphVersion" WHERE "graphId" NOT IN (
      SELECT "id" FROM "graph" UNION ALL SELECT "id" FROM "trash" UNION ALL SELECT "id" FROM "purgedGraph")`
  },
  {
    says: 'a version is newer than its graph',
    sql: `SELECT "graphId" AS "of" FROM "graphVersion" JOIN "graph" ON "graph"."id" = "graphId"
      WHERE "graphVersion"."version" >= "graph"."version"`
  },
  {
    says: 'the event for a version is missing',
    // Pruned events may be missing. Their ids are within the range of the log but belong to no remaining leaf.
    sql: `SELECT "of" FROM (
        SELECT "id" AS "of", "auditEventId" AS "event" FROM "graph" UNION ALL SELECT "graphId", "auditEventId" FROM "graphVersion")
      WHERE "event" NOT IN (SELECT "id" FROM "auditEvent") AND NOT (
        (SELECT "firstIndex" FROM "auditLog") > 0 AND "event" < (SELECT max("firstId" + "count") FROM "auditRun")
        AND NOT EXISTS (SELECT 1 FROM "auditRun" WHERE "firstId" <= "event" AND "event" < "firstId" + "count"
          AND "firstIndex" + "event" - "firstId" >= (SELECT "firstIndex" FROM "auditLog")))`
  },
  {
    says: 'a grant belongs to no graph',
    sql: `SELECT "graphId" AS "of" FROM "graphGrant" WHERE "graphId" NOT IN (
      SELECT "id" FROM "graph" UNION ALL SELECT "id" FROM "trash")`
  },
  {
    says: 'a saved view belongs to no graph',
    sql: `SELECT "graphId" AS "of" FROM "savedView" WHERE "graphId" NOT IN (
      SELECT "id" FROM "graph" UNION ALL SELECT "id" FROM "trash")`
  },
  {
    says: 'the default view of a graph is not one of its saved views',
    sql: `SELECT "id" AS "of" FROM (
        SELECT "id", "defaultView" FROM "graph" UNION ALL SELECT "id", "defaultView" FROM "trash") AS g
      WHERE "defaultView" IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM "savedView" WHERE "graphId" = g."id" AND "name" = g."defaultView")`
  },
  {
    says: 'a link belongs to no graph',
    sql: `SELECT "id" AS "of" FROM "link" WHERE "graphId" NOT IN (
      SELECT "id" FROM "graph" UNION ALL SELECT "id" FROM "trash")`
  },
  {
    says: 'a grant is listed although its graph is shared or in the trash, or is missing from the list although its graph is private',
    sql: `SELECT "graphId" AS "of" FROM "graphGrant" LEFT JOIN "graph" ON "graph"."id" = "graphId"
      WHERE "listed" <> ("graph"."shared" IS 0)`
  },
  {
    says: 'a graph is granted to its owner',
    sql: `SELECT "graphId" AS "of" FROM "graphGrant" JOIN "graph" ON "graph"."id" = "graphId" JOIN "user" ON "user"."login" = "owner"
      WHERE "granteeType" = 'USER' AND "granteeId" = "user"."id"`
  },
  {
    says: 'words of a graph are missing from the index',
    sql: `SELECT "id" AS "of" FROM (SELECT "id" FROM "graph" UNION ALL SELECT "id" FROM "trash") AS g
      WHERE (SELECT "isDone" FROM "indexing") AND NOT EXISTS (SELECT 1 FROM "graphWords" WHERE "rowid" = g."id")
        AND NOT EXISTS (SELECT 1 FROM "graphWordPart" WHERE "rowid" = 1024 * g."id")`
  },
  {
    says: 'the index contains words of a deleted graph',
    sql: `SELECT "id" AS "of" FROM (
        SELECT "rowid" AS "id" FROM "graphWords" UNION SELECT "rowid" / 1024 FROM "graphWordPart")
      WHERE "id" NOT IN (SELECT "id" FROM "graph" UNION ALL SELECT "id" FROM "trash")`
  },
  {
    says: 'the size of a graph is wrong',
    sql: `WITH "state" AS (
        SELECT "graphId" AS "id", "version", "contentId" FROM "graphVersion"
        UNION ALL SELECT "id", "version", "contentId" FROM "graph"
      ), "run" AS (
        SELECT "id", "contentId", lead("contentId") OVER (PARTITION BY "id" ORDER BY "version") AS "next" FROM "state"
      ), "total" AS (
        SELECT "run"."id" AS "id", sum("size") AS "bytes" FROM "run" JOIN "content" ON "content"."id" = "run"."contentId"
        WHERE "next" IS NULL OR "next" <> "contentId" GROUP BY "run"."id"
      )
      SELECT g."id" AS "of" FROM (SELECT "id", "bytes" FROM "graph" UNION ALL SELECT "id", "bytes" FROM "trash") AS g
      LEFT JOIN "total" ON "total"."id" = g."id" WHERE g."bytes" <> coalesce("total"."bytes", 0)`
  }
]
