import t from 'tap'
import { seeded } from '../bench/graphs.ts'
import { contradictions } from './consistency.ts'
import { build, type Reply, triangle } from './helper.ts'

/** Large enough to be stored once for all who have it; there are three of them. */
const large = (number: number) => ({
  label: `No. ${number % 3}`,
  nodes: Array.from({ length: 300 }, (_, index) => ({ id: `node ${index}` })),
  edges: []
})

t.test('many at once do anything to the same few graphs, and everything still fits together', async (t) => {
  const { as, store } = await build(t)
  const random = seeded(5)
  const one = (count: number) => Math.floor(random() * count)
  const [ada, root] = [as('ada'), as('root')]
  await root.get('/api/account')
  for (let id = 1; id <= 5; id++) await ada.post('/api/graphs', { name: `g${id}`, shared: true, content: large(id) })

  const deeds: ((client: typeof ada, id: number, turn: number) => Promise<Reply>)[] = [
    (client, id, turn) => client.put('/api/graphs', { id, name: `put ${turn}`, content: large(turn) }),
    (client, id, turn) => client.patch(`/api/graphs/${id}`, { name: `patch ${turn}`, shared: one(2) === 0 }),
    (client, id) => client.post(`/api/graphs/${id}/restore`, { version: 1 + one(4) }),
    (client, id) => client.delete(`/api/graphs/${id}`),
    (client, id) => client.post(`/api/trash/${id}/restore`),
    (client, id) => client.post(`/api/trash/${id}/restore`),
    (client, id) => client.get(`/api/graphs/${id}/versions/${1 + one(5)}`),
    (client, id) => client.get(`/api/graphs/${id}/diff`),
    async (client, _id, turn) => {
      const { body } = await client.post('/api/graphs', { name: `new ${turn}`, content: large(turn) })
      await client.delete(`/api/graphs/${body.id}`)
      return client.delete(`/api/trash/${body.id}`)
    }
  ]
  const statuses = new Map<number, number>()
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      for (let turn = 0; turn < 60; turn++) {
        const deed = deeds[one(deeds.length)] as (typeof deeds)[number]
        const { status } = await deed(one(2) === 0 ? ada : root, 1 + one(5), turn)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    })
  )
  t.same([...statuses.keys()].sort(), [200, 404], JSON.stringify([...statuses]))
  t.ok((statuses.get(200) ?? 0) > 400)
  t.same(await contradictions(store), [])
})

t.test('who changes the same graph at once waits, and nobody is refused', async (t) => {
  const { as, store } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', triangle)
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, index) => ada.patch('/api/graphs/1', { name: `n${index}` }))
  )
  t.ok(replies.every(({ status }) => status === 200))
  t.match(await ada.get('/api/graphs/1/versions'), { headers: { 'x-total-count': '101' } })
  t.same(new Set(replies.map(({ body }) => body.version)).size, 100, 'each made its own version')
  const fresh = await Promise.all(
    Array.from({ length: 20 }, (_, index) => ada.patch('/api/graphs/1', { name: `m${index}`, version: 101 }))
  )
  t.equal(fresh.filter(({ status }) => status === 200).length, 1, 'of those who expect the same version one succeeds')
  t.equal(fresh.filter(({ status }) => status === 409).length, 19)
  t.same(await contradictions(store), [])
})
