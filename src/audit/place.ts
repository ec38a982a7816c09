import type { TProperties } from '@sinclair/typebox'
import { readHead } from '../../audit/checkpoint.ts'
import { NoteError, readVerifier, splitNote } from '../../audit/note.ts'
import { databaseSettings } from '../../schemas/settings.ts'
import { optionalText } from '../../schemas/types.ts'
import type { Command } from '../command.ts'
import {
  type Connection,
  fetchAnswer,
  Refused,
  refusalIn,
  remoteHelp,
  remoteServerOf,
  remoteSettings,
  Unreachable
} from '../remote/server.ts'
import { BadSetting, readSettings } from '../settings/config.ts'
import { usage } from '../settings/usage.ts'
import { printable } from '../system/printable.ts'
import { printData, printError } from '../system/terminal.ts'
import { withStore } from '../with-store.ts'
import { AuditLogRefused, readShown } from './shown.ts'
import { AuditKeyRefused } from './signing-key.ts'

// Commands that print the checkpoint or key of the log, as read from a server or from the store.

const settings = {
  data: optionalText({ minLength: 1, description: 'data folder of the database to read' }),
  ...databaseSettings,
  plainHttp: remoteSettings.plainHttp,
  timeout: remoteSettings.timeout
} satisfies TProperties

/** The maximum length of a server's response, in bytes. */
const LONGEST = 16 * 1024

export const key = printCommand('key', 'Prints the key that verifies checkpoints of the audit log.')
export const checkpoint = printCommand('checkpoint', 'Prints the latest checkpoint of the audit log.')

/** Returns a command module that prints the checkpoint or the key. */
function printCommand(name: 'checkpoint' | 'key', explanation: string) {
  const help = usage(
    `audit ${name} [URL | --data DIR | --database URL]`,
    `${explanation} Reads it from the server at URL or GRAPHSTEAD_URL, or from the database.`,
    settings,
    remoteHelp
  )
  const print: Command = async (args) => {
    const { values, positionals } = readSettings(settings, args, process.env)
    const [url, ...more] = positionals
    if (more.length > 0) throw new BadSetting(`too many arguments: ${more[0]}`)
    const isHere = values.data !== undefined || values.database !== undefined
    const isNamed = args.some((argument) => /^--(data|database)(=|$)/.test(argument))
    if (url !== undefined && isNamed) throw new BadSetting('specify either a server or the database')
    const address = url ?? (isHere ? undefined : process.env.GRAPHSTEAD_URL)
    try {
      const text =
        address === undefined
          ? await textOfStore(name, { ...values, data: values.data ?? './data' })
          : await textOfServer(name, { ...process.env, GRAPHSTEAD_URL: address }, values)
      printData(text)
      return 0
    } catch (error) {
      const isRemote = error instanceof Refused || error instanceof Unreachable
      if (!isRemote && !(error instanceof AuditLogRefused) && !(error instanceof AuditKeyRefused)) throw error
      printError(`graphstead audit ${name}: ${printable(error.message)}`)
      return isRemote && error.isPassing ? 3 : 1
    }
  }
  return { default: print, help }
}

function textOfStore(name: 'checkpoint' | 'key', values: Parameters<typeof withStore>[0]) {
  return withStore(values, async (store) => {
    const shown = await readShown(store.read, values.data)
    return name === 'key' ? `${shown.key}\n` : shown.checkpoint
  })
}

async function textOfServer(name: string, env: NodeJS.ProcessEnv, connection: Connection): Promise<string> {
  const server = remoteServerOf(env, connection)
  const answer = await fetchAnswer(server, { method: 'GET', path: `management/audits/log/${name}` }, LONGEST)
  if (answer.status >= 400) throw refusalIn(answer)
  const text = answer.body.toString()
  if (answer.body.length <= LONGEST && isExpected(name, text)) return text
  throw new Refused(answer.status, { detail: 'the response is not from Graphstead: is the address right?' })
}

/** Returns whether the text is a valid key or checkpoint. Neither can contain characters that control a terminal. */
function isExpected(name: string, text: string): boolean {
  try {
    if (name === 'key') readVerifier(text.trim())
    else readHead(splitNote(text).text)
    return true
  } catch (error) {
    if (error instanceof NoteError) return false
    throw error
  }
}
