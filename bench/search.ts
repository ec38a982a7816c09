import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { ownerTerm, sharedTerm } from '../db/search/word-index.ts'
import { createGraph, creations, exactly, fetched, logIn } from './client.ts'
import { network, seeded } from './graphs.ts'
import { load, requestOf } from './load.ts'
import { type Contender, measure, median, timed } from './measure.ts'
import { type Server, startProgram } from './processes.ts'
import { seed } from './seed.ts'
import { compared, type Line } from './table.ts'

const plan = { connections: 1, rounds: 5, duration: 2000, warmUp: 1000 }
const posting = { connections: 64, rounds: 7, duration: 1500, warmUp: 3000 }

const [MANY, FEW] = [1_000_000, 10_000]
/** The number of words in a graph and in the vocabulary. A few words are much more frequent than the others. */
const [WORDS, VOCABULARY] = [20, 50_000]
const QUERIES = 200

/** Measures searches, the cost of the index in time and disk space, and queries for part of a large graph. */
export async function search(folder: string): Promise<Line[]> {
  return [
    ...(await searching(folder)),
    ...(await creating(folder)),
    await sizing(join(folder, 'sizes')),
    ...(await asking(join(folder, 'parts')))
  ]
}

/** Compares searches in two stores, by a user who can see a tenth of the graphs. */
async function searching(folder: string): Promise<Line[]> {
  const [small, large] = [join(folder, 'few'), join(folder, 'many')]
  for (const [store, graphs] of [
    [small, FEW],
    [large, MANY]
  ] as const) {
    await seed(store, { graphs, users: graphs / 100, events: 1000, shared: graphs / 10 })
    addWords(store)
  }
  const [fewer, more] = [await startProgram(small, '10,000 graphs'), await startProgram(large, '1,000,000 graphs')]
  try {
    const lines: Line[] = []
    for (const [what, options, longest, most] of [
      ['a word, newest 20', {}, 10, 2],
      // In the smaller store, a page of up to 20 graphs contains 3 on average.
      ['a word, newest', { size: 1 }, 10, 2],
      ['a prefix of 3 letters, newest 20', { length: 3 }, 150, undefined]
    ] as const) {
      const both = await measure([await querying(more, options), await querying(fewer, options)], plan)
      const path = `GET /api/search, ${what} of 1,000,000 graphs: p50`
      const aim = most === undefined ? {} : { most }
      const line = compared(`${path}, ratio`, both, 'p50', aim, 'of 10,000')
      lines.push({ ...line, path, ratio: both[0].p50, aim: { most: longest, unit: 'ms' } }, line)
    }
    lines.push(await waiting(more))
    return lines
  } finally {
    await fewer.stop()
    await more.stop()
  }
}

/** Returns the pseudo-random word with this number. Words with low numbers are drawn most often. */
function wordAt(number: number) {
  return `w${((number * 2_654_435_761) % 4_294_967_296).toString(36)}`
}

function drawn(random: number) {
  return wordAt(Math.floor(VOCABULARY * random ** 3))
}

/** Adds words from the vocabulary to all graphs. Writes rows directly. */
function addWords(folder: string) {
  const db = new Database(join(folder, 'graphstead.db'))
  db.pragma('synchronous = OFF')
  const insert = db.prepare('INSERT INTO "graphWords" ("rowid", "words") VALUES (?, ?)')
  const graphs = db.prepare('SELECT "id", "owner", "shared" FROM "graph"').all()
  const random = seeded()
  db.transaction(() => {
    for (const { id, owner, shared } of graphs as { id: number; owner: string; shared: number }[]) {
      const words = Array.from({ length: WORDS }, () => drawn(random()))
      insert.run(id, [...words, ownerTerm(owner).word, ...(shared ? [sharedTerm.word] : [])].join(' '))
    }
  })()
  db.close()
}

/** Returns searches for randomly chosen words, truncated to `length` if given, with pages of `size` graphs. */
async function querying(server: Server, { length, size = 20 }: { length?: number; size?: number }): Promise<Contender> {
  const token = await logIn(server, 'user1')
  const requests: ReturnType<typeof exactly>[] = []
  for (let index = 0; index < QUERIES; index++) {
    const word = drawn((index + 0.5) / QUERIES)
    const q = length === undefined ? word : word.slice(0, length)
    requests.push(exactly(requestOf('GET', `/api/search?q=${q}&size=${size}`, { token }), 200))
  }
  let next = 0
  return { server, next: () => requests[next++ % QUERIES] as (typeof requests)[0] }
}

/** Measures how long other clients wait during prefix searches. */
async function waiting(server: Server): Promise<Line> {
  const admin = await logIn(server, 'admin')
  const { get } = await fetched(server, '/api/graphs/77', admin)
  const others = (duration: number) => load({ port: server.port, connections: 4, duration, next: () => get })
  const alone = await others(5000)
  const { next } = await querying(server, { length: 3 })
  const [beside] = await Promise.all([others(5000), load({ port: server.port, connections: 2, duration: 4800, next })])
  return {
    path: 'GET of a graph while two search for prefixes: p99',
    ours: `p50 ${beside.p50.toFixed(2)}, p99 ${beside.p99.toFixed(1)}, longest ${beside.max.toFixed(0)} ms`,
    theirs: `alone: p50 ${alone.p50.toFixed(2)}, p99 ${alone.p99.toFixed(1)}, longest ${alone.max.toFixed(0)} ms`,
    ratio: beside.p99,
    aim: { most: 50, unit: 'ms' }
  }
}

