import t from 'tap'
import { UserLimit } from '../../graph/jobs/per-user-limit.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'

/** Work that ends when it is told to. */
function heldWork() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return { begun: false, promise, resolve, reject }
}

t.test('of each user so much work runs at once, in order, and further work waits or is refused', async (t) => {
  const turns = new UserLimit(2, 2)
  const all = Array.from({ length: 4 }, heldWork)
  const answers = all.map((work) =>
    turns.run('ada', () => {
      work.begun = true
      return work.promise
    })
  )
  const begun = () => all.map((work) => work.begun)
  t.same(begun(), [true, true, false, false])
  const tooMany = turns.run('ada', async () => '')
  await t.rejects(tooMany, new ProblemError('server-busy'))
  t.equal(await turns.run('bob', async () => 'his'), 'his', 'others have places of their own')

  all[1]?.reject(new Error('broken'))
  await t.rejects(answers[1] as Promise<string>, new Error('broken'))
  t.same(begun(), [true, true, true, false], 'failed work leaves its place')
  for (const [index, work] of all.entries()) work.resolve(`${index}`)
  t.same(await Promise.all([answers[0], answers[2], answers[3]]), ['0', '2', '3'])
  t.equal(await turns.run('ada', async () => 'again'), 'again')
})
