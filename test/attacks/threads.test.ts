import { Worker } from 'node:worker_threads'
import t, { type Test } from 'tap'
import { JobThread } from '../../graph/jobs/thread.ts'

// A failing thread harms neither the process nor other jobs.

t.setTimeout(180_000)
/** Creates a thread that runs each message as code. */
function threadOf(t: Test) {
  const code = `const { parentPort } = require('node:worker_threads'); parentPort.on('message', (text) => eval(text))`
  const thread = new JobThread<unknown>(
    () => new Worker(code, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 4096 } })
  )
  t.teardown(() => thread.end('unwanted'))
  return async (job: string, { milliseconds = 60_000, mebibytes = 512 } = {}): Promise<unknown> => {
    let outcome: unknown
    await thread.run(
      job,
      [],
      { milliseconds, mebibytes },
      {
        onMessage(message) {
          outcome = message
          return true
        },
        onEnded(reason) {
          outcome = { reason }
        }
      }
    )
    return outcome
  }
}

t.test('any job can be terminated, and the next one runs', async (t) => {
  const run = threadOf(t)
  const jobs: [job: string, reason: string, settings?: object][] = [
    ['for (;;);', 'time', { milliseconds: 500 }],
    ['setInterval(() => {}, 1000)', 'time', { milliseconds: 500 }],
    // V8 would abort the process when a growing table runs out of memory.
    ['const map = new Map(); for (let i = 0; ; i++) map.set(i % 16_000_000, {})', 'memory', { mebibytes: 200 }],
    ['const all = []; for (;;) all.push({ n: all.length })', 'memory', { mebibytes: 200 }],
    [
      'const all = []; setInterval(() => all.length < 40 && all.push(Buffer.alloc(10_000_000, 1)), 10)',
      'memory',
      { mebibytes: 200 }
    ],
    ['throw new Error("x")', 'failure'],
    ['Promise.reject(1)', 'failure'],
    ['process.exit(0)', 'failure'],
    ['(function f() { f() })()', 'failure']
  ]
  for (const [job, reason, settings] of jobs) {
    t.same(await run(job, settings), { reason }, job)
    t.equal(await run('parentPort.postMessage(6 * 7)'), 42)
  }
})

t.test('a message that cannot be handled ends the job', async (t) => {
  const thread = new JobThread<unknown>(
    () =>
      new Worker(`require('node:worker_threads').parentPort.on('message', () => { for (;;) postMessage(1) })`, {
        eval: true
      })
  )
  const limits = { milliseconds: 30_000, mebibytes: 512 }
  const reasons: unknown[] = []
  const onEnded = (reason: unknown) => reasons.push(reason)
  const onMessage = () => {
    throw new Error('not this')
  }
  await thread.run(1, [], limits, { onMessage, onEnded })
  await thread.run(() => {}, [], limits, { onMessage: () => true, onEnded })
  t.same(reasons, ['failure', 'failure'])
  await thread.end('unwanted')
})

t.test('a job waits for the previous thread to exit, and can be cancelled while waiting', async (t) => {
  const code = `require('node:worker_threads').parentPort.on('message', (n) => postMessage(n))`
  let started = 0
  const thread = new JobThread<unknown>(() => {
    started++
    return new Worker(code.replace('postMessage', "require('node:worker_threads').parentPort.postMessage"), {
      eval: true
    })
  })
  const limits = { milliseconds: 30_000, mebibytes: 512 }
  const heard: unknown[] = []
  const listener = {
    onMessage: (message: unknown) => heard.push(message) > 0,
    onEnded: (reason: unknown) => heard.push(reason)
  }
  await thread.end('unwanted')
  await thread.run(1, [], limits, listener)
  const ending = thread.end('unwanted')
  const waiting = thread.run(2, [], limits, listener)
  t.equal(thread.isBusy, true)
  await Promise.all([ending, waiting])
  t.same(heard, [1, 2])
  const again = thread.end('unwanted')
  const unwanted = thread.run(3, [], limits, listener)
  await Promise.all([thread.end('unwanted'), unwanted, again])
  t.same([heard, started, thread.isBusy], [[1, 2, 'unwanted'], 2, false], 'the cancelled job starts no thread')
})
