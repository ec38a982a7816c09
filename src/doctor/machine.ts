import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { dirname, resolve } from 'node:path'
import { RESERVED_FILES, readFileLimit } from '../../plugins/http/connections/limits.ts'
import { bytesOf } from '../../schemas/quantities.ts'
import type { Settings } from '../../schemas/settings.ts'
import { type Finding, findingsAbout, sizeText, spanText } from './finding.ts'

/** Examines the free disk space for a folder, or for the parent in which the folder will be created. */
export async function examineSpace(config: Settings, size: number): Promise<Finding> {
  let folder = resolve(config.data)
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder)
  try {
    const { bavail, bsize } = await statfs(folder)
    return judgeSpace(bavail * bsize, { folder, minFree: bytesOf(config.minFree), size })
  } catch (error) {
    return findingsAbout('space')('unknown', `the free space is unknown: ${(error as Error).message}`)
  }
}

/**
 * Returns a finding about the folder's free disk space, given in bytes. `size` is the size of the database, and therefore of a
 * backup.
 */
export function judgeSpace(free: number, { folder, minFree, size }: { folder: string; minFree: number; size: number }) {
  const finding = findingsAbout('space')
  const says = `${sizeText(free)} free in ${folder}`
  if (free < minFree)
    return finding(
      'bad',
      `${says}, less than --min-free ${sizeText(minFree)}, so the server refuses new content; free some space`
    )
  if (free < Math.max(size, 4 * minFree)) return finding('warning', `${says}; free some space for growth and backups`)
  return finding('good', says)
}

/** Examines the resource limits of this process. A service has its own limits. */
export function examineLimits({ maxConnections, jobMemory }: Settings): Finding[] {
  const constrained = process.constrainedMemory()
  const memory = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
  return [judgeFiles(readFileLimit(), maxConnections), judgeMemory(memory, jobMemory)]
}

/** Returns a finding about the limit on open files. The limit is undefined if the system does not report it. */
export function judgeFiles(limit: number | undefined, maxConnections: number): Finding {
  const finding = findingsAbout('files')
  if (limit === undefined) return finding('unknown', 'this system does not report its limit on open files')
  const says = `the limit is ${limit} open files`
  const needed = maxConnections + RESERVED_FILES
  if (limit < 2 * RESERVED_FILES)
    return finding('bad', `${says}; raise it to ${needed} with ulimit -n, or LimitNOFILE in the systemd unit`)
  if (limit < needed) {
    return finding(
      'warning',
      `${says}; --max-connections needs ${needed}: use ulimit -n, or LimitNOFILE in the systemd unit`
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
  const says = `${sizeText(bytes)} of memory is available`
  const enough = (1024 + jobMemory) * MIB
  if (bytes < 256 * MIB) return finding('bad', `${says}; the server needs at least 256 MiB`)
  if (bytes < enough) {
    return finding(
      'warning',
      `${says}; large graphs may need ${sizeText(enough)}: add memory, or lower --body-limit and --job-memory`
    )
  }
  return finding('good', says)
}

/** The earliest plausible date, because this program did not exist before then. */
const FIRST_DAY = Date.UTC(2026, 10, 1)

/**
 * How far the clock may be behind the newest event, in milliseconds. Sessions whose last use is further in the future expire.
 */
const BEHIND = 5 * 60_000

/** Returns a finding about a clock that shows `now`, in milliseconds since 1970. */
export function judgeClock(now: number, newestEvent: string | undefined): Finding {
  const finding = findingsAbout('clock')
  const says = `the clock shows ${new Date(now).toISOString()}`
  const remedy = 'set it, for example with NTP'
  if (now < FIRST_DAY) return finding('bad', `${says}, before this program was released; ${remedy}`)
  const behind = newestEvent === undefined ? 0 : Date.parse(newestEvent) - now
  if (behind > BEHIND) {
    return finding('bad', `${says}, ${spanText(behind)} behind the newest event, ${newestEvent}; ${remedy}`)
  }
  return finding('good', says)
}
