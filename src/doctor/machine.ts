import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { dirname, resolve } from 'node:path'
import { RESERVED_FILES, readFileLimit } from '../../plugins/http/connections/limits.ts'
import { bytesOf } from '../../schemas/quantities.ts'
import type { Settings } from '../../schemas/settings.ts'
import { type Finding, findingsAbout, sizeText, spanText } from './finding.ts'

/** Examines the free disk space of a folder, or of the parent in which it will be created. */
export async function examineSpace(config: Settings, size: number): Promise<Finding> {
  let folder = resolve(config.data)
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder)
  try {
    const { bavail, bsize } = await statfs(folder)
    return judgeSpace(bavail * bsize, { folder, minFree: bytesOf(config.minFree), size })
  } catch (error) {
    return findingsAbout('space')('unknown', `the system does not tell: ${(error as Error).message}`)
  }
}

/**
 * Returns a finding about the folder's free disk space in bytes. `size` is the size of the database, and therefore of a backup.
 */
export function judgeSpace(free: number, { folder, minFree, size }: { folder: string; minFree: number; size: number }) {
  const finding = findingsAbout('space')
  const says = `${sizeText(free)} are free in ${folder}`
  if (free < minFree)
    return finding('bad', `${says}, less than --min-free ${sizeText(minFree)}; free some: no content is taken`)
  if (free < Math.max(size, 4 * minFree)) return finding('warning', `${says}; make room for growth and backups`)
  return finding('good', says)
}

/** Examines the resource limits of this process. A service has limits of its own. */
export function examineLimits({ maxConnections, jobMemory }: Settings): Finding[] {
  const constrained = process.constrainedMemory()
  const memory = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
  return [judgeFiles(readFileLimit(), maxConnections), judgeMemory(memory, jobMemory)]
}

/** Returns a finding about the limit on open files, which is undefined if the system does not report it. */
export function judgeFiles(limit: number | undefined, maxConnections: number): Finding {
  const finding = findingsAbout('files')
  if (limit === undefined) return finding('unknown', 'this system does not tell how many files may be open')
  const says = `${limit} open files are allowed here`
  const needed = maxConnections + RESERVED_FILES
  if (limit < 2 * RESERVED_FILES)
    return finding('bad', `${says}; allow ${needed}: ulimit -n, or LimitNOFILE of the unit`)
  if (limit < needed) {
    return finding(
      'warning',
      `${says}; ${needed} would carry all of --max-connections: ulimit -n, or LimitNOFILE of the unit`
    )
  }
  return finding('good', says)
}

const MIB = 2 ** 20

/**
 * Returns a finding about the memory available to the process, on the machine or in its control group. `jobMemory` is in MiB.
 */
export function judgeMemory(bytes: number, jobMemory: number): Finding {
  const finding = findingsAbout('memory')
  const says = `${sizeText(bytes)} of memory may be used here`
  const enough = (1024 + jobMemory) * MIB
  if (bytes < 256 * MIB) return finding('bad', `${says}; the server needs 256 MiB at least`)
  if (bytes < enough) {
    return finding(
      'warning',
      `${says}; large graphs may need ${sizeText(enough)}: lower --body-limit and --job-memory otherwise`
    )
  }
  return finding('good', says)
}

/** The earliest plausible date, because this program did not exist before it. */
const FIRST_DAY = Date.UTC(2026, 10, 1)

/** How far the clock may be behind the newest event, in milliseconds. Sessions whose last use is further in the future end. */
const BEHIND = 5 * 60_000

/** Returns a finding about a clock that shows `now`, in milliseconds since 1970. */
export function judgeClock(now: number, newestEvent: string | undefined): Finding {
  const finding = findingsAbout('clock')
  const says = `the clock shows ${new Date(now).toISOString()}`
  const remedy = 'set it, for example by NTP'
  if (now < FIRST_DAY) return finding('bad', `${says}, before this program was made; ${remedy}`)
  const behind = newestEvent === undefined ? 0 : Date.parse(newestEvent) - now
  if (behind > BEHIND) {
    return finding('bad', `${says}, ${spanText(behind)} before the newest event, of ${newestEvent}; ${remedy}`)
  }
  return finding('good', says)
}
