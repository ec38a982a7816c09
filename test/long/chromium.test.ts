import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { only } from '../support/engine.ts'

const sqlite = only('SQLite', 'it uses no database')

const script = `
  import { unpackChromium } from ${JSON.stringify(join(import.meta.dirname, '../../bench/chromium.ts'))}
  console.log(await unpackChromium(process.argv[1]))`

/** Starts a process that unpacks Chromium into a folder, as a test file does. */
function unpack(folder: string) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script, folder], {
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const output = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  return { child, path: output.then(([[code], stdout, stderr]) => (code === 0 ? stdout.trim() : `${code}: ${stderr}`)) }
}

function versionOf(executable: string) {
  return execFileSync(executable, ['--no-sandbox', '--version'], { encoding: 'utf8' })
}

function leftovers(folder: string) {
  return readdirSync(folder).filter((name) => name.startsWith('unpacking-'))
}

t.test('several processes that need the browser at once repair an interrupted unpacking', sqlite, async (t) => {
  const folder = t.testdir({})
  const interrupted = unpack(folder)
  // Interrupts the unpacking after 20 of about 280 MB.
  const isInTheMiddle = () =>
    existsSync(folder) &&
    leftovers(folder).some(
      (name) => (statSync(join(folder, name, 'chromium'), { throwIfNoEntry: false })?.size ?? 0) > 20e6
    )
  for (let look = 0; look < 600 && !isInTheMiddle(); look++) await sleep(20)
  t.ok(isInTheMiddle())
  interrupted.child.kill('SIGKILL')
  await interrupted.path
  t.equal(leftovers(folder).length, 1, 'the interrupted unpacking has left one partial file')

  const paths = await Promise.all([1, 2, 3].map(() => unpack(folder).path))
  const [executable = ''] = paths
  t.same(paths, [executable, executable, executable])
  t.match(versionOf(executable), /^\S*Chrom/)
  t.same(leftovers(folder), [])
  const { ino, mtimeMs } = statSync(executable)
  t.equal(await unpack(folder).path, executable)
  t.match(statSync(executable), { ino, mtimeMs }, 'Chromium is unpacked only once')

  t.test('a broken installation is replaced', async (t) => {
    truncateSync(executable, 1000)
    t.equal(await unpack(folder).path, executable)
    t.match(versionOf(executable), /^\S*Chrom/)
    t.same(leftovers(folder), [])
  })
})
