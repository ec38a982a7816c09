import type { Store } from '../db/store.ts'

/**
 * What in a store contradicts something else in it: records, versions, events, contents and counters. Every version is
 * expected to be kept.
 */
export async function contradictions(store: Store): Promise<string[]> {
  const db = store.read
  const graphs = await db.selectFrom('graph').selectAll().execute()
  const trash = await db.selectFrom('trash').selectAll().execute()
  const kept = await db.selectFrom('graphVersion').selectAll().execute()
  const events = await db.selectFrom('auditEvent').selectAll().where('targetType', '=', 'GRAPH').execute()
  const contents = await db.selectFrom('content').select(['id', 'hash', 'packed']).execute()
  const counts = await db.selectFrom('graphCount').selectAll().where('count', '<>', 0).execute()
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

  const versions = new Map<string, { graphId: number; version: number; contentId: number | null }>()
  const known = (row: (typeof kept)[number]) => {
    const { graphId, version, auditEventId, principal } = row
    const name = `${graphId}, version ${version}`
    if (versions.has(name)) found.push(`graph ${name} stands twice`)
    versions.set(name, row)
    const event = eventOf.get(auditEventId ?? created.get(graphId) ?? 0)
    if (event?.targetId !== graphId || event.targetVersion !== version || event.principal !== principal) {
      found.push(`graph ${name} is not what its event tells`)
    }
    if (auditEventId === null && version !== 1) found.push(`graph ${name} names no event`)
    if (!living.has(graphId) && !trashed.has(graphId)) found.push(`graph ${name} is nobody's`)
  }
  for (const row of kept) known(row)
  for (const { id, owner: _, searchText: __, createdAt: ___, ...row } of graphs) known({ ...row, graphId: id })
  for (const { id, version } of [...graphs, ...trash]) {
    if (living.has(id) && trashed.has(id)) found.push(`graph ${id} is in the trash, and is not`)
    for (let number = 1; number <= version; number++) {
      if (!versions.has(`${id}, version ${number}`)) found.push(`graph ${id} lacks version ${number}`)
    }
    if (versions.has(`${id}, version ${version + 1}`)) found.push(`graph ${id} is of an old version`)
  }
  for (const { targetId, targetVersion, type } of events) {
    const isThere = gone.has(targetId) || versions.has(`${targetId}, version ${targetVersion}`)
    if (targetVersion !== null && !isThere) found.push(`${type} tells of graph ${targetId} ${targetVersion}`)
  }

  const used = new Set([...versions.values()].map(({ contentId }) => contentId))
  const there = new Set(contents.map(({ id }) => id))
  for (const id of used) if (id !== null && !there.has(id)) found.push(`content ${id} is missing`)
  for (const id of there) if (!used.has(id)) found.push(`content ${id} is left over`)
  const packed = contents.filter((content) => content.packed).map(({ hash }) => hash)
  if (new Set(packed).size < packed.length) found.push('large content is stored twice')

  const expected = new Map<string, number>()
  for (const { owner, shared } of graphs) {
    for (const name of ['', owner]) {
      expected.set(`${name} ${Boolean(shared)}`, (expected.get(`${name} ${Boolean(shared)}`) ?? 0) + 1)
    }
  }
  // A count may be spread over several rows.
  const counted = new Map<string, number>()
  for (const { owner, shared, count } of counts) {
    const name = `${owner} ${Boolean(shared)}`
    counted.set(name, (counted.get(name) ?? 0) + count)
  }
  for (const name of new Set([...counted.keys(), ...expected.keys()])) {
    if ((counted.get(name) ?? 0) !== (expected.get(name) ?? 0)) found.push(`${name}: graphs are miscounted`)
  }
  const usage = new Map<string, number>()
  for (const { owner, bytes } of [...graphs, ...trash]) usage.set(owner, (usage.get(owner) ?? 0) + 1e12 + bytes)
  for (const { owner, graphs: count, bytes } of await db.selectFrom('usage').selectAll().execute()) {
    usage.set(owner, (usage.get(owner) ?? 0) - count * 1e12 - bytes)
  }
  for (const [owner, excess] of usage) if (excess !== 0) found.push(`${owner}: usage is miscounted`)
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
  for (const { login, mustChangePassword } of await db.selectFrom('user').selectAll().execute()) {
    const isTold = (asked.get(login) ?? 'false') === String(Boolean(mustChangePassword))
    if (!isTold) found.push(`${login}: no event tells who gave the password`)
  }
  return found
}
