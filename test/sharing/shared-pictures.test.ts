import fastify from 'fastify'
import t from 'tap'
import type { GraphWithContent } from '../../db/graphs/graphs.ts'
import type { Store } from '../../db/store.ts'
import { currentRequester } from '../../graph/jobs/shares.ts'
import type { GraphWorker } from '../../graph/jobs/worker.ts'
import type { Layouts } from '../../plugins/http/contents/layouts.ts'
import { Pictures } from '../../plugins/http/contents/pictures.ts'
import { type ErrorCode, ProblemError } from '../../schemas/problem-catalogue.ts'
import { runAs } from '../support/holders.ts'

const graph = { id: 1, version: 1, updatedAt: '', access: 'OWNER', name: 'G', content: null } as GraphWithContent
const look = { width: 960, height: 600, theme: 'light' } as const

/**
 * Requests a picture twice concurrently, and makes the first attempt to draw it fail with this code. Returns the responses, and
 * the number of attempts to draw it.
 */
async function askTwice(code: ErrorCode) {
  let made = 0
  const both = Promise.withResolvers<void>()
  const worker = {
    picture: async () => {
      if (++made > 1) return { bytes: Buffer.from('<svg/>') }
      await both.promise
      throw new ProblemError(code)
    }
  } as unknown as GraphWorker
  const pictures = new Pictures({} as Store, {} as Layouts, worker, async () => Promise.reject(), Buffer.alloc(32))
  const app = fastify()
  let asked = 0
  app.get('/', async (_request, reply) => {
    const answer = pictures.send(reply, 'svg', look, graph, async () => graph)
    if (++asked === 2) both.resolve()
    return answer
  })
  app.setErrorHandler((error: ProblemError, _request, reply) => reply.code(500).send(error.code))
  const answers = await Promise.all([app.inject('/'), app.inject('/')])
  return { bodies: answers.map(({ body }) => body), made }
}

t.test(
  'requests that wait for a shared picture are not subject to the limits of the request that draws it',
  async (t) => {
    for (const code of ['server-busy', 'request-aborted'] as const)
      t.same(await askTwice(code), { bodies: [code, '<svg/>'], made: 2 })
  }
)

t.test("a user does not wait for another user's turn to draw the same picture", async (t) => {
  const waiting = Promise.withResolvers<{ bytes: Buffer }>()
  const worker = {
    picture: () => (currentRequester().holder.name === 'eve' ? waiting.promise : { bytes: Buffer.from('<svg/>') })
  } as unknown as GraphWorker
  const pictures = new Pictures({} as Store, {} as Layouts, worker, async () => Promise.reject(), Buffer.alloc(32))
  const app = fastify()
  app.get('/:user', async (request, reply) =>
    runAs((request.params as { user: string }).user, () => pictures.send(reply, 'svg', look, graph, async () => graph))
  )
  const eve = app.inject('/eve')
  t.equal((await app.inject('/ada')).body, '<svg/>')
  waiting.resolve({ bytes: Buffer.from('late') })
  t.equal((await eve).body, 'late')
})

t.test('a picture that cannot be drawn is tried once for all waiting requests', async (t) => {
  t.same(await askTwice('graph-too-complex'), { bodies: ['graph-too-complex', 'graph-too-complex'], made: 1 })
})
