import { join } from 'node:path'
import t from 'tap'
import { usageOf } from '../../db/graphs/usage.ts'
import { checkFile } from '../../db/upkeep/backup.ts'
import { startThread } from '../../src/system/assets.ts'
import { engine } from '../support/engine.ts'
import { build, problem, triangle } from '../support/helper.ts'

const content = (label: string) => ({ nodes: [{ id: 'a', label: label.repeat(500) }], edges: [] })
const SIZE = 600

t.test('a user cannot exceed their quota, even with versions and trash', async (t) => {
  const { app, as, store, folder } = await build(t, { userQuota: String(4 * SIZE), keepVersions: 3 })
  const ada = as('ada')
  t.equal((await ada.post('/api/graphs', { name: 'A', content: content('a') })).status, 201)
  const { bytes } = await usageOf(store.read, 'ada')
  t.ok(bytes > 500 && bytes <= SIZE, `${bytes} bytes`)
  t.equal((await ada.patch('/api/graphs/1', { name: 'B' })).status, 200, 'a new name takes no space')
  t.strictSame(await usageOf(store.read, 'ada'), { graphs: 1, bytes })
  t.equal((await ada.put('/api/graphs', { id: 1, name: 'B', content: content('b') })).status, 200)
  t.strictSame(await usageOf(store.read, 'ada'), { graphs: 1, bytes: 2 * bytes }, 'new content takes space')
  t.equal((await ada.delete('/api/graphs/1')).status, 200)
  t.strictSame(await usageOf(store.read, 'ada'), { graphs: 1, bytes: 2 * bytes }, 'the trash counts towards the quota')
  t.equal((await ada.post('/api/trash/1/restore')).status, 200)
  t.equal((await ada.post('/api/graphs', { name: 'C', content: content('c') })).status, 201)
  t.equal((await ada.post('/api/graphs', { name: 'D', content: content('d') })).status, 201)
  const refused = await ada.post('/api/graphs', { name: 'E', content: content('e') })
  t.match(refused, problem(507, 'quota-exceeded'))
  t.match(await ada.put('/api/graphs', { id: 2, name: 'C', content: content('f') }), problem(507, 'quota-exceeded'))
  t.equal((await ada.patch('/api/graphs/2', { name: 'Still' })).status, 200)
  const usage = (await ada.get('/api/account')).headers['graphstead-usage']
  t.equal(usage, `graphs=3, bytes=${4 * bytes}, max-bytes=${4 * SIZE}`)
  t.equal((await as('bob').post('/api/graphs', triangle)).status, 201, 'other users are not affected')
  for (const name of ['1', '2', '3', '4']) await ada.patch('/api/graphs/1', { name })
  t.strictSame(await usageOf(store.read, 'ada'), { graphs: 3, bytes: 3 * bytes }, 'removed versions free their space')
  await ada.delete('/api/graphs/3')
  t.equal((await ada.delete('/api/trash/3')).status, 200)
  t.strictSame(await usageOf(store.read, 'ada'), { graphs: 2, bytes: 2 * bytes })
  await app.close()
  await store.close()
  if (engine === 'SQLite') t.strictSame((await checkFile(join(folder, 'graphstead.db'), startThread)).faults, [])
})

t.test('a user cannot own more graphs than the limit', async (t) => {
  const { as, store } = await build(t, { userGraphs: 2 })
  const replies = await Promise.all([1, 2, 3, 4].map(() => as('eve').post('/api/graphs', triangle)))
  t.strictSame(replies.map(({ status }) => status).sort(), [201, 201, 507, 507])
  t.match(await as('eve').post('/api/graphs', triangle), problem(507, 'quota-exceeded'))
  const id = Math.min(...replies.filter(({ status }) => status === 201).map(({ body }) => body.id))
  t.equal((await as('eve').put('/api/graphs', { id, name: 'Same', content: content('x') })).status, 200)
  t.equal((await usageOf(store.read, 'bob')).graphs, 0)
})

t.test('a change that frees space is allowed even above a lowered quota', async (t) => {
  const { app, as } = await build(t, { keepVersions: 1 })
  const ada = as('ada')
  const large = { nodes: ['a', 'b'].map((id) => ({ id, label: 'x'.repeat(500) })), edges: [] }
  t.equal((await ada.post('/api/graphs', { name: 'Large', content: large })).status, 201)
  t.equal((await ada.post('/api/graphs', { name: 'Other', content: content('a') })).status, 201)
  app.graphs.policy.maxBytes = SIZE
  t.equal((await ada.put('/api/graphs', { id: 1, name: 'Small', content: content('b') })).status, 200)
  t.match(await ada.put('/api/graphs', { id: 1, name: 'Large', content: large }), problem(507, 'quota-exceeded'))
})
