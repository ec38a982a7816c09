import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { exactly, fetched, logIn, numbered } from './client.ts'
import { ask, type Exchange, load, requestOf } from './load.ts'
import { type Contender, measure, median } from './measure.ts'
import { type Server, startProgram } from './processes.ts'
import { seed } from './seed.ts'
import { compared, type Line } from './table.ts'

const plan = { connections: 16, rounds: 7, duration: 1000, warmUp: 2000 }

const GROUPS = 20
const CROWD = 1000
const GRANTED = 10_000
const ROUNDS = 7
/** The number of groups to delete, and the time until housekeeping has removed their grants, in milliseconds. */
const ERASED = 3
const ERASURE = 75_000
/** A graph that is not on the first page of any list. */
const LATE = 999_990

/** A user with graphs granted through groups, and one without grants. Both own the same number of graphs. */
const [MEMBER, PLAIN] = ['user1', 'user2']
/**
 * The owner of the graph granted to the group `crowd`, and the user who joins the group `all`, which has grants to all granted
 * graphs.
 */
const [OWNER, NEWCOMER] = ['user3', 'user4']

/**
 * Measures the cost of grants for the users who have them: fetching a graph, listing graphs, and changing the rights of many
 * users while others send requests.
 */
export async function access(folder: string): Promise<Line[]> {
  const [small, large] = [join(folder, 'few'), join(folder, 'many')]
  // Every user owns a hundred graphs in both stores.
  await seed(small, { graphs: 1000, users: 10, events: 1000, shared: 0 })
  await seed(large, { graphs: 1_000_000, users: 10_000, events: 1000, shared: 0 })
  grantGraphs(small, 500)
  const own = grantGraphs(large, GRANTED)
  const fewer = await startProgram(small, '1,000 graphs')
  const more = await startProgram(large, '1,000,000 graphs')
  try {
    return [...(await fetching(more, own)), ...(await listing(more, fewer)), ...(await waiting(more, large, own))]
  } finally {
    await fewer.stop()
    await more.stop()
  }
}

/** The ids of certain graphs in the large store. */
interface Known {
  /** A graph that is granted to one of the groups. */
  granted: number
  /** The owner's last graph, which has no grants. */
  owned: number
  /** A graph that is granted to each user in the crowd individually. */
  widely: number
  /** Groups that hold grants on all granted graphs. Each is deleted once. */
  erased: string[]
}

/**
 * Grants graphs to the member's groups, spread evenly over the store and the groups. The group `all` has all of these graphs
 * but no members; the group `crowd` has many members but no graphs. Writes rows directly.
 */
function grantGraphs(folder: string, count: number): Known {
  const db = new Database(join(folder, 'graphstead.db'))
  const idOf = db.prepare('SELECT "id" FROM "user" WHERE "login" = ?').pluck()
  const now = new Date().toISOString()
  const addGroup = db.prepare('INSERT INTO "group" ("name", "createdAt", "updatedAt") VALUES (?, ?, ?)')
  const addMember = db.prepare('INSERT INTO "groupMember" VALUES (?, ?)')
  const grant = db.prepare(`INSERT INTO "graphGrant" VALUES (?, 'GROUP', ?, 'READ', 1, ?, 'admin')`)
  const { graphs, users } = db
    .prepare('SELECT (SELECT max("id") FROM "graph") AS "graphs", (SELECT max("id") FROM "user") AS "users"')
    .get() as { graphs: number; users: number }
  const member = idOf.get(MEMBER)
  const erased = Array.from({ length: ERASED }, (_, index) => `erased${index}`)
  const widely = db.prepare('SELECT "id" FROM "graph" WHERE "owner" = ? LIMIT 1').pluck().get(OWNER) as number
  db.transaction(() => {
    for (let group = 1; group <= GROUPS; group++) {
      addGroup.run(`group${group}`, now, now)
      addMember.run(group, member)
    }
    const all = addGroup.run('all', now, now).lastInsertRowid
    const crowd = addGroup.run('crowd', now, now).lastInsertRowid
    for (let user = 1; user <= Math.min(CROWD, users); user++) addMember.run(crowd, user)
    const doomed = erased.map((name) => addGroup.run(name, now, now).lastInsertRowid)
    const grantInPerson = db.prepare(`INSERT INTO "graphGrant" VALUES (?, 'USER', ?, 'READ', 1, ?, 'admin')`)
    for (let user = 1; user <= Math.min(CROWD, users); user++) grantInPerson.run(widely, user, now)
    const step = Math.floor(graphs / count)
    for (let index = 0; index < count; index++) {
      const id = 1 + index * step
      for (const group of [1 + (index % GROUPS), all, ...doomed]) grant.run(id, group, now)
    }
  })()
  const owned = db.prepare('SELECT max("id") FROM "graph" WHERE "owner" = ?').pluck().get(OWNER) as number
  const step = Math.floor(graphs / count)
  db.close()
  return { granted: 1 + step * Math.floor(count / 2), owned, widely, erased }
}

