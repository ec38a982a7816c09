import { StoreRefused } from '../db/store.ts'
import type { Command } from './command.ts'
import { BadSetting } from './config.ts'
import { DataFolderRefused } from './data-folder.ts'
import { TokenKeyRefused } from './token-key.ts'
import { version } from './version.ts'

const commands: Record<string, { summary: string; load: () => Promise<{ default: Command }> }> = {
  serve: { summary: 'run the server', load: () => import('./commands/serve.ts') },
  user: { summary: 'add, list and change users', load: () => import('./commands/user.ts') },
  group: { summary: 'add, list and change groups of users', load: () => import('./commands/group.ts') },
  import: { summary: 'import graphs from files', load: () => import('./commands/import.ts') },
  export: { summary: 'export a graph to a file', load: () => import('./commands/export.ts') },
  push: { summary: 'push files to graphs on another server', load: () => import('./commands/push.ts') },
  pull: { summary: 'fetch a graph from another server', load: () => import('./commands/pull.ts') },
  list: { summary: 'list graphs on another server', load: () => import('./commands/list.ts') },
  backup: { summary: 'copy everything to a file, while the server runs', load: () => import('./commands/backup.ts') },
  restore: { summary: 'replace the database with a backup', load: () => import('./commands/restore.ts') },
  check: { summary: 'check the database, or a backup', load: () => import('./commands/check.ts') },
  reindex: { summary: 'rebuild the index of the search', load: () => import('./commands/reindex.ts') },
  copy: { summary: 'copy everything to another store', load: () => import('./commands/copy.ts') },
  openapi: { summary: 'print the OpenAPI document', load: () => import('./commands/openapi.ts') }
}

const help = `graphstead ${version}: keeps and shares graph records, and records every change.

Usage: graphstead <command> [options]

Commands:
${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(9)} ${summary}`)
  .join('\n')}

graphstead <command> --help explains a command.
`

// A file size limit is treated like a full disk: writes fail, and the process goes on.
process.on('SIGXFSZ', () => {})

main(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})

async function main([name, ...args]: string[]): Promise<number> {
  if (name === '--version' || name === '-v') return print(version)
  if (name === '--help' || name === '-h' || name === 'help') return print(help.trimEnd())
  const command = Object.hasOwn(commands, name ?? '') ? commands[name as string] : undefined
  if (!command) {
    console.error(name === undefined ? help : `graphstead: there is no command ${name}; see graphstead --help`)
    return 2
  }
  try {
    const { default: run } = await command.load()
    return await run(args)
  } catch (error) {
    if (error instanceof BadSetting) {
      console.error(`graphstead ${name}: ${error.message}; see graphstead ${name} --help`)
      return 2
    }
    if ([StoreRefused, TokenKeyRefused, DataFolderRefused].some((kind) => error instanceof kind)) {
      console.error(`graphstead ${name}: ${(error as Error).message}`)
      return 1
    }
    throw error
  }
}

function print(text: string) {
  console.log(text)
  return 0
}
