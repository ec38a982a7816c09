import { Type } from '@sinclair/typebox'
import { ED25519 } from '../../../audit/note.ts'
import { type Policy, PolicyError, readPolicy } from '../../../audit/policy.ts'
import { Unreadable } from '../../../audit/source.ts'
import { verifyLog } from '../../../audit/verification.ts'
import { DURATION, millisecondsOf } from '../../../schemas/quantities.ts'
import { optionalText } from '../../../schemas/types.ts'
import { LONGEST_TEXT, readStart } from '../../audit/folder.ts'
import { openKept } from '../../audit/kept.ts'
import { logHelp, logSettings, openLog } from '../../audit/log.ts'
import { reportOf } from '../../audit/report.ts'
import { readKeys } from '../../audit/verifiers.ts'
import type { Command } from '../../command.ts'
import { readRemoteSettings } from '../../remote/server.ts'
import { BadSetting } from '../../settings/config.ts'
import { usage } from '../../settings/usage.ts'
import { printable } from '../../system/printable.ts'
import { progressLine } from '../../system/progress.ts'
import { print, printError, printJson } from '../../system/terminal.ts'

const settings = {
  key: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description: 'verifier key of the log, or a file that contains it, from a source you trust'
  }),
  kept: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description: 'checkpoint, export or export folder that you kept earlier'
  }),
  policy: optionalText({ minLength: 1, description: 'policy file: logs, witnesses, and how many must sign' }),
  ...logSettings,
  within: Type.String({
    pattern: DURATION,
    default: '30m',
    examples: ['10m', '6h'],
    description: "time limit for reading a server's log, since a server may claim any size"
  }),
  json: Type.Boolean({ default: false, description: 'print the result as JSON' })
}

export const help = usage(
  'audit verify DIR|URL|--data DIR --key KEY [--kept FILE]…',
  `Verifies the audit log in an export folder, on a server or in the database: its signature, every entry, the tree over them, and
the events that it shows. Compares it with anything you kept earlier. Changes nothing.`,
  settings,
  `${logHelp}

Exit codes: 0 consistent with a pinned key and an earlier copy; 1 a contradiction; 2 invalid arguments, or something cannot be
read; 3 internally consistent, but no key was pinned or no earlier copy was compared.`
)

const EXIT_CODES = { consistent: 0, contradiction: 1, sound: 3 } as const

/** Verifies a log. Returns one of EXIT_CODES, or 2. */
const verify: Command = async (args) => {
  const { values, positionals } = readRemoteSettings(settings, args, process.env)
  const [place, ...others] = positionals
  if (others.length > 0) throw new BadSetting(`too many arguments: ${others[0]}`)
  const keys = (await Promise.all(values.key.map((text) => readKeys(text, '--key', ED25519)))).flat()
  const policy = values.policy === undefined ? undefined : await policyIn(values.policy)
  const progress = progressLine('verify')
  try {
    const kept = await Promise.all(values.kept.map(openKept))
    const log = await openLog(place, values, process.env, { within: millisecondsOf(values.within) })
    const onProgress = (done: number, total: number) => progress.update(done, total, 'entries')
    const result = await verifyLog(log.source, { keys, policy, kept, onProgress }).finally(log.close)
    progress.clear()
    values.json ? printJson(result) : print(reportOf(result, log.name).join('\n'))
    return EXIT_CODES[result.outcome]
  } catch (error) {
    progress.clear()
    if (!(error instanceof Unreadable)) throw error
    printError(`graphstead audit verify: ${printable(error.message)}`)
    return 2
  }
}

export default verify

/** Reads a policy. Throws BadSetting. */
async function policyIn(file: string): Promise<Policy> {
  try {
    const bytes = await readStart(file, LONGEST_TEXT)
    if (!bytes) throw new PolicyError('the file does not exist')
    return readPolicy(bytes)
  } catch (error) {
    if (!(error instanceof PolicyError) && !(error instanceof Unreadable)) throw error
    throw new BadSetting(`--policy ${file}: ${error.message}`)
  }
}
