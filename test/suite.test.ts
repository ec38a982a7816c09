import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ON_BOTH } from './support/on-both.ts'

t.test('npm test runs every PostgreSQL-only test on PostgreSQL', async (t) => {
  const root = join(import.meta.dirname, '..')
  // Browser tests and long tests have their own commands.
  const files = globSync('test/*/*.test.ts', { cwd: root, exclude: ['test/browser', 'test/long', 'test/mutation'] })
  const ofPostgres = files.filter((file) => /\bonly\(\s*'PostgreSQL'/.test(readFileSync(join(root, file), 'utf8')))
  t.ok(ofPostgres.length > 5)
  t.same(
    ofPostgres.filter((file) => !ON_BOTH.includes(file)),
    []
  )
  t.same(
    ON_BOTH.filter((file) => !files.includes(file)),
    []
  )
})

t.test('the folder of a test is removed after all teardowns of the test', async (t) => {
  const seen: [name: string, isThere: boolean][] = []
  let folder = ''
  for (const isFirst of [true, false])
    await t.test(`a folder ${isFirst ? 'before' : 'after'} the first teardown`, async (t) => {
      if (isFirst) folder = t.testdir({})
      t.teardown(() => seen.push([t.name, existsSync(folder)]))
      if (!isFirst) folder = t.testdir({})
      t.pass('the test has a folder')
    })
  t.same(seen, [
    ['a folder before the first teardown', true],
    ['a folder after the first teardown', true]
  ])
  t.equal(existsSync(folder), false)
})