/** Compares fetching a graph through a group's grant with fetching it as its owner. */
async function fetching(server: Server, { granted }: Known): Promise<Line[]> {
  const admin = await logIn(server, 'admin')
  const { owner } = JSON.parse((await fetched(server, `/api/graphs/${granted}`, admin)).answer.body.toString())
  const getting = async (login: string): Promise<Contender> => {
    const { get } = await fetched(server, `/api/graphs/${granted}`, await logIn(server, login))
    return { server, next: () => get }
  }
  const both = await measure([await getting(MEMBER), await getting(owner)], plan)
  return [compared('GET /api/graphs/{id}, with access through a group', both, 'rate', { least: 0.85 }, 'by ownership')]
}

/** Compares the first page for users with and without grants, and in stores of a million and a thousand graphs. */
async function listing(more: Server, fewer: Server): Promise<Line[]> {
  const listOf = async (server: Server, login: string): Promise<Contender> => {
    const { get } = await fetched(server, '/api/graphs?size=20', await logIn(server, login))
    return { server, next: () => get }
  }
  const [member, other] = [await listOf(more, MEMBER), await listOf(more, PLAIN)]
  const [granted, plain, small] = await measure([member, other, await listOf(fewer, MEMBER)], plan)
  const stop = changing(more)
  const beside = await measure([member, other], plan)
  await stop()
  const what = `GET /api/graphs, 20 of ${GRANTED.toLocaleString('en')} granted by ${GROUPS} groups`
  const changed = `${what}, while one of the grants changes five times a second`
  return [
    compared(what, [granted, plain], 'rate', { least: 0.6 }, 'without grants'),
    compared(`${what}, of 1,000,000: p50`, [granted, small], 'p50', { most: 1.5 }, '500 of 1,000'),
    compared(changed, beside, 'rate', {}, 'without grants')
  ]
}

/** Repeatedly renames a graph, grants it to one of the groups and revokes the grant. Returns a function that stops it. */
function changing(server: Server): () => Promise<void> {
  let isOver = false
  const running = (async () => {
    const token = await logIn(server, 'admin')
    const body = JSON.stringify({ access: 'READ' })
    const path = `/api/graphs/${LATE}/access/groups/group1`
    const rename = numbered((number) =>
      requestOf('PATCH', `/api/graphs/${LATE + 1}`, { token, body: JSON.stringify({ name: `Line ${number}` }) })
    )
    while (!isOver) {
      await ask(server.port, exactly(requestOf('PUT', path, { token, body }), 204))
      await sleep(200)
      await ask(server.port, exactly(rename(), 200))
      await ask(server.port, exactly(requestOf('DELETE', path, { token }), 204))
      await sleep(200)
    }
  })()
  return async () => {
    isOver = true
    await running
  }
}