/** Compares creating graphs with and without the index. */
async function creating(folder: string): Promise<Line[]> {
  const [indexed, plain] = [join(folder, 'indexed'), join(folder, 'plain')]
  for (const store of [indexed, plain]) await seed(store, { graphs: 1000, users: 10, events: 1000, shared: 10 })
  const db = new Database(join(plain, 'graphstead.db'))
  // This view discards inserted rows.
  db.exec(`DROP TABLE "graphWords"; CREATE VIEW "graphWords" AS SELECT 0 AS "rowid", '' AS "words" WHERE 0;
    CREATE TRIGGER "nowhere" INSTEAD OF INSERT ON "graphWords" BEGIN SELECT 1; END`)
  db.close()
  const [withIndex, without] = [await startProgram(indexed, 'with the index'), await startProgram(plain, 'without it')]
  try {
    const contenders = [
      { server: withIndex, next: creations(await logIn(withIndex, 'admin')) },
      { server: without, next: creations(await logIn(without, 'admin')) }
    ] as const
    const both = await measure(contenders, posting)
    return [compared('POST of a small graph', both, 'rate', { least: 0.75 }, without.name)]
  } finally {
    await withIndex.stop()
    await without.stop()
  }
}

/** Compares the size of the index with that of the contents, for graphs of 100 nodes. */
async function sizing(folder: string): Promise<Line> {
  await seed(folder, { graphs: 1, users: 1, events: 1, shared: 0 })
  const server = await startProgram(folder)
  const token = await logIn(server, 'admin')
  for (let number = 0; number < 1000; number++) {
    const content = network(100, 200)
    const nodes = content.nodes.map((node, index) => ({ ...node, id: `n${number}-${index}` }))
    const edges = content.edges.map((edge, index) => ({
      ...edge,
      source: `n${number}-${index % 100}`,
      target: `n${number}-${(7 * index) % 100}`
    }))
    await createGraph(server, token, { name: `Network ${number}`, content: { ...content, nodes, edges } })
  }
  await server.stop()
  const db = new Database(join(folder, 'graphstead.db'), { readonly: true })
  const bytes = (name: string) =>
    db.prepare('SELECT sum("pgsize") FROM dbstat WHERE "name" GLOB ?').pluck().get(name) as number
  const [index, contents] = [bytes('graphWord*'), bytes('content')]
  db.close()
  return {
    path: 'size of the index, 1,000 graphs of 100 nodes',
    ours: `${Math.round(index / 1024)} KiB`,
    theirs: `their contents, compressed: ${Math.round(contents / 1024)} KiB`,
    ratio: index / contents,
    aim: { most: 0.6 }
  }
}

/** Compares queries for the neighbourhood of a node with parsing the content. */
async function asking(folder: string): Promise<Line[]> {
  await seed(folder, { graphs: 1, users: 1, events: 1, shared: 0 })
  const server = await startProgram(folder)
  try {
    const token = await logIn(server, 'admin')
    const { nodes, edges } = network(100_000, 500_000)
    // Only these fields are kept, so that the graph fits within the body limit.
    const content = {
      nodes: nodes.map(({ id, metadata }) => ({ id, label: `Node ${metadata?.rank}` })),
      edges: edges.map(({ source, target, label }) => ({ source, target, label }))
    }
    const json = JSON.stringify(content)
    const [first, again, parse]: [number[], number[], number[]] = [[], [], []]
    for (let round = 0; round < 5; round++) {
      const graph = { name: 'Large', content: { ...content, label: `Round ${round}` } }
      const id = await createGraph(server, token, graph)
      const path = `/api/graphs/${id}/subgraph?node=${content.nodes[4711]?.id}&depth=2`
      // Gives the thread that reads content time for garbage collection.
      await sleep(1000)
      parse.push(await timed(() => JSON.parse(json)))
      first.push(await timed(() => fetched(server, path, token)))
      // Gives the server time to prepare the content for further queries.
      await sleep(3000)
      for (let time = 0; time < 5; time++) again.push(await timed(() => fetched(server, path, token)))
    }
    const [once, later, base] = [first, again, parse].map(median) as [number, number, number]
    const theirs = `JSON.parse of the content: ${base.toFixed(0)} ms`
    const path = 'subgraph of depth 2 of 500,000 edges'
    return [
      { path: `${path}, first`, ours: `${once.toFixed(0)} ms`, theirs, ratio: once / base, aim: { most: 1.3 } },
      { path: `${path}, again`, ours: `${later.toFixed(1)} ms`, theirs, ratio: later, aim: { most: 20, unit: 'ms' } }
    ]
  } finally {
    await server.stop()
  }
}
