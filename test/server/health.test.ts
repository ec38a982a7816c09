import t from 'tap'
import { build, problem } from '../support/helper.ts'

t.test('healthz and readyz respond without a token', async (t) => {
  const { as } = await build(t)
  t.match(await as().get('/healthz'), { status: 200, body: { status: 'ok' } })
  t.match(await as().get('/readyz'), { status: 200, body: { status: 'ok' } })
})

t.test('readyz returns 503 while the server is stopping, and healthz does not', async (t) => {
  const { as, readiness } = await build(t)
  readiness.draining = true
  t.match(await as().get('/readyz'), { ...problem(503, 'not-ready'), headers: { 'retry-after': /^\d+$/ } })
  t.match(await as().get('/healthz'), { status: 200 })
})

t.test('readyz returns 503 if the store does not respond', async (t) => {
  const { as, store } = await build(t)
  await store.close()
  t.match(await as().get('/readyz'), problem(503, 'not-ready'))
  t.match(await as().get('/healthz'), { status: 200 })
})
