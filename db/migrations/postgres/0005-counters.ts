import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Counters change by the triggers of what they count, and by nothing else. */
export const counters: Migration = async (db) => {
  await sql`CREATE FUNCTION "countersFollow"() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
    IF pg_trigger_depth() < 2 THEN RAISE EXCEPTION 'counters follow what they count'; END IF;
    RETURN NULL;
  END $$`.execute(db)
  for (const table of ['auditDay', 'graphCount', 'usage']) {
    await sql`CREATE TRIGGER ${sql.table(`${table}Follows`)} BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE
      ON ${sql.table(table)} FOR EACH STATEMENT EXECUTE FUNCTION "countersFollow"()`.execute(db)
  }
}
