import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { JobThread } from '../../graph/jobs/thread.ts'
import { GraphWorker } from '../../graph/jobs/worker.ts'
import { fileOptionsOf } from '../../plugins/http/negotiation.ts'
import { startThread } from '../../src/system/assets.ts'

// Threads that run many jobs.

t.setTimeout(180_000)

t.test('a thread that compresses and decompresses can be terminated at any time', async (t) => {
  const code = `
    const { parentPort, workerData } = require('node:worker_threads')
    const { zstdCompressSync, zstdDecompressSync } = require('node:zlib')
    const { endableBy, uninterruptible } = require(workerData.module)
    endableBy(workerData.gate)
    parentPort.on('message', () => {
      parentPort.postMessage('begun')
      for (let packed = uninterruptible(() => zstdCompressSync('x')); ; ) uninterruptible(() => zstdDecompressSync(packed))
    })`
  const module = join(import.meta.dirname, '../../graph/content/uninterruptible.ts')
  const thread = new JobThread<unknown>((gate) => new Worker(code, { eval: true, workerData: { module, gate } }))
  // The process would crash after about twenty of these without the gate.
  for (let count = 0; count < 100; count++) {
    const onMessage = () => {
      setTimeout(() => thread.end('unwanted'), count % 10)
      return false
    }
    const reasons: string[] = []
    const onEnded = (reason: string) => reasons.push(reason)
    await thread.run(1, [], { milliseconds: 60_000, mebibytes: 512 }, { onMessage, onEnded })
    t.same(reasons, ['unwanted'])
  }
})

t.test('memory left by an earlier job does not count towards the limit of the next one', async (t) => {
  const limits = { maxNodes: 10, maxEdges: 500_000, bodyLimit: 32 * 1024 * 1024 }
  const worker = new GraphWorker(limits, { startThread })
  t.teardown(() => worker.close())
  const columns = Array.from({ length: 1000 }, (_, index) => `c${index}`)
  const text = `source,target,${columns.join(',')}\n${'a,b\n'.repeat(500_000)}`
  for (let index = 0; index < 8; index++) {
    const { report } = await worker.readFile(Buffer.from(text), fileOptionsOf('text/csv', undefined))
    t.match(report, { nodeCount: 2, edgeCount: 500_000, faultCount: 0 }, `file ${index}`)
  }
})
