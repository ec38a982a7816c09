import t from 'tap'
import { build, triangle } from '../support/helper.ts'

// Lists of graphs at batch and page boundaries.

t.test('lists are complete at batch boundaries, in any order', async (t) => {
  const { as } = await build(t)
  const idsAt = async (url: string) => (await as('ada').get(url)).body.map(({ id }: { id: number }) => id)
  await as('ada').get('/api/account')
  t.strictSame(await idsAt('/api/mygraphs'), [])
  const ids: number[] = []
  for (let id = 1; id <= 161; id++) {
    const owner = id % 2 === 0 ? 'ada' : 'bob'
    const name = String(1000 - id)
    t.equal((await as(owner).post('/api/graphs', { name, shared: owner === 'bob' })).status, 201)
    ids.push(id)
    if (![31, 32, 33, 160, 161].includes(id)) continue
    t.strictSame(await idsAt('/api/mygraphs'), ids, `all of ${id}`)
    t.strictSame(await idsAt('/api/graphs?size=160'), ids.slice(0, 160))
    t.strictSame(await idsAt('/api/graphs?size=160&page=1'), ids.slice(160))
    t.strictSame(await idsAt('/api/graphs?size=160&sort=name'), ids.toReversed().slice(0, 160))
    t.strictSame(await idsAt('/api/graphs?size=33&sort=name&cursor='), ids.toReversed().slice(0, 33))
  }
  const { headers } = await as('ada').get('/api/graphs?size=160')
  t.match(headers, { 'x-total-count': '161', 'content-type': 'application/json; charset=utf-8' })
  const next = await as('ada').get(`/api/graphs?size=160&cursor=${headers['x-next-cursor']}`)
  t.strictSame(
    next.body.map(({ id }: { id: number }) => id),
    [161]
  )
  t.equal((await as('bob').post('/api/graphs', { name: 'own' })).status, 201)
  t.strictSame(await idsAt('/api/mygraphs'), ids, 'the list has no other graphs')
})

t.test('a full last page has all of its rows and no next page', async (t) => {
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
