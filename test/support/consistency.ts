import { PostgresAdapter, sql } from 'kysely'
import { system } from '../../db/actors.ts'
import { findTrashed } from '../../db/changes/trash.ts'
import { findGraph } from '../../db/graphs/graphs.ts'
import { COUNTED, type Store } from '../../db/store.ts'
import type { TableWith } from '../../db/tables.ts'
import { addWords } from '../../graph/content/words.ts'
import { wordsOfStored } from '../../graph/query/stored-words.ts'

/** Returns the rows of each of these tables, in the same order and form on both engines. */
export async function rowsOf<Name extends string>({ read }: Store, tables: readonly Name[]) {
  const all = {} as Record<Name, string[]>
  for (const table of tables) {
    const { rows } = await sql<object>`SELECT * FROM ${sql.table(table)}`.execute(read)
    all[table] = rows.map((row) => {
      const columns = Object.entries(row).map(([name, value]) => [name, typeof value === 'boolean' ? +value : value])
      return JSON.stringify(columns.sort())
    })
    all[table].sort()
  }
  return all
}

/**
 * Returns the contradictions in a store between records, versions, events, contents and counters. Requires that every version
 * is kept. Events may have been pruned.
 */
export async function contradictions(store: Store): Promise<string[]> {
  const db = store.read
  const graphs = await db.selectFrom('graph').selectAll().execute()
  const trash = await db.selectFrom('trash').selectAll().execute()
  const kept = await db.selectFrom('graphVersion').selectAll().execute()
  const events = await db.selectFrom('auditEvent').selectAll().where('targetType', '=', 'GRAPH').execute()
  const contents = await db.selectFrom('content').select(['id', 'hash', 'packed']).execute()
  const users = await db.selectFrom('user').selectAll().execute()
  const found: string[] = []

  const trashed = new Map(trash.map((row) => [row.id, row]))
  const living = new Map(graphs.map((row) => [row.id, row]))
  const eventOf = new Map(events.map((event) => [event.id, event]))
  const created = new Map<number | null, number>()
  const gone = new Set<number | null>()
  for (const { id, type, targetId } of events) {
    if (type === 'GRAPH_PURGED' || type === 'GRAPH_DELETED') gone.add(targetId)
    if (type !== 'GRAPH_CREATED') continue
    if (created.has(targetId)) found.push(`graph ${targetId} was created twice`)
    created.set(targetId, id)
  }

  const prunings = await db.selectFrom('auditEvent').select('data').where('type', '=', 'AUDIT_PRUNED').execute()
  const prunedTo = Math.max(0, ...prunings.map(({ data }) => Number(JSON.parse(data).toId)))

  const versions = new Map<string, { graphId: number; version: number; contentId: number | null }>()
  const known = (row: (typeof kept)[number]) => {
    const { graphId, version, auditEventId, principal } = row
    const name = `${graphId}, version ${version}`
    if (versions.has(name)) found.push(`graph ${name} exists twice`)
    versions.set(name, row)
    const event = eventOf.get(auditEventId ?? created.get(graphId) ?? 0)
    const isPruned = event === undefined && (auditEventId ?? 0) <= prunedTo && prunedTo > 0
    if (isPruned) return
    if (event?.targetId !== graphId || event.targetVersion !== version || event.principal !== principal) {
      found.push(`graph ${name} differs from its event`)
    }
    if (auditEventId === null && version !== 1) found.push(`graph ${name} has no event`)
    if (!living.has(graphId) && !trashed.has(graphId)) found.push(`graph ${name} belongs to no graph`)
  }
  for (const row of kept) known(row)
  for (const { id, owner: _, key: __, searchText: ___, createdAt: ____, ...row } of graphs)
    known({ ...row, graphId: id })
  for (const { id, version } of [...graphs, ...trash]) {
    if (living.has(id) && trashed.has(id)) found.push(`graph ${id} is both active and in the trash`)
    for (let number = 1; number <= version; number++) {
      if (!versions.has(`${id}, version ${number}`)) found.push(`graph ${id} has no version ${number}`)
    }
    if (versions.has(`${id}, version ${version + 1}`)) found.push(`graph ${id} has a later version than its record`)
  }
  for (const { targetId, targetVersion, type } of events) {
    const isThere = gone.has(targetId) || versions.has(`${targetId}, version ${targetVersion}`)
    if (targetVersion !== null && !isThere)
      found.push(`${type} refers to missing graph ${targetId}, version ${targetVersion}`)
  }

  const used = new Set([...versions.values()].map(({ contentId }) => contentId))
  const there = new Set(contents.map(({ id }) => id))
  for (const id of used) if (id !== null && !there.has(id)) found.push(`content ${id} is missing`)
  for (const id of there) if (!used.has(id)) found.push(`content ${id} is not referenced`)
  const packed = contents.filter((content) => content.packed).map(({ hash }) => hash)
  if (new Set(packed).size < packed.length) found.push('large content is stored twice')

  for (const { graphId, granteeType, granteeId, listed } of await db.selectFrom('graphGrant').selectAll().execute()) {
    const name = `graph ${graphId}, ${granteeType} ${granteeId}`
    const graph = living.get(graphId)
    if (!graph && !trashed.has(graphId)) found.push(`${name}: a grant to a missing graph`)
    if (Boolean(listed) !== (graph !== undefined && !graph.shared)) found.push(`${name}: listed is ${listed}`)
    const owner = granteeType === 'USER' && users.find(({ id }) => id === granteeId)?.login
    if (owner && owner === (graph ?? trashed.get(graphId))?.owner) found.push(`${name}: a grant to the owner`)
  }

  for (const { graphId, name } of await db.selectFrom('savedView').select(['graphId', 'name']).execute()) {
    if (!living.has(graphId) && !trashed.has(graphId)) found.push(`graph ${graphId}: view ${name} of a missing graph`)
  }
  for (const { id, graphId } of await db.selectFrom('link').select(['id', 'graphId']).execute()) {
    if (!living.has(graphId) && !trashed.has(graphId)) found.push(`graph ${graphId}: link ${id} to a missing graph`)
  }

  for (const find of Object.values(miscounted)) found.push(...(await find(store)))
  found.push(...(await misindexed(store)))
  const last = await store.lastIds(db)
  for (const table of COUNTED) {
    const ids = db.selectFrom(table as 'graph').select((eb) => eb.fn.max('id').as('id'))
    const { id } = await ids.executeTakeFirstOrThrow()
    if (id > last[table]) found.push(`${table}: ${id} exceeds the last id, ${last[table]}`)
  }

  const asked = new Map<string | null, string>()
  const told = await db
    .selectFrom('auditEvent')
    .select(['targetName', 'data'])
    .where('targetType', '=', 'USER')
    .orderBy('id')
    .execute()
  for (const { targetName, data } of told) {
    const now = JSON.parse(data)['mustChangePassword.new']
    if (now !== undefined) asked.set(targetName, now)
  }
  for (const { login, mustChangePassword } of users) {
    const isTold = (asked.get(login) ?? 'false') === String(Boolean(mustChangePassword))
    if (!isTold) found.push(`${login}: mustChangePassword differs from the events`)
  }
  return found
}

