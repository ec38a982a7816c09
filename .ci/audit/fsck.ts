import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Place, pathOf, widthOf } from '../../audit/tiles.ts'
import { flip, withForger } from './forger.ts'
import { fetchFrom } from './log.ts'
import { type Court, installProgram, run, type Verdict } from './tally.ts'

// Has Tessera's fsck verify a log over HTTP and in a folder, at sizes around full tiles, both intact and with one changed byte.

const FSCK = 'github.com/transparency-dev/tessera/cmd/fsck@v1.0.4'
const SIZES = [1, 255, 256, 257, 65_536, 70_000]
const REFUSED = /fsck failed: /

/** A forgery of a file in the log. */
interface Forged {
  name: string
  path: string
  forge: (bytes: Uint8Array) => Buffer
}

/**
 * Returns the one-byte forgeries for a log of this size: in the last entry, in the last hash on each level, and in the size.
 */
function forgeriesOf(size: number): Forged[] {
  const levels = [0, 1, 2].filter((level) => widthOf(level, 0, size) > 0)
  const tiles = levels.map((level) => ({
    name: `a hash of level ${level}`,
    path: lastPath(level, size),
    forge: flipLast
  }))
  return [
    { name: 'an entry', path: lastPath('entries', size), forge: flipLast },
    ...tiles,
    { name: 'the checkpoint', path: 'checkpoint', forge: flipSize }
  ]
}

/** Returns the path of the last tile on a level. */
function lastPath(level: Place['level'], size: number) {
  let index = 0
  while (widthOf(level, index + 1, size) > 0) index++
  return pathOf({ level, index, width: widthOf(level, index, size) })
}

const flipLast = (bytes: Uint8Array) => flip(bytes, -1)

/** Changes the last digit of the size, on the second line. */
function flipSize(bytes: Uint8Array) {
  const text = Buffer.from(bytes)
  return flip(text, text.indexOf('\n', text.indexOf('\n') + 1) - 1)
}

export async function judgeByFsck(court: Court) {
  const { tally, work, openLog } = court
  const fsck = await installProgram(court, FSCK, 'fsck')
  /** Runs fsck. Its exit code is always 0, so success is detected from the line that it prints. */
  async function check(url: string, size: number, key: string, token = ''): Promise<Verdict> {
    // With one worker, fsck hangs if a tile does not match.
    const options = ['--ui=false', '--N=4', `--bearer_token=${token}`, `--storage_url=${url}`, `--public_key=${key}`]
    const { output } = await run(fsck, options, { timeout: 60_000 })
    return { succeeded: output.includes(`Successfully fsck'd log with size ${size} and root `), output }
  }

  const log = await openLog(join(work, 'log'))
  await log.growTo(1)
  const key = join(work, 'key')
  await writeFile(key, await fetchFrom(log, 'log/key'))
  for (const size of SIZES) {
    await log.growTo(size)
    tally.accepted(`${size} over HTTP`, await check(`${log.url}/log/`, size, key, log.token))
    const forgeries = forgeriesOf(size)
    for (const { name, path, forge } of forgeries) {
      const forged = await withForger(
        log,
        (body, asked) => (asked === `log/${path}` ? forge(body) : body),
        ({ url, token }) => check(`${url}/log/`, size, key, token)
      )
      tally.refused(`${size} over HTTP with a changed byte in ${name}`, forged, REFUSED)
    }
    // Exporting may record an event.
    const folder = join(work, `tiles-${size}`)
    tally.accepted(`the export of ${size}`, await log.exportTo(folder))
    const isSameKey = (await readFile(key)).equals(await readFile(join(folder, 'key')))
    tally.count(`the export of ${size} has the key of the log`, isSameKey)
    tally.accepted(`${size} as a folder`, await check(`file://${folder}/`, size, join(folder, 'key')))
    for (const { name, path, forge } of forgeries) {
      const bytes = await readFile(join(folder, path))
      await writeFile(join(folder, path), forge(bytes))
      const forged = await check(`file://${folder}/`, size, join(folder, 'key'))
      tally.refused(`${size} as a folder with a changed byte in ${name}`, forged, REFUSED)
      await writeFile(join(folder, path), bytes)
    }
    tally.accepted(`${size} as a folder, restored,`, await check(`file://${folder}/`, size, join(folder, 'key')))
  }
  tally.refused('a log without a token', await check(`${log.url}/log/`, 70_000, key), /fsck failed: .*401/)
  await log.close()
}
