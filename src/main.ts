import { type Listed, runCommand, summariesOf } from './dispatch.ts'
import { print, printError } from './system/terminal.ts'
import { version } from './system/version.ts'

const commands: Record<string, Listed> = {
  serve: { summary: 'run the server', load: () => import('./commands/serve.ts') },
  user: { summary: 'add, list and change users', load: () => import('./commands/user.ts') },
  group: { summary: 'add, list and change groups of users', load: () => import('./commands/group.ts') },
  import: { summary: 'import graphs from files', load: () => import('./commands/import.ts') },
  export: { summary: 'export a graph to a file', load: () => import('./commands/export.ts') },
  push: { summary: 'push files to graphs on another server', load: () => import('./commands/push.ts') },
  pull: { summary: 'fetch a graph from another server', load: () => import('./commands/pull.ts') },
  list: { summary: 'list graphs on another server', load: () => import('./commands/list.ts') },
  backup: {
    summary: 'back everything up to a file, even while the server runs',
    load: () => import('./commands/backup.ts')
  },
  restore: { summary: 'replace the database with a backup', load: () => import('./commands/restore.ts') },
  doctor: {
    summary: 'check the setup of the server, and report problems',
    load: () => import('./commands/doctor.ts')
  },
  check: { summary: 'check the database or a backup for damage', load: () => import('./commands/check.ts') },
  reindex: { summary: 'rebuild the search index', load: () => import('./commands/reindex.ts') },
  audit: { summary: 'export, verify and prune the audit log', load: () => import('./commands/audit.ts') },
  copy: { summary: 'copy everything to another store', load: () => import('./commands/copy.ts') },
  openapi: { summary: 'print the OpenAPI document', load: () => import('./commands/openapi.ts') }
}

const help = `graphstead ${version}: stores and shares graphs, keeps every version, and records who changed what.

Usage: graphstead <command> [options]

Commands:
${summariesOf(commands)}

Run graphstead <command> --help for details.
`

// Treat a file size limit like a full disk: writes fail, but the process continues.
process.on('SIGXFSZ', () => {})

// Report a failure if the event loop empties before the command completes.
process.exitCode = 1
main(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})

async function main([name, ...args]: string[]): Promise<number> {
  if (name === '--version' || name === '-v') return succeed(args.includes('--json') ? await aboutAsJson() : version)
  if (name === '--help' || name === '-h' || name === 'help') return succeed(help.trimEnd())
  const command = Object.hasOwn(commands, name ?? '') ? commands[name as string] : undefined
  if (!command) {
    printError(name === undefined ? help : `graphstead: unknown command ${name}; see graphstead --help`)
    return 2
  }
  return runCommand(command, `graphstead ${name}`, args)
}

async function aboutAsJson() {
  const { describeProgram } = await import('./system/about.ts')
  return JSON.stringify(await describeProgram())
}

function succeed(text: string) {
  print(text)
  return 0
}