/** Functions that find derived rows that contradict their sources, by table. */
const miscounted: Record<TableWith<{ rows: 'derived' }>, (store: Store) => Promise<string[]>> = {
  async graphCount({ read }) {
    const excess = new Map<string, number>()
    const add = (name: string, count: number) => excess.set(name, (excess.get(name) ?? 0) + count)
    // A count may be spread over several rows.
    for (const { owner, shared, count } of await read.selectFrom('graphCount').selectAll().execute()) {
      add(`${owner} ${Boolean(shared)}`, count)
    }
    for (const { owner, shared } of await read.selectFrom('graph').select(['owner', 'shared']).execute()) {
      for (const name of ['', owner]) add(`${name} ${Boolean(shared)}`, -1)
    }
    return wrongOf(excess).map((name) => `${name}: graphs are miscounted`)
  },

  async auditDay({ read }) {
    const days = new Map<string, { excess: number; first: number; last: number }>()
    const dayOf = (name: string) => {
      const day = days.get(name) ?? { excess: 0, first: Infinity, last: 0 }
      days.set(name, day)
      return day
    }
    for (const row of await read.selectFrom('auditDay').selectAll().execute()) {
      const day = dayOf(row.day)
      day.excess += row.count
      day.first = Math.min(day.first, row.firstId)
      day.last = Math.max(day.last, row.lastId)
    }
    const events = await read.selectFrom('auditEvent').select(['id', 'timestamp']).orderBy('id').execute()
    const ids = Map.groupBy(events, ({ timestamp }) => timestamp.slice(0, 10))
    for (const name of ids.keys()) dayOf(name)
    return [...days]
      .filter(([name, { excess, first, last }]) => {
        const known = ids.get(name) ?? []
        return excess !== known.length || first !== known[0]?.id || last !== known.at(-1)?.id
      })
      .map(([name]) => `${name}: events are miscounted`)
  },

  async usage({ read }) {
    const excess = new Map<string, number>()
    const add = (name: string, count: number) => excess.set(name, (excess.get(name) ?? 0) + count)
    for (const { owner, graphs, bytes } of await read.selectFrom('usage').selectAll().execute()) {
      add(`${owner}: graphs`, graphs)
      add(`${owner}: bytes`, bytes)
    }
    for (const table of ['graph', 'trash'] as const) {
      for (const { owner, bytes } of await read.selectFrom(table).select(['owner', 'bytes']).execute()) {
        add(`${owner}: graphs`, -1)
        add(`${owner}: bytes`, -bytes)
      }
    }
    return wrongOf(excess).map((name) => `${name} are miscounted in usage`)
  },

  async grantCount({ read }) {
    const excess = new Map<string, number>()
    const add = (name: string, count: number) => excess.set(name, (excess.get(name) ?? 0) + count)
    for (const { granteeType, granteeId, total, listed } of await read.selectFrom('grantCount').selectAll().execute()) {
      add(`${granteeType} ${granteeId}: grants`, total)
      add(`${granteeType} ${granteeId}: listed grants`, listed)
    }
    for (const { granteeType, granteeId, listed } of await read.selectFrom('graphGrant').selectAll().execute()) {
      add(`${granteeType} ${granteeId}: grants`, -1)
      add(`${granteeType} ${granteeId}: listed grants`, listed ? -1 : 0)
    }
    return wrongOf(excess).map((name) => `${name} are miscounted`)
  }
}

