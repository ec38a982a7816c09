import fs, { copyFileSync, renameSync, unlinkSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import t from 'tap'
import { placeFaults } from '../../db/upkeep/file-location.ts'
import { only } from '../support/engine.ts'
import { processesOf, run, serve, serveProgram } from '../support/program.ts'

// `check` reports a database that an operator moves while a server has it open.

const sqlite = only('SQLite', 'it tests the file')

t.test('check reports files that were removed or replaced while a server has them open', sqlite, async (t) => {
  const data = join(t.testdir({}), 'data')
  const server = await serveProgram(t, data, ['--log-level', 'error'])
  const file = join(data, 'graphstead.db')
  const check = () => run(['check', '--data', data])
  t.match(await check(), { code: 0, stderr: '' })
  copyFileSync(file, `${file}.copy`)
  renameSync(`${file}.copy`, file)
  unlinkSync(`${file}-wal`)
  const { code, stdout, stderr } = await check()
  t.strictSame([code, stdout], [1, ''])
  const restart = `and process ${processesOf(server).at(-1)} still uses the old one: restart it`
  t.ok(stderr.includes(`  the database file was replaced, ${restart}\n`), stderr)
  t.match(stderr, new RegExp(`  the write-ahead log was (removed|replaced), ${restart}\n`))
  await server.stop('SIGKILL')
  t.notMatch(await check(), { stderr: /still uses the old one/ })
})

t.test('check reports a read-only database, but not a read-only backup', sqlite, async (t) => {
  const data = join(t.testdir({}), 'data')
  const server = await serve(t, data, ['--log-level', 'error'])
  await server.stop()
  const file = join(data, 'graphstead.db')
  t.strictSame(placeFaults(file), [])
  const onReadOnlyDisk = t.capture(fs, 'accessSync', () => {
    throw Object.assign(new Error('read-only'), { code: 'EROFS' })
  })
  syncBuiltinESMExports()
  const faults = placeFaults(file)
  onReadOnlyDisk.restore()
  syncBuiltinESMExports()
  t.strictSame(faults, [
    `this user cannot write to the folder ${data}: the disk is read-only`,
    `this user cannot write to the database file ${file}: the disk is read-only`
  ])
})
