import { existsSync } from 'node:fs'
import t from 'tap'

t.test('the folder of a test is removed after all that the test ends by itself', async (t) => {
  const seen: [name: string, isThere: boolean][] = []
  let folder = ''
  for (const isFirst of [true, false])
    await t.test(`a folder ${isFirst ? 'before' : 'after'} the first teardown`, async (t) => {
      if (isFirst) folder = t.testdir({})
      t.teardown(() => seen.push([t.name, existsSync(folder)]))
      if (!isFirst) folder = t.testdir({})
      t.pass('it has a folder')
    })
  t.same(seen, [
    ['a folder before the first teardown', true],
    ['a folder after the first teardown', true]
  ])
  t.equal(existsSync(folder), false)
})
