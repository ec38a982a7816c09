import { createServer } from 'node:http'
import t, { type Test } from 'tap'
import { only } from '../support/engine.ts'
import { listenOn } from '../support/listening.ts'
import { run } from '../support/program.ts'

const once = only('SQLite', 'it tests a remote server')

/** Starts a server that answers every request and serves a checkpoint that claims this many entries. */
async function claiming(t: Test, size: number) {
  const root = Buffer.alloc(32).toString('base64')
  const note = `graphstead.example/log\n${size}\n${root}\n\n\u2014 graphstead.example/log ${Buffer.alloc(68).toString('base64')}\n`
  return listenOn(
    t,
    createServer((request, response) => {
      const path = request.url ?? ''
      const entries = Buffer.concat(Array.from({ length: 256 }, () => Buffer.from([0, 1, 0x61])))
      if (path.endsWith('/checkpoint')) response.end(note)
      else if (path.endsWith('/key')) response.writeHead(404).end()
      else if (path.includes('/tile/entries/')) response.end(entries)
      else if (path.includes('/tile/')) response.end(Buffer.alloc(256 * 32))
      else response.setHeader('x-total-count', '1').end('[]')
    })
  )
}

t.test('verify does not trust the size that a server claims', once, async (t) => {
  const start = performance.now()
  const env = { GRAPHSTEAD_TOKEN: 'gst_000000000000000000000000000000abcdef' }
  const huge = await run(['audit', 'verify', await claiming(t, Number.MAX_SAFE_INTEGER)], env)
  t.match(huge, { code: 2, stderr: /reports a log of 9007199254740991 entries, more than 17179869184 bytes/ })
  const large = await run(['audit', 'verify', await claiming(t, 400_000_000), '--within', '2s'], env)
  t.match(large, { code: 2, stderr: /400000000 entries, more than can be read within 2 s: increase --within/ })
  t.ok(performance.now() - start < 30_000)
})
