import t from 'tap'
import { UserActor } from '../../db/actors.ts'
import { listOwnAndShared } from '../../db/lists/graphs.ts'
import { build, triangle } from '../support/helper.ts'

// Lists of graphs at the bounds of their batches and pages.

/** Lists the graphs of ada in batches. Returns the ids of each batch. */
async function batchesOf({ store }: Awaited<ReturnType<typeof build>>, limit: number) {
  const batches: number[][] = []
  for await (const rows of listOwnAndShared(store, new UserActor('ada', 'USER', 1), limit)) {
    batches.push(rows.map(({ id }) => id))
  }
  return batches
}

t.test('all own and shared graphs come by id in batches, until one is not full', async (t) => {
  const server = await build(t)
  const { as } = server
  t.strictSame(await batchesOf(server, 2), [[]])
  for (let index = 0; index < 4; index++) {
    const owner = index % 2 === 0 ? 'ada' : 'bob'
    t.equal((await as(owner).post('/api/graphs', { ...triangle, shared: owner === 'bob' })).status, 201)
  }
  t.equal((await as('bob').post('/api/graphs', { ...triangle, shared: false })).status, 201)
  t.strictSame(await batchesOf(server, 2), [[1, 2], [3, 4], []])
  t.strictSame(await batchesOf(server, 3), [[1, 2, 3], [4]])
  t.strictSame(await batchesOf(server, 4), [[1, 2, 3, 4], []])
  t.strictSame(await batchesOf(server, 5), [[1, 2, 3, 4]])
})

t.test('a last page that is full has all of its rows, and no next one', async (t) => {
  const { as } = await build(t)
  for (let index = 0; index < 4; index++) await as('ada').post('/api/graphs', triangle)
  const read = async (url: string) => {
    const { body, headers } = await as('ada').get(url)
    return { ids: body.map(({ id }: { id: number }) => id), link: headers.link, next: headers['x-next-cursor'] }
  }
  const first = '</api/graphs?cursor=&size=2>; rel="first"'
  const { ids, link, next } = await read('/api/graphs?cursor=&size=2')
  t.strictSame(ids, [1, 2])
  t.equal(link, `${first}, </api/graphs?cursor=${next}&size=2>; rel="next"`)
  t.strictSame(await read(`/api/graphs?cursor=${next}&size=2`), { ids: [3, 4], link: first, next: undefined })
})
