import { sql } from 'kysely'
import t, { type Test } from 'tap'
import type { Store, Trx } from '../../db/store.ts'
import { indexedUpTo, indexNext, startIndexing } from '../../db/upkeep/reindex.ts'
import { wordsOfStored } from '../../graph/query/stored-words.ts'
import { contradictions } from '../support/consistency.ts'
import { openDataStore } from '../support/engine.ts'
import { build, type Client, PASSWORD } from '../support/helper.ts'
import { run } from '../support/program.ts'

const readWords = async (body: Buffer) => wordsOfStored(body)
const large = {
  nodes: Array.from({ length: 5000 }, (_, index) => ({ id: `n${index}`, label: `a label of node ${index}` })),
  edges: []
}

/** Adds graphs of all kinds: small, large, trashed, permanently deleted, and without content. */
async function addGraphs(t: Test, ada: Client) {
  for (let index = 1; index <= 120; index++) {
    const content = index % 40 === 0 ? large : index % 3 === 0 ? undefined : { nodes: [{ id: `x${index}` }], edges: [] }
    const { status } = await ada.post('/api/graphs', { name: `Graph ${index}`, shared: index % 2 === 0, content })
    t.equal(status, 201)
    if (index % 7 === 0) await ada.delete(`/api/graphs/${index}`)
    if (index % 14 === 0) await ada.delete(`/api/trash/${index}`)
  }
}

/** Removes some words, and adds words that belong to no graph. */
async function damage(trx: Trx) {
  for (const statement of [
    sql`DELETE FROM "graphWords" WHERE "rowid" < 50`,
    sql`DELETE FROM "graphWordPart" WHERE "rowid" >= ${sql.lit(80 * 1024)}`
  ]) {
    await statement.execute(trx)
  }
  // Graph 14 was permanently deleted, and graph 100,000 never existed.
  for (const rowid of [14, 100_000]) {
    await sql`INSERT INTO "graphWords" ("rowid", "words") VALUES (${sql.lit(rowid)}, 'strange')`.execute(trx)
    await sql`INSERT INTO "graphWordPart" ("rowid", "words") VALUES (${sql.lit(1024 * rowid + 1)}, 'strange')`.execute(
      trx
    )
  }
}

async function indexRest(store: Store) {
  while (await indexNext(store, readWords));
}

t.test('rebuilding the index copes with concurrent changes, and resumes after an interruption', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  await addGraphs(t, ada)
  t.same(await contradictions(store), [])
  await store.write(damage)
  t.not((await contradictions(store)).length, 0, 'the damage is detectable')
  t.equal(await indexNext(store, readWords), false, 'the index is marked as complete')
  t.equal((await ada.get('/api/search?q=graph')).headers['graphstead-indexing'], undefined)

  await store.write(startIndexing)
  t.equal((await ada.get('/api/search?q=graph')).headers['graphstead-indexing'], '?1')
  t.equal(await indexNext(store, readWords), true)
  const place = await indexedUpTo(store.read)
  t.ok(place !== undefined && place > 0 && place < 120, 'part of the index is rebuilt')
  await store.write(startIndexing)
  t.equal(await indexedUpTo(store.read), place, 'a restarted rebuild resumes there')

  // Changes graphs before, at and after that position.
  const ids = [1, place ?? 0, (place ?? 0) + 1, 119]
  const changes = ids.flatMap((id) => [
    ada.put('/api/graphs', { id, name: `Changed ${id}`, content: id === 119 ? large : undefined }),
    ada.post('/api/graphs', { name: 'New' })
  ])
  await Promise.all([indexRest(store), indexRest(store), ...changes])
  await indexRest(store)
  t.equal(await indexedUpTo(store.read), undefined)
  t.equal((await ada.get('/api/search?q=graph')).headers['graphstead-indexing'], undefined)
  t.same(await contradictions(store), [])
})

t.test('graphstead reindex rebuilds the index', async (t) => {
  const folder = t.testdir({})
  const data = ['--data', folder]
  await run(['user', 'add', 'ada', '--role', 'USER', '--password-stdin', ...data], {}, PASSWORD)
  await run(['import', 'docs/examples/les-miserables.jgf.json', '--owner', 'ada', ...data])
  const store = await openDataStore(t, folder)
  t.teardown(() => store.close())
  t.same(await contradictions(store), [])
  await store.write((trx) => sql`DELETE FROM "graphWordPart" WHERE "rowid" = 1025`.execute(trx))
  t.not((await contradictions(store)).length, 0)
  t.same(await run(['reindex', ...data]), { code: 0, stdout: 'The search index is up to date.\n', stderr: '' })
  t.same(await contradictions(store), [])
  t.same(await run(['reindex', 'all', ...data]), {
    code: 2,
    stdout: '',
    stderr: 'graphstead reindex: reindex takes no arguments: all; see graphstead reindex --help\n'
  })
})
