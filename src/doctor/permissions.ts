import { accessSync, constants, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../../schemas/settings.ts'
import { AuditKeyFiles } from '../audit/signing-key.ts'
import { databaseIn } from '../settings/data-folder.ts'
import { MIN_KEY_BYTES, tokenKeyFile } from '../settings/token-key.ts'
import { isPrivate } from '../system/platform.ts'
import { type Finding, findingsAbout } from './finding.ts'

const finding = findingsAbout('permissions')

/** Examines the modes, owners and accessibility of the data folder and its files, without opening the files. */
export function examinePermissions(config: Settings, platform: NodeJS.Platform = process.platform): Finding[] {
  const folder = statOf(config.data)
  if (!folder) return []
  if (platform === 'win32') {
    return [finding('unknown', `Windows has no file modes; icacls "${config.data}" shows who can read the folder`)]
  }
  const token = tokenKeyFile(config.data, config.jwtSecretFile)
  const audit = new AuditKeyFiles(config)
  const database = databaseIn(config.data)
  const records = ['', '-wal', '-shm'].map((ending) => database + ending)
  const findings = [
    ...judgeFolder(config.data, folder),
    ...records.flatMap((path) => judgeFile(path, folder, isPrivate(folder.mode))),
    ...(config.jwtSecretFile === undefined ? judgeFile(token, folder, false) : judgeGivenKey(token)),
    ...['audit.key', 'audit.head'].flatMap((name) =>
      judgeFile(join(audit.folder, name), folder, name === 'audit.head')
    ),
    ...judgeLength(token)
  ]
  if (findings.length > 0) return findings
  return [finding('good', `only their owner, uid ${folder.uid}, can access ${config.data} and its files`)]
}

function judgeFolder(path: string, { mode }: Stats): Finding[] {
  const fault = accessFault(path, constants.R_OK | constants.W_OK | constants.X_OK)
  if (fault) return [fault]
  if (isPrivate(mode)) return []
  return [finding('warning', `others can enter ${path} (mode ${modeText(mode)}); chmod 700 ${path}`)]
}

/** Examines a file if it exists. The file may be readable by others if they cannot reach it, or if it is not secret. */
function judgeFile(path: string, folder: Stats, mayBeOpen: boolean): Finding[] {
  const stats = statOf(path)
  if (!stats) return []
  const { uid, mode } = stats
  if (uid !== folder.uid) {
    return [
      finding(
        'bad',
        `${path} belongs to uid ${uid}, but the folder belongs to uid ${folder.uid}; chown ${folder.uid} ${path}`
      )
    ]
  }
  const fault = accessFault(path, constants.R_OK | constants.W_OK)
  if (fault) return [fault]
  if (mayBeOpen || isPrivate(mode)) return []
  return [openFinding(path, mode)]
}

function openFinding(path: string, mode: number): Finding {
  return finding('bad', `${path} can be read by others (mode ${modeText(mode)}); chmod 600 ${path}`)
}

/** Examines a key that someone else manages and that the server only reads. */
function judgeGivenKey(path: string): Finding[] {
  const stats = statOf(path)
  if (!stats) return []
  const fault = accessFault(path, constants.R_OK)
  if (fault) return [fault]
  return isPrivate(stats.mode) ? [] : [openFinding(path, stats.mode)]
}

/** Checks the length of the token key, because the server refuses to start with a short key. */
function judgeLength(path: string): Finding[] {
  const size = statOf(path)?.size ?? MIN_KEY_BYTES
  return size >= MIN_KEY_BYTES
    ? []
    : [finding('bad', `${path} is too short; a key needs at least ${MIN_KEY_BYTES} bytes`)]
}

/** Returns a finding if this user lacks the required access to the file. */
function accessFault(path: string, access: number): Finding | undefined {
  try {
    accessSync(path, access)
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const remedy = code === 'EROFS' ? 'mount its disk read-write' : "chown it, or run this command as the server's user"
    return finding('bad', `this user cannot access ${path} (${code}); ${remedy}`)
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

function modeText(mode: number): string {
  return (mode & 0o777).toString(8).padStart(3, '0')
}
