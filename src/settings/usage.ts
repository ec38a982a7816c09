import type { TProperties } from '@sinclair/typebox'
import { flagOf } from './config.ts'

/** Returns the help text of a command, with its settings as flags. */
export function usage(synopsis: string, explanation: string, settings: TProperties, more = '') {
  const lines = Object.entries(settings).map(([name, { type, default: preset, description, enum: words }]) => {
    const flag = type === 'boolean' ? `--${flagOf(name)}` : `--${flagOf(name)} ${flagOf(name).toUpperCase()}`
    const extras = [
      type === 'array' && 'may be repeated',
      words && `one of ${words.join(', ')}`,
      preset !== undefined && preset !== '' && type !== 'array' && `default ${preset}`
    ]
    const notes = extras.filter(Boolean).join('; ')
    return `  ${flag.padEnd(34)} ${description}${notes && ` (${notes})`}`
  })
  return `Usage: graphstead ${synopsis}

${explanation}

Options:
${lines.join('\n')}
  ${'--help'.padEnd(34)} print this${more && `\n\n${more}`}`
}

export function wantsHelp(args: string[]) {
  return args.includes('--help') || args.includes('-h')
}