/** Returns the names whose counts are too high or too low. */
function wrongOf(excess: Map<string, number>) {
  return [...excess].filter(([, count]) => count !== 0).map(([name]) => name)
}

/** Returns the indexed words of each graph by id, in order. Words of several rows are joined. */
async function indexedWords({ read }: Store) {
  const words = new Map<number, string[]>()
  const add = (id: number, some: string[]) => words.set(id, [...(words.get(id) ?? []), ...some].sort())
  await read.connection().execute(async (db) => {
    for (const [table, factor] of [
      ['graphWords', 1],
      ['graphWordPart', 1024]
    ] as const) {
      if (db.getExecutor().adapter instanceof PostgresAdapter) {
        const all = sql<{
          rowid: number
          words: string[]
        }>`SELECT "rowid", tsvector_to_array("words") AS "words" FROM ${sql.table(table)}`
        for (const { rowid, words } of (await all.execute(db)).rows) add(Math.floor(rowid / factor), words)
        continue
      }
      const vocabulary = sql.ref(`temp.${table}Vocabulary`)
      await sql`CREATE VIRTUAL TABLE ${vocabulary} USING fts5vocab('main', ${sql.lit(table)}, 'instance')`.execute(db)
      const all = sql<{ doc: number; term: string }>`SELECT "doc", "term" FROM ${vocabulary}`
      const rows = Map.groupBy((await all.execute(db)).rows, ({ doc }) => doc)
      for (const [doc, terms] of rows)
        add(
          Math.floor(doc / factor),
          terms.map(({ term }) => term)
        )
      await sql`DROP TABLE ${vocabulary}`.execute(db)
    }
  })
  return words
}

/** Finds graphs whose indexed words differ from those of their fields and content. Requires a complete index. */
async function misindexed(store: Store): Promise<string[]> {
  const { read } = store
  const indexed = await indexedWords(store)
  const ids = await read.selectFrom('graph').select('id').unionAll(read.selectFrom('trash').select('id')).execute()
  const found: string[] = []
  for (const { id } of ids) {
    const graph = (await findGraph(read, system, id)) ?? (await findTrashed(read, system, id))
    if (!graph) throw new Error(`graph ${id} changed during the check`)
    const content = await read
      .selectFrom('content')
      .selectAll()
      .where('id', '=', graph.contentId ?? 0)
      .executeTakeFirst()
    const words = new Set<string>()
    for (const text of [graph.name, graph.description ?? '', ...JSON.parse(graph.tags)]) addWords(words, text)
    words.add(
      `\ue000${graph.owner.replaceAll('.', '\ue001').replaceAll('_', '\ue002').replaceAll('@', '\ue003').replaceAll('-', '\ue004')}`
    )
    if (graph.shared) words.add('\ue005')
    const fields = [...words]
    const ofContent = wordsOfStored(content?.json ?? content?.packed ?? undefined)
      .split(' ')
      .filter(Boolean)
    const actual = [...new Set(indexed.get(id))].sort()
    const expected = [...new Set([...fields, ...ofContent])].sort()
    if (JSON.stringify(actual) !== JSON.stringify(expected)) {
      const missing = expected.filter((word) => !actual.includes(word)).slice(0, 5)
      const extra = actual.filter((word) => !expected.includes(word)).slice(0, 5)
      found.push(`graph ${id} is indexed incorrectly: lacks ${missing}, has ${extra}`)
    }
    indexed.delete(id)
  }
  for (const id of indexed.keys()) found.push(`graph ${id} is in the index but does not exist`)
  return found
}
