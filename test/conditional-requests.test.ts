import t from 'tap'
import { build, problem, triangle } from './helper.ts'

t.test('the ETag is the same in every answer, and changes with the graph', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  const posted = await ada.post('/api/graphs', triangle)
  t.match(posted.headers.etag, /^"[^"]+"$/)
  t.equal((await ada.get('/api/graphs/1')).headers.etag, posted.headers.etag)
  t.equal((await ada.head('/api/graphs/1')).headers.etag, posted.headers.etag)
  const patched = await ada.patch('/api/graphs/1', { name: 'x' })
  t.not(patched.headers.etag, posted.headers.etag)
  t.equal((await ada.get('/api/graphs/1')).headers.etag, patched.headers.etag)
  const put = await ada.put('/api/graphs', { ...triangle, id: 1 })
  t.not(put.headers.etag, patched.headers.etag)
})

t.test('If-None-Match saves sending a graph that the client has', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  const etag = (await ada.post('/api/graphs', triangle)).headers.etag ?? ''
  for (const header of [etag, `W/${etag}`, '*', ' * ', `"other", ${etag}`, `"a,b",${etag},"c"`]) {
    const reply = await ada.get('/api/graphs/1', { 'if-none-match': header })
    t.match(reply, { status: 304, text: '', headers: { etag } }, header)
    t.match(await ada.head('/api/graphs/1', { 'if-none-match': header }), { status: 304 }, `HEAD ${header}`)
  }
  for (const header of ['"other"', etag.slice(1, -1), '', '"', `"x${etag.slice(1)}`]) {
    t.match(await ada.get('/api/graphs/1', { 'if-none-match': header }), { status: 200, body: { id: 1 } }, header)
  }
  t.match(await ada.get('/api/graphs/2', { 'if-none-match': '*' }), problem(404, 'graph-not-found'))
  t.match(
    await as('bob').get('/api/graphs/1', { 'if-none-match': etag }),
    problem(404, 'graph-not-found'),
    'nor is a guess answered'
  )
})

t.test('If-Match guards PUT, PATCH and DELETE', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  const etag = (await ada.post('/api/graphs', triangle)).headers.etag ?? ''
  for (const header of ['"other"', `W/${etag}`, etag.slice(1, -1), '"a", "b"', '']) {
    const headers = { 'if-match': header }
    t.match(
      await ada.put('/api/graphs', { id: 1, name: 'x' }, headers),
      problem(412, 'precondition-failed'),
      `PUT ${header}`
    )
    t.match(
      await ada.patch('/api/graphs/1', { name: 'x' }, headers),
      problem(412, 'precondition-failed'),
      `PATCH ${header}`
    )
    t.match(await ada.delete('/api/graphs/1', headers), problem(412, 'precondition-failed'), `DELETE ${header}`)
  }
  t.match(await ada.get('/api/graphs/1'), { status: 200, headers: { etag }, body: { version: 1 } }, 'nothing changed')

  const put = await ada.put('/api/graphs', { id: 1, name: 'x' }, { 'if-match': `"other", ${etag}` })
  t.match(put, { status: 200, body: { version: 2 } })
  t.match(
    await ada.patch('/api/graphs/1', { name: 'y' }, { 'if-match': etag }),
    problem(412, 'precondition-failed'),
    'the old one'
  )
  t.match(await ada.patch('/api/graphs/1', { name: 'y' }, { 'if-match': '*' }), { status: 200 })
  const now = (await ada.get('/api/graphs/1')).headers.etag ?? ''
  t.match(await ada.delete('/api/graphs/1', { 'if-match': now }), { status: 200 })
})

t.test('If-Match is checked after other refusals, and before the version', async (t) => {
  const { as } = await build(t)
  await as('ada').post('/api/graphs', { ...triangle, shared: true })
  const headers = { 'if-match': '"other"' }
  t.match(await as('bob').put('/api/graphs', { id: 1, name: 'x' }, headers), problem(403, 'forbidden'))
  t.match(await as('bob').delete('/api/graphs/1', headers), problem(403, 'forbidden'))
  t.match(await as('ada').put('/api/graphs', { id: 2, name: 'x' }, headers), problem(404, 'graph-not-found'))
  t.match(
    await as('ada').put('/api/graphs', { id: 1, name: 'x', version: 9 }, headers),
    problem(412, 'precondition-failed')
  )
  t.match(
    await as('ada').delete('/api/graphs/2', headers),
    problem(412, 'precondition-failed'),
    'nothing is in no state'
  )
  t.match(await as('ada').delete('/api/graphs/2', { 'if-match': '*' }), problem(412, 'precondition-failed'))
})
