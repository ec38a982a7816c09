import t from 'tap'
import { build, PASSWORD, problem, triangle } from '../support/helper.ts'
import { call, login, serve } from '../support/program.ts'

/** Returns the value of a metric in the text, by name and labels. */
function metric(text: string, name: string) {
  const line = text.split('\n').find((line) => line.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}

t.test('GET /metrics is for administrators and uses the Prometheus text format', async (t) => {
  const { as } = await build(t)
  t.match(await as().get('/metrics'), problem(401, 'token-missing'))
  t.match(await as('ada').get('/metrics'), problem(403, 'forbidden'))
  t.match(await as('audrey').get('/metrics'), problem(403, 'forbidden'))
  t.match(await as('root').get('/metrics?x=1'), problem(400, 'validation-failed'))
  const { status, headers, text } = await as('root').get('/metrics')
  t.equal(status, 200)
  t.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
  for (const line of text.split('\n').filter(Boolean)) {
    t.match(line, /^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? ([-+]?[\d.e+-]+|Nan|\+Inf))$/)
  }
})

t.test('requests are measured by route pattern, never by URL', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  await ada.post('/api/graphs', triangle)
  for (const id of [1, 1, 2]) await ada.get(`/api/graphs/${id}`)
  await ada.head('/api/graphs/1')
  await ada.get('/nowhere/secret-name')
  const { text } = await as('root').get('/metrics')
  const count = (labels: string) => metric(text, `http_request_duration_seconds_count{${labels}}`)
  t.equal(count('method="GET",route="/api/graphs/:id",status="200"'), 2)
  t.equal(count('method="GET",route="/api/graphs/:id",status="404"'), 1)
  t.equal(count('method="HEAD",route="/api/graphs/:id",status="200"'), 1)
  t.equal(count('method="POST",route="/api/graphs",status="201"'), 1)
  t.equal(count('method="any",route="none",status="404"'), 1)
  t.notMatch(text, /secret-name|graphs\/1/)
  const buckets = [...text.matchAll(/_bucket\{le="([^"]+)",method="POST",route="\/api\/graphs",status="201"\} (\d+)/g)]
  t.equal(buckets.at(-1)?.[1], '+Inf')
  t.equal(buckets.at(-1)?.[2], '1')
})

t.test('commits, rows, the size of the store and refused sign-ins are measured', async (t) => {
  const { as } = await build(t)
  const before = (await as('root').get('/metrics')).text
  await Promise.all(Array.from({ length: 20 }, () => as('ada').post('/api/graphs', triangle)))
  await as('ada').delete('/api/graphs/20')
  await as().post('/api/authenticate', { username: 'ada', password: 'not the right one' })
  for (let attempt = 0; attempt < 11; attempt++) {
    await as().post('/api/authenticate', { username: 'nobody', password: 'not the right one' })
  }
  const { text } = await as('root').get('/metrics')
  const grown = (name: string) => (metric(text, name) ?? 0) - (metric(before, name) ?? 0)
  t.equal(metric(text, 'graphstead_rows{table="graph"}'), 19)
  t.equal(metric(text, 'graphstead_rows{table="trash"}'), 1)
  t.equal(metric(text, 'graphstead_rows{table="user"}'), 2)
  t.ok((metric(text, 'graphstead_rows{table="auditEvent"}') ?? 0) > 20)
  t.ok(grown('graphstead_commit_units_sum') > 20, 'every transaction belongs to a commit')
  t.ok(grown('graphstead_commit_duration_seconds_count') > 0)
  t.ok((metric(text, 'graphstead_store_bytes{part="database"}') ?? 0) > 0)
  t.equal(metric(text, 'graphstead_writes_waiting'), 0)
  t.equal(metric(text, 'graphstead_connections'), 0)
  t.equal(metric(text, 'graphstead_connections_cut_total{reason="full"}'), 0)
  t.equal(metric(text, 'graphstead_logins_refused_total{reason="credentials"}'), 11)
  t.equal(metric(text, 'graphstead_logins_refused_total{reason="throttled"}'), 1)
})

t.test(
  'metrics include the number of events in the audit log, and the age of the oldest event not yet in it',
  async (t) => {
    const { app, as } = await build(t)
    const measure = async () => {
      const { text } = await as('root').get('/metrics')
      const [size, lag] = ['size', 'lag_seconds'].map((name) => metric(text, `graphstead_audit_log_${name}`))
      return { size, lag, events: metric(text, 'graphstead_rows{table="auditEvent"}') }
    }
    await as('ada').post('/api/graphs', triangle)
    await app.auditLog.takeInAll()
    const all = await measure()
    t.match(all, { size: all.events, lag: 0 })
    await as('ada').delete('/api/graphs/1')
    const [newest] = (await as('root').get('/management/audits?size=1')).body
    const since = (now: number) => (now - Date.parse(newest.timestamp)) / 1000
    const [least, { size, lag = 0 }, most] = [Date.now(), await measure(), Date.now()]
    t.equal(size, all.events)
    t.ok(lag >= since(least) && lag <= since(most), `${lag} s`)
  }
)

t.test('metrics omit values that the store cannot provide', async (t) => {
  const { as, store } = await build(t)
  await as('root').get('/metrics')
  t.intercept(store, 'sizes', { value: () => Promise.reject(new Error('no')) })
  const { status, text } = await as('root').get('/metrics')
  t.equal(status, 200)
  t.notMatch(text, /^graphstead_store_bytes\{/m)
  t.match(text, /^graphstead_rows\{/m)
})

t.test('--metrics-port serves metrics, and nothing else, on a separate port without a token', async (t) => {
  const data = t.testdir({})
  const server = await serve(t, data, ['--metrics-port', '0'])
  const address = /"address":\{"address":"127\.0\.0\.1","family":"IPv4","port":(\d+)\}/.exec(server.stdout())?.[1]
  const metrics = `http://127.0.0.1:${address}`
  const answer = await fetch(`${metrics}/metrics`)
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  const text = await answer.text()
  t.match(text, /^nodejs_eventloop_lag_p99_seconds /m)
  t.match(text, /^process_resident_memory_bytes \d+$/m)
  t.match(text, /^graphstead_info\{version="[\d.]+"\} 1$/m)
  t.equal((await fetch(`${metrics}/metrics`, { method: 'HEAD' })).status, 200)
  t.equal((await fetch(`${metrics}/metrics`, { method: 'POST', body: 'x' })).status, 405)
  t.equal((await fetch(`${metrics}/api/graphs`)).status, 404)

  const token = await login(server.url, 'admin', PASSWORD)
  t.equal((await call(`${server.url}/metrics`)).status, 401, 'the main port still requires a token')
  const own = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  t.equal(own.status, 200)
  t.equal(await server.stop(), 0)
})
