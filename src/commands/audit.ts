import type { Command } from '../command.ts'
import { type Listed, runCommand, summariesOf } from '../dispatch.ts'
import { print, printError } from '../system/terminal.ts'

const subcommands: Record<string, Listed> = {
  key: {
    summary: 'print the key that verifies checkpoints',
    load: async () => (await import('../audit/place.ts')).key
  },
  checkpoint: {
    summary: 'print the latest checkpoint',
    load: async () => (await import('../audit/place.ts')).checkpoint
  },
  export: { summary: 'export the log to a file or folder', load: () => import('./audit/export.ts') },
  verify: { summary: 'verify a log, and compare it with earlier copies', load: () => import('./audit/verify.ts') },
  witness: { summary: 'have a witness sign the checkpoint', load: () => import('./audit/witness.ts') },
  erase: { summary: 'erase a deleted user from the events', load: () => import('./audit/erase.ts') },
  prune: { summary: 'remove old events', load: () => import('./audit/prune.ts') }
}

const help = `Usage: graphstead audit <subcommand> [options]

Exports, verifies and prunes the audit log: see docs/audit-verify.md.

Subcommands:
${summariesOf(subcommands)}

Run graphstead audit <subcommand> --help for details.`

/** Runs a subcommand of `audit`. */
const audit: Command = async ([name, ...args]) => {
  if (name === '--help' || name === '-h') {
    print(help)
    return 0
  }
  const subcommand = Object.hasOwn(subcommands, name ?? '') ? subcommands[name as string] : undefined
  if (subcommand) return runCommand(subcommand, `graphstead audit ${name}`, args)
  const fault = name === undefined ? 'name a subcommand' : `unknown subcommand ${name}`
  printError(`graphstead audit: ${fault}: ${Object.keys(subcommands).join(', ')}; see graphstead audit --help`)
  return 2
}

export default audit
