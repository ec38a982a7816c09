import { type AddressInfo, connect } from 'node:net'
import t from 'tap'
import { currentRequester } from '../../graph/jobs/shares.ts'
import { GraphWorker } from '../../graph/jobs/worker.ts'
import { build, problem } from '../support/helper.ts'

// The limits and the cancellation of jobs, as seen by clients.

t.test("a job over a limit returns 413 with the limit's name, and is counted in the metrics", async (t) => {
  const { as } = await build(t, { jobMemory: 256 })
  const ada = as('ada')
  // 7 MB of JSON takes much more memory: an empty object is three bytes in JSON and at least 28 in memory.
  const nodes = Array.from({ length: 35_000 }, (_, index) => ({
    id: `n${index}`,
    metadata: { a: Array.from({ length: 60 }, () => ({})) }
  }))
  t.match(await ada.post('/api/graphs', { name: 'x', content: { nodes, edges: [] } }), problem(413, 'file-too-complex'))
  const small = { name: 'x', content: { nodes: nodes.slice(0, 2000), edges: [] } }
  t.equal((await ada.post('/api/graphs', small)).status, 201)
  const metrics = (await as('root').get('/metrics')).text
  t.ok(metrics.includes('graphstead_jobs_ended_total{reason="memory"} 1'))
})

t.test('a client that disconnects after sending a body loses its place in the queue', async (t) => {
  const { app, tokenOf } = await build(t)
  const asked = Promise.withResolvers<AbortSignal | undefined>()
  t.capture(GraphWorker.prototype, 'readBody', () => {
    const { signal } = currentRequester()
    asked.resolve(signal)
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('left'))))
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const client = connect(port, '127.0.0.1')
  const headers = `Host: x\r\nAuthorization: Bearer ${await tokenOf('ada')}\r\nContent-Type: application/json`
  client.write(`POST /api/graphs HTTP/1.1\r\n${headers}\r\nContent-Length: 2\r\n\r\n{}`)
  const signal = await asked.promise
  t.equal(signal?.aborted, false)
  client.destroy()
  for (let look = 0; look < 500 && !signal?.aborted; look++) await new Promise((resolve) => setTimeout(resolve, 10))
  t.equal(signal?.aborted, true)
})
