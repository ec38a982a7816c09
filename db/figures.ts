import type { Reader } from './store.ts'

/** How many rows there are of each kind; those that are not counted beforehand are counted beside the event loop. */
export async function countRecords({ read, scan }: Reader): Promise<Record<string, number>> {
  const [graphs, events] = await Promise.all([
    read
      .selectFrom('graphCount')
      .select((eb) => eb.fn.sum<number>('count').as('count'))
      .where('owner', '=', '')
      .executeTakeFirstOrThrow(),
    read
      .selectFrom('auditDay')
      .select((eb) => eb.fn.sum<number>('count').as('count'))
      .executeTakeFirstOrThrow()
  ])
  const counts: Record<string, number> = { graph: Number(graphs.count), auditEvent: Number(events.count) }
  for (const table of ['user', 'trash', 'graphVersion', 'content'] as const) {
    const { count } = await scan
      .selectFrom(table as 'user')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    counts[table] = Number(count)
  }
  return counts
}
