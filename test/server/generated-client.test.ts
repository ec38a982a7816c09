import createClient from 'openapi-fetch'
import t from 'tap'
import type { paths } from '../../clients/typescript/src/generated.ts'
import { build, PASSWORD } from '../support/helper.ts'

t.test('a client generated from the document creates, lists, updates and deletes', async (t) => {
  const { app, tokenOf } = await build(t)
  await tokenOf('ada')
  const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })
  const client = createClient<paths>({ baseUrl })
  const login = await client.POST('/api/authenticate', {
    body: { username: 'ada', password: PASSWORD, rememberMe: false }
  })
  client.use({
    onRequest: ({ request }) => {
      request.headers.set('authorization', `Bearer ${login.data?.id_token}`)
      return request
    }
  })

  const content = { directed: true, nodes: [{ id: 'a' }, { id: 'b' }], edges: [{ source: 'a', target: 'b' }] }
  const created = await client.POST('/api/graphs', { body: { name: 'Generated', shared: false, content } })
  t.equal(created.response.status, 201)
  const graph = created.data
  if (!graph) return t.fail('nothing was created')
  t.equal(graph.nodeCount, 2)

  const list = await client.GET('/api/graphs', { params: { query: { size: 5, sort: ['name,desc'], type: undefined } } })
  t.same(
    list.data?.map(({ name, id }) => ({ name, id })),
    [{ name: 'Generated', id: graph.id }]
  )

  const updated = await client.PUT('/api/graphs', { body: { ...graph, name: 'Updated', shared: true } })
  t.match(updated.data, { version: 2, name: 'Updated', shared: true, content })
  const patched = await client.PATCH('/api/graphs/{id}', {
    params: { path: { id: graph.id }, header: { 'if-match': updated.response.headers.get('etag') ?? '' } },
    body: { description: 'patched' }
  })
  t.match(patched.data, { version: 3, description: 'patched' })

  const fetched = await client.GET('/api/graphs/{id}', { params: { path: { id: graph.id } } })
  t.same(fetched.data, patched.data)
  const late = await client.PUT('/api/graphs', { body: { ...graph, name: 'Late' } })
  t.match(late, { data: undefined, error: { status: 409, code: 'version-conflict' } })

  const gone = await client.DELETE('/api/graphs/{id}', { params: { path: { id: graph.id } } })
  t.equal(gone.response.status, 200)
  const missing = await client.GET('/api/graphs/{id}', { params: { path: { id: graph.id } } })
  t.match(missing.error, { code: 'graph-not-found' })
})
