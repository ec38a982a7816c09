import { Worker } from 'node:worker_threads'
import t, { type Test } from 'tap'
import { JobThread } from '../../graph/jobs/thread.ts'

// A failing thread harms neither the process nor other jobs.

t.setTimeout(180_000)
/** A thread that runs the text as code. */
function threadOf(t: Test) {
  const code = `const { parentPort } = require('node:worker_threads'); parentPort.on('message', (text) => eval(text))`
  const free: (() => void)[] = []
  const thread = new JobThread<unknown>(
    () => new Worker(code, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 4096 } }),
    () => free.shift()?.()
  )
  t.teardown(() => thread.end('unwanted'))
  return (job: string, { milliseconds = 60_000, mebibytes = 512 } = {}): Promise<unknown> => {
    const isFree = new Promise<void>((resolve) => free.push(resolve))
    const outcome = new Promise((resolve) =>
      thread.run(
        job,
        [],
        { milliseconds, mebibytes },
        {
          onMessage(message) {
            resolve(message)
            thread.done()
          },
          onEnded: (reason) => resolve({ reason })
        }
      )
    )
    return Promise.all([outcome, isFree]).then(([value]) => value)
  }
}

t.test('any job can be ended, and the next one runs', async (t) => {
  const run = threadOf(t)
  const jobs: [job: string, reason: string, settings?: object][] = [
    ['for (;;);', 'time', { milliseconds: 500 }],
    ['setInterval(() => {}, 1000)', 'time', { milliseconds: 500 }],
    // V8 ends the process for a growing table.
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
      }),
    () => {}
  )
  const reason = await new Promise((resolve) => {
    const listener = {
      onMessage() {
        throw new Error('not this')
      },
      onEnded: resolve
    }
    thread.run(1, [], { milliseconds: 30_000, mebibytes: 512 }, listener)
  })
  t.equal(reason, 'failure')
  const unclonable = await new Promise((resolve) => {
    thread.run(() => {}, [], { milliseconds: 30_000, mebibytes: 512 }, { onMessage() {}, onEnded: resolve })
  })
  t.equal(unclonable, 'failure')
  await thread.end('unwanted')
})

t.test('a thread that has not started needs no end', async (t) => {
  let free = 0
  const thread = new JobThread<unknown>(
    () => new Worker('', { eval: true }),
    () => free++
  )
  await thread.end('unwanted')
  t.equal(free, 0, 'nobody is told that it is free, who would wait and end it again')
})
