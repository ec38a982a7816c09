import type { TProperties } from '@sinclair/typebox'
import { commonSettings, settingGroups } from '../../schemas/settings.ts'
import { flagOf } from './config.ts'

/** Returns the help text of a command, with its settings listed as flags. */
export function usage(synopsis: string, explanation: string, settings: TProperties, more = '') {
  return helpText(synopsis, explanation, `Options:\n${optionLines(settings)}`, more)
}

/**
 * Returns the help text of a command that accepts the server's settings, as well as the groups in `own`. Shows the common
 * settings, or all of them in groups if `--all` is given.
 */
export function serverUsage(synopsis: string, explanation: string, own: Record<string, TProperties>, more = '') {
  return (args: string[]) => {
    const isWhole = args.includes('--all')
    const groups = Object.entries({ ...(isWhole ? settingGroups : { Options: commonSettings }), ...own })
    const sections = groups.map(([title, settings]) => `${title}:\n${optionLines(settings)}`)
    if (!isWhole) sections.push(line('--help --all', 'show all settings'))
    return helpText(synopsis, explanation, sections.join('\n\n'), more)
  }
}

export function wantsHelp(args: string[]) {
  return args.includes('--help') || args.includes('-h')
}

function helpText(synopsis: string, explanation: string, options: string, more: string) {
  const help = line('--help', 'show this help')
  return `Usage: graphstead ${synopsis}\n\n${explanation}\n\n${options}\n${help}${more && `\n\n${more}`}`
}

function optionLines(settings: TProperties) {
  const lines = Object.entries(settings).map(([name, { type, default: preset, description, enum: words }]) => {
    const flag = type === 'boolean' ? `--${flagOf(name)}` : `--${flagOf(name)} ${flagOf(name).toUpperCase()}`
    const extras = [
      type === 'array' && 'can be repeated',
      words && `one of ${words.join(', ')}`,
      preset !== undefined &&
        preset !== '' &&
        type !== 'array' &&
        type !== 'boolean' &&
        type !== 'boolean' &&
        `default ${preset}`
    ]
    const notes = extras.filter(Boolean).join('; ')
    return line(flag, `${description}${notes && ` (${notes})`}`)
  })
  return lines.join('\n')
}

function line(flag: string, description: string) {
  return flag.length > 34 ? `  ${flag}\n${' '.repeat(37)}${description}` : `  ${flag.padEnd(34)} ${description}`
}
