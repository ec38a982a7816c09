import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { win32 } from 'node:path'

// Differences between Linux, macOS and Windows that commands have to know.

/** Tells whether a file of this mode is for its owner alone. Windows has no modes: there makePrivate protects the folder. */
export function isPrivate(mode: number, platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'win32' || (mode & 0o077) === 0
}

type Run = (program: string, args: string[]) => Pick<SpawnSyncReturns<string>, 'status' | 'error'>

/** The SIDs of the owner of a file, of the system, and of administrators: their names differ by language. */
const [OWNER, SYSTEM, ADMINISTRATORS] = ['*S-1-3-4', '*S-1-5-18', '*S-1-5-32-544']

/** Runs a program of Windows without its output. */
const runQuietly: Run = (program, args) => spawnSync(program, args, { encoding: 'utf8', windowsHide: true })

/**
 * Restricts a new folder, and all that will be in it, to its owner, the system and administrators, on Windows; elsewhere its mode
 * does. Returns false if that failed.
 */
export function makePrivate(
  folder: string,
  platform: NodeJS.Platform = process.platform,
  run: Run = runQuietly,
  env: Record<string, string | undefined> = process.env
): boolean {
  if (platform !== 'win32') return true
  const program = win32.join(env.SystemRoot ?? 'C:\\Windows', 'System32', 'icacls.exe')
  const grants = [OWNER, SYSTEM, ADMINISTRATORS].map((sid) => `${sid}:(OI)(CI)F`)
  const { status, error } = run(program, [folder, '/inheritance:r', '/grant:r', ...grants])
  return error === undefined && status === 0
}

/**
 * Lists the signals that end a server. SIGHUP says that the terminal was closed; without a terminal it asks a service to read its
 * certificate again, but on Windows, where only the closing of a console sends it. SIGBREAK is Ctrl-Break there.
 */
export function endingSignals(hasTerminal: boolean, platform: NodeJS.Platform = process.platform): NodeJS.Signals[] {
  if (platform === 'win32') return ['SIGTERM', 'SIGINT', 'SIGBREAK', 'SIGHUP']
  return ['SIGTERM', 'SIGINT', ...(hasTerminal ? (['SIGHUP'] as const) : [])]
}

/** Returns why a file cannot have this name on Windows, as the end of a sentence; undefined if it can. */
export function nameFault(path: string, platform: NodeJS.Platform = process.platform): string | undefined {
  if (platform !== 'win32') return undefined
  const name = win32.basename(path)
  if (/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name)) return `${name} is the name of a device on Windows`
  // Behind a colon Windows writes another, hidden, content of the file.
  if (/[<>:"|?*]/.test(name)) return 'names on Windows have none of < > : " | ? *'
  if (/[. ]$/.test(name)) return 'names on Windows do not end with a dot or a space'
  return undefined
}
