import { sql } from 'kysely'
import type { Db, Reader } from '../store.ts'
import { tablesWith } from '../tables.ts'

/** Sums maintained by triggers, for tables that are slow to count. */
const sums: Record<string, (read: Db) => Promise<number>> = {
  async graph(read) {
    const all = read.selectFrom('graphCount').where('owner', '=', '')
    const { count } = await all.select((eb) => eb.fn.sum<number>('count').as('count')).executeTakeFirstOrThrow()
    return Number(count)
  },

  async auditEvent(read) {
    const all = read.selectFrom('auditDay')
    const { count } = await all.select((eb) => eb.fn.sum<number>('count').as('count')).executeTakeFirstOrThrow()
    return Number(count)
  }
}

/** Counts the records per table. Tables without a sum are counted by `report`, off the event loop. */
export async function countRecords({ read, report }: Reader): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of tablesWith({ hasFigure: true })) {
    counts[table] = (await sums[table]?.(read)) ?? (await countRows(report, table))
  }
  return counts
}

/** Counts the rows of a table by reading them. */
export async function countRows(db: Db, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS "count" FROM ${sql.table(table)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Formats the row counts for display. */
export function describeFigures(
  rows: Record<'user' | 'graph' | 'trash' | 'graphVersion' | 'auditEvent', number>
): string {
  const { user, graph, trash, graphVersion, auditEvent } = rows
  const graphs = `${count(graph, 'graph')} and ${trash} in the trash`
  return `${count(user, 'user')}, ${graphs}, ${count(graphVersion, 'earlier version')}, ${count(auditEvent, 'event')}`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
