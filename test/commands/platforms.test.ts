import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { isPassing, replaceFile, syncFolder, syncFolderNow } from '../../db/engine/disk.ts'
import { readSecret } from '../../src/settings/config.ts'
import { secretText } from '../../src/settings/secret-text.ts'
import { endingSignals, isPrivate, makePrivate, nameFault } from '../../src/system/platform.ts'
import { only } from '../support/engine.ts'

const sqlite = only('SQLite', 'it tests files')
const platforms = ['linux', 'darwin', 'win32'] as const

t.test('file modes decide who can read a file, except on Windows', sqlite, async (t) => {
  const answers = (mode: number) => platforms.map((platform) => isPrivate(mode, platform))
  t.same(answers(0o100600), [true, true, true])
  t.same(answers(0o100400), [true, true, true])
  for (const mode of [0o100640, 0o100604, 0o100666, 0o100610]) t.same(answers(mode), [false, false, true], `${mode}`)
})

t.test('on Windows icacls restricts a new folder to SIDs, and a failure is reported', sqlite, async (t) => {
  const calls: [string, string[]][] = []
  const run = (outcome: { status: number | null; error?: Error }) => (program: string, args: string[]) => {
    calls.push([program, args])
    return outcome
  }
  for (const platform of ['linux', 'darwin'] as const) t.equal(makePrivate('data', platform, run({ status: 1 })), true)
  t.same(calls, [], 'file modes suffice on other systems')
  t.equal(makePrivate('D:\\my data', 'win32', run({ status: 0 }), { SystemRoot: 'D:\\Windows' }), true)
  t.same(calls, [
    [
      'D:\\Windows\\System32\\icacls.exe',
      [
        'D:\\my data',
        '/inheritance:r',
        '/grant:r',
        '*S-1-3-4:(OI)(CI)F',
        '*S-1-5-18:(OI)(CI)F',
        '*S-1-5-32-544:(OI)(CI)F'
      ]
    ]
  ])
  t.equal(makePrivate('data', 'win32', run({ status: 5 }), {}), false)
  t.equal(makePrivate('data', 'win32', run({ status: null, error: new Error('ENOENT') }), {}), false)
  t.equal(calls.at(-1)?.[0], 'C:\\Windows\\System32\\icacls.exe')
})

t.test(
  'closing the terminal stops the server; without a terminal SIGHUP reloads the certificate, except on Windows',
  sqlite,
  async (t) => {
    for (const platform of ['linux', 'darwin'] as const) {
      t.same(endingSignals(false, platform), ['SIGTERM', 'SIGINT'])
      t.same(endingSignals(true, platform), ['SIGTERM', 'SIGINT', 'SIGHUP'])
    }
    for (const hasTerminal of [true, false])
      t.same(endingSignals(hasTerminal, 'win32'), ['SIGTERM', 'SIGINT', 'SIGBREAK', 'SIGHUP'])
  }
)

t.test('names with a special meaning on Windows are refused there', sqlite, async (t) => {
  const refused = {
    'CON.json': /is a reserved device name/,
    nul: /is a reserved device name/,
    'C:\\exports\\Com1.csv': /is a reserved device name/,
    'graph.json:hidden': /cannot contain/,
    'a|b.json': /cannot contain/,
    'graph.': /cannot end with/,
    'graph.json ': /cannot end with/
  }
  for (const [name, reason] of Object.entries(refused)) {
    t.match(nameFault(name, 'win32'), reason, name)
    for (const platform of ['linux', 'darwin'] as const) t.equal(nameFault(name, platform), undefined, name)
  }
  for (const name of [
    'C:\\exports\\graph.json',
    'C:/con/graph.json',
    'console.json',
    'com10.csv',
    '.graph',
    'Ä b.json'
  ])
    t.equal(nameFault(name, 'win32'), undefined, name)
})

t.test('a rename that Windows refuses temporarily is retried', sqlite, async (t) => {
  const refusal = (code: string) => Object.assign(new Error(code), { code })
  for (const code of ['EPERM', 'EACCES', 'EBUSY'])
    t.same(
      platforms.map((platform) => isPassing(refusal(code), platform)),
      [false, false, true]
    )
  t.equal(isPassing(refusal('ENOENT'), 'win32'), false)

  const attempts = async (platform: NodeJS.Platform, code: string, failures: number) => {
    let count = 0
    const move = async () => {
      if (count++ < failures) throw refusal(code)
    }
    const outcome = await replaceFile('a', 'b', { platform, move }).catch((error: Error) => error.message)
    return [count, outcome]
  }
  t.same(await attempts('win32', 'EBUSY', 3), [4, undefined])
  t.same(await attempts('win32', 'EPERM', 100), [20, 'EPERM'], 'a rename is retried a limited number of times')
  t.same(await attempts('win32', 'ENOSPC', 3), [1, 'ENOSPC'])
  t.same(await attempts('linux', 'EBUSY', 3), [1, 'EBUSY'])

  const folder = t.testdir({ new: 'new', old: 'old' })
  await replaceFile(join(folder, 'new'), join(folder, 'old'))
  t.equal(readFileSync(join(folder, 'old'), 'utf8'), 'new')
})

t.test('folders are synced on systems that support it', sqlite, async (t) => {
  const missing = join(t.testdir({}), 'missing')
  await t.rejects(syncFolder(missing, 'linux'), { code: 'ENOENT' })
  t.throws(() => syncFolderNow(missing, 'darwin'), { code: 'ENOENT' })
  await syncFolder(missing, 'win32')
  syncFolderNow(missing, 'win32')
})

t.test('secrets are read as written by the editors and shells of all systems', sqlite, async (t) => {
  const written = {
    unix: Buffer.from('pass wörd\n'),
    notepad: Buffer.from('pass wörd\r\n'),
    withMark: Buffer.from('\ufeffpass wörd\r\n'),
    powershell: Buffer.from('\ufeffpass wörd\r\n', 'utf16le'),
    bare: Buffer.from('pass wörd')
  }
  const folder = t.testdir({})
  for (const [name, bytes] of Object.entries(written)) {
    t.equal(secretText(bytes), 'pass wörd', name)
    writeFileSync(join(folder, name), bytes)
    t.equal(readSecret('PASSWORD', { PASSWORD_FILE: join(folder, name) }), 'pass wörd', name)
  }
  t.equal(secretText(Buffer.from(' a\n\n')), ' a\n', 'only the last line break is removed')
})
