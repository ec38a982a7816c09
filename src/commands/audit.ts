import type { Command } from '../command.ts'
import { type Listed, runCommand, summariesOf } from '../dispatch.ts'
import { print, printError } from '../system/terminal.ts'

const subcommands: Record<string, Listed> = {
  key: {
    summary: 'print the key that verifies checkpoints',
    load: async () => (await import('../audit/place.ts')).key
  },
  checkpoint: {
    summary: 'print the last checkpoint',
    load: async () => (await import('../audit/place.ts')).checkpoint
  },
  export: { summary: 'export the log to a file or folder', load: () => import('./audit/export.ts') },
  verify: { summary: 'verify a log, and compare it with what you kept', load: () => import('./audit/verify.ts') },
  witness: { summary: 'let a witness sign the checkpoint', load: () => import('./audit/witness.ts') },
  erase: { summary: 'erase a deleted user from the events', load: () => import('./audit/erase.ts') },
  prune: { summary: 'remove old events', load: () => import('./audit/prune.ts') }
}

const help = `Usage: graphstead audit <subcommand> [options]

Proves what the trail says: see docs/audit-verify.md.

Subcommands:
${summariesOf(subcommands)}

graphstead audit <subcommand> --help explains a subcommand.`

/** Runs a subcommand of `audit`. */
const audit: Command = async ([name, ...args]) => {
  if (name === '--help' || name === '-h') {
    print(help)
    return 0
  }
  const subcommand = Object.hasOwn(subcommands, name ?? '') ? subcommands[name as string] : undefined
  if (subcommand) return runCommand(subcommand, `graphstead audit ${name}`, args)
  const fault = name === undefined ? 'a subcommand is missing' : `there is no subcommand ${name}`
  printError(`graphstead audit: ${fault}: ${Object.keys(subcommands).join(', ')}; see graphstead audit --help`)
  return 2
}

export default audit