/** A change to the rights of many users, and how to undo it. */
interface Deed {
  path: string
  act: () => Promise<void>
  undo: () => Promise<void>
}

/** Measures the maximum waiting time of other requests while the access rights of many users change. */
async function waiting(server: Server, folder: string, { owned, widely, erased }: Known): Promise<Line[]> {
  const admin = await logIn(server, 'admin')
  const { get } = await fetched(server, `/api/graphs/${owned}`, admin)
  const send = async (method: string, url: string, status: number, body?: object) => {
    const sent = { token: admin, ...(body && { body: JSON.stringify(body) }) }
    await ask(server.port, exactly(requestOf(method, url, sent), status))
  }
  const toCrowd = `/api/graphs/${owned}/access/groups/crowd`
  const membership = `/api/groups/all/members/${NEWCOMER}`
  const share = (shared: boolean) => () => send('PATCH', `/api/graphs/${widely}`, 200, { shared })
  const deeds: Deed[] = [
    {
      path: `a group of ${CROWD.toLocaleString('en')} people added to a graph`,
      act: () => send('PUT', toCrowd, 204, { access: 'READ' }),
      undo: () => send('DELETE', toCrowd, 204)
    },
    {
      path: `a person added to a group with ${GRANTED.toLocaleString('en')} graphs`,
      act: () => send('PUT', membership, 204),
      undo: () => send('DELETE', membership, 204)
    },
    {
      path: `a graph with ${CROWD.toLocaleString('en')} grants shared with everyone`,
      act: share(true),
      undo: share(false)
    },
    {
      path: `a graph with ${CROWD.toLocaleString('en')} grants deleted`,
      act: () => send('DELETE', `/api/graphs/${widely}`, 200),
      undo: () => send('POST', `/api/trash/${widely}/restore`, 200)
    }
  ]
  const lines: Line[] = []
  for (const { path, act, undo } of deeds) {
    const waits: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      waits.push(await longestWait(server, get, act))
      await undo()
    }
    lines.push(lineOf(path, waits))
  }
  const erase = async () => {
    for (const name of erased) await send('DELETE', `/api/groups/${name}`, 204)
  }
  const wait = await longestWait(server, get, erase, ERASURE)
  // With this many samples, the maximum is mostly noise, so it is also measured without any change.
  const usual = await longestWait(server, get, async () => {}, ERASURE)
  const left = orphansOf(folder)
  if (left > 0) throw new Error(`${left} grants of deleted groups are left`)
  const path = `${erased.length} groups with ${GRANTED.toLocaleString('en')} graphs deleted, and their grants removed`
  return [...lines, { ...lineOf(path, [wait]), theirs: `without a change: ${usual.toFixed(1)} ms` }]
}

/** Returns the number of grants to deleted groups. */
function orphansOf(folder: string): number {
  const db = new Database(join(folder, 'graphstead.db'), { readonly: true })
  const orphans = `"granteeType" = 'GROUP' AND "granteeId" NOT IN (SELECT "id" FROM "group")`
  const count = db.prepare(`SELECT count(*) FROM "graphGrant" WHERE ${orphans}`).pluck().get() as number
  db.close()
  return count
}

/**
 * Returns the longest wait of other clients, which repeat the request for `duration` milliseconds while the change is made.
 */
async function longestWait(server: Server, get: Exchange, act: () => Promise<void>, duration = 600): Promise<number> {
  const others = load({ port: server.port, connections: 4, duration, next: () => get })
  await sleep(300)
  await act()
  return (await others).max
}

/** Describes the longest waits of several rounds, in milliseconds. */
function lineOf(path: string, waits: number[]): Line {
  return {
    path: `longest wait of others: ${path}`,
    ours: waits.map((wait) => wait.toFixed(1)).join(', '),
    ratio: median(waits),
    aim: { most: 50, unit: 'ms' }
  }
}
