import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { win32 } from 'node:path'

// Differences between Linux, macOS and Windows that matter to commands.

/**
 * Returns whether a file with this mode is private to its owner. Windows has no file modes, but makePrivate protects the folder
 * instead.
 */
export function isPrivate(mode: number, platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'win32' || (mode & 0o077) === 0
}

type Run = (program: string, args: string[]) => Pick<SpawnSyncReturns<string>, 'status' | 'error'>

/** The SIDs of a file's owner, of the system and of administrators. Their names depend on the language. */
const [OWNER, SYSTEM, ADMINISTRATORS] = ['*S-1-3-4', '*S-1-5-18', '*S-1-5-32-544']

/** Runs a Windows program without showing its output. */
const runQuietly: Run = (program, args) => spawnSync(program, args, { encoding: 'utf8', windowsHide: true })

/**
 * On Windows, restricts access to a new folder and its future contents to its owner, the system and administrators. On other
 * systems, the folder's mode already restricts access. Returns false on failure.
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
 * Lists the signals that stop a server. SIGHUP means that the terminal was closed. If there is no terminal, it asks a service to
 * reload its certificate, except on Windows, which sends it only when a console is closed. SIGBREAK is Ctrl-Break on Windows.
 */
export function endingSignals(hasTerminal: boolean, platform: NodeJS.Platform = process.platform): NodeJS.Signals[] {
  if (platform === 'win32') return ['SIGTERM', 'SIGINT', 'SIGBREAK', 'SIGHUP']
  return ['SIGTERM', 'SIGINT', ...(hasTerminal ? (['SIGHUP'] as const) : [])]
}

/** Returns why a file on Windows cannot have this name, worded as the end of a sentence, or undefined if it can. */
export function nameFault(path: string, platform: NodeJS.Platform = process.platform): string | undefined {
  if (platform !== 'win32') return undefined
  const name = win32.basename(path)
  if (/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name)) return `${name} is a reserved device name on Windows`
  // On Windows, a colon introduces an alternate, hidden stream of the file.
  if (/[<>:"|?*]/.test(name)) return 'names on Windows cannot contain < > : " | ? *'
  if (/[. ]$/.test(name)) return 'names on Windows cannot end with a dot or a space'
  return undefined
}
