import t from 'tap'
import { build, triangle } from '../support/helper.ts'

t.test('HEAD of a streamed response has either no Content-Length or the right one', async (t) => {
  const { as } = await build(t)
  for (let count = 0; count < 501; count++) await as('ada').post('/api/graphs', { name: 'a' })
  await as('ada').post('/api/graphs', triangle)
  for (const path of [
    '/management/audits/export',
    '/management/audits/export?format=csv',
    '/api/mygraphs',
    '/api/graphs/502',
    '/api/graphs/502/content?format=gml',
    '/api/graphs/502/picture.svg',
    '/metrics'
  ]) {
    const client = as(path.startsWith('/api') ? 'ada' : 'root')
    const [head, { status, text, headers }] = [await client.head(path), await client.get(path)]
    t.same([head.status, status], [200, 200], path)
    const told = head.headers['content-length']
    if (path.includes('audits') || headers['content-length'] === undefined) t.equal(told, undefined, path)
    else if (path !== '/metrics') t.equal(Number(told), Buffer.byteLength(text), path)
  }
})
