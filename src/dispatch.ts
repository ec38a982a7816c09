import { StoreRefused, StoreUnavailable } from '../db/store.ts'
import type { Command } from './command.ts'
import { BadSetting } from './settings/config.ts'
import { DataFolderRefused } from './settings/data-folder.ts'
import { TokenKeyRefused } from './settings/token-key.ts'
import { wantsHelp } from './settings/usage.ts'
import { print, printError } from './system/terminal.ts'

/** A listed command, which is loaded on demand. A command without a help text handles `--help` itself. */
export interface Listed {
  summary: string
  load: () => Promise<{ default: Command; help?: string | ((args: string[]) => string) }>
}

/** Returns the lines of the help text that summarize the commands. */
export function summariesOf(commands: Record<string, Listed>): string {
  const width = Math.max(9, ...Object.keys(commands).map(({ length }) => length + 1))
  return Object.entries(commands)
    .map(([name, { summary }]) => `  ${name.padEnd(width)} ${summary}`)
    .join('\n')
}

/**
 * Runs a command. Returns its exit code, which is 2 for invalid arguments and 1 for a refusal. `fullName` is the command's name
 * in messages.
 */
export async function runCommand({ load }: Listed, fullName: string, args: string[]): Promise<number> {
  try {
    const { default: run, help } = await load()
    if (help === undefined || !wantsHelp(args)) return await run(args)
    print(typeof help === 'string' ? help : help(args))
    return 0
  } catch (error) {
    if (error instanceof BadSetting) {
      printError(`${fullName}: ${error.message}; see ${fullName} --help`)
      return 2
    }
    if ([StoreRefused, StoreUnavailable, TokenKeyRefused, DataFolderRefused].some((kind) => error instanceof kind)) {
      printError(`${fullName}: ${(error as Error).message}`)
      return 1
    }
    throw error
  }
}
