import { sql } from 'kysely'
import type { Migration } from '../migration.ts'
import { fillBytes } from '../usage.ts'

/** Adds the usage of each owner, including the trash. Triggers keep it in 16 rows, as other counts. */
export const usage: Migration = async (db) => {
  for (const table of ['graph', 'trash'] as const) {
    await sql`ALTER TABLE ${sql.table(table)} ADD COLUMN "bytes" BIGINT NOT NULL DEFAULT 0`.execute(db)
    await fillBytes(table).execute(db)
  }
  await sql`CREATE TABLE "usage" (
    "owner" TEXT COLLATE "C" NOT NULL,
    "shard" INTEGER NOT NULL,
    "graphs" BIGINT NOT NULL,
    "bytes" BIGINT NOT NULL,
    PRIMARY KEY ("owner", "shard")
  ) WITH (fillfactor = 50)`.execute(db)
  await sql`INSERT INTO "usage" SELECT "owner", 0, count(*), sum("bytes") FROM (
    SELECT "owner", "bytes" FROM "graph" UNION ALL SELECT "owner", "bytes" FROM "trash") AS "all" GROUP BY "owner"`.execute(
    db
  )
  await sql`CREATE FUNCTION "use"("owner" TEXT, "graphs" BIGINT, "bytes" BIGINT) RETURNS VOID LANGUAGE sql AS $$
    INSERT INTO "usage" VALUES ($1, pg_backend_pid() % 16, $2, $3)
      ON CONFLICT ("owner", "shard") DO UPDATE SET "graphs" = "usage"."graphs" + $2, "bytes" = "usage"."bytes" + $3
  $$`.execute(db)
  await sql`CREATE FUNCTION "usageChanged"() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
    IF TG_OP <> 'INSERT' THEN PERFORM "use"(OLD."owner", -1, -OLD."bytes"); END IF;
    IF TG_OP <> 'DELETE' THEN PERFORM "use"(NEW."owner", 1, NEW."bytes"); END IF;
    RETURN NULL;
  END $$`.execute(db)
  for (const table of ['graph', 'trash']) {
    const on = sql.table(table)
    await sql`CREATE TRIGGER ${sql.table(`${table}Used`)} AFTER INSERT OR DELETE ON ${on}
      FOR EACH ROW EXECUTE FUNCTION "usageChanged"()`.execute(db)
    await sql`CREATE TRIGGER ${sql.table(`${table}UsedElse`)} AFTER UPDATE OF "owner", "bytes" ON ${on} FOR EACH ROW
      WHEN (OLD."owner" <> NEW."owner" OR OLD."bytes" <> NEW."bytes") EXECUTE FUNCTION "usageChanged"()`.execute(db)
  }
}
