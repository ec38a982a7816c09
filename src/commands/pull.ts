import { Type } from '@sinclair/typebox'
import { writableFormats } from '../../graph/formats/index.ts'
import { optionalInteger, optionalText } from '../../schemas/types.ts'
import type { Command } from '../command.ts'
import { isGraph } from '../remote/answers.ts'
import { formatFor, formatSetting } from '../remote/graph-files.ts'
import {
  ask,
  lossesOf,
  Refused,
  type RemoteServer,
  readRemoteSettings,
  remoteHelp,
  remoteServerOf,
  remoteSettings,
  send,
  Unreachable
} from '../remote/server.ts'
import { BadSetting } from '../settings/config.ts'
import { usage } from '../settings/usage.ts'
import { exitOnSignals } from '../system/interruption.ts'
import { printable } from '../system/printable.ts'
import { printError, printJson } from '../system/terminal.ts'
import { isInTheWay, writeWhole } from '../system/whole-file.ts'

const settings = {
  key: optionalText({ description: 'key of one of your graphs; required if the key consists only of digits' }),
  format: formatSetting,
  version: optionalInteger({ minimum: 1, description: 'earlier version to fetch' }),
  force: Type.Boolean({ default: false, description: 'replace an existing file' }),
  ...remoteSettings
}

export const help = usage(
  'pull ID|KEY FILE',
  `Fetches the content of a graph from a server, and writes it to a file, or to standard output with -. The extension determines the
format: ${writableFormats.map(({ endings, title }) => `${endings[0]} ${title}`).join(', ')}.
An interrupted transfer leaves no file behind.`,
  settings,
  remoteHelp
)

/** Downloads a graph from a server. Returns 1 if the server refuses, or 3 if it cannot be reached. */
const pull: Command = async (args) => {
  const { values, positionals } = readRemoteSettings(settings, args, process.env)
  const server = remoteServerOf(process.env, values)
  const [graph, file, ...more] = values.key === undefined ? positionals : [values.key, ...positionals]
  if (graph === undefined) throw new BadSetting('specify the id or key of a graph')
  if (file === undefined || more.length > 0) throw new BadSetting('name one file')
  const format = formatFor(file, values.format)
  if (!values.force && (await isInTheWay(file, 'pull'))) return 1
  exitOnSignals()
  try {
    const isId = values.key === undefined && /^[1-9]\d{0,15}$/.test(graph)
    const id = isId ? Number(graph) : (await findByKey(server, graph)).id
    const version = values.version === undefined ? '' : `/versions/${values.version}`
    const answer = await send(server, {
      method: 'GET',
      path: `api/graphs/${id}${version}/content?format=${format.name}`,
      headers: { accept: '*/*' }
    })
    let size = 0
    const counted = async function* () {
      for await (const chunk of answer) {
        size += (chunk as Buffer).length
        yield chunk as Buffer
      }
    }
    if (!(await writeWhole(file, counted()))) return 0
    const losses = lossesOf(answer)
    if (values.json && file !== '-') printJson({ file, id, bytes: size, etag: answer.headers.etag, losses })
    else printError(`${printable(file)}: graph ${id}, ${size} bytes`)
    for (const { code, count } of losses) printError(`  ${code}: ${count}`)
    return 0
  } catch (error) {
    printError(`graphstead pull: ${printable((error as Error).message)}; ${printable(file)} was not written`)
    const isPassing = error instanceof Refused ? error.isPassing : error instanceof Unreachable || isBroken(error)
    return isPassing ? 3 : 1
  }
}

export default pull

async function findByKey(server: RemoteServer, key: string) {
  const path = `api/account/graphs/${encodeURIComponent(key)}`
  return (await ask(server, { method: 'GET', path }, isGraph)).body
}

/** Returns whether the connection broke during the response. */
function isBroken(error: unknown) {
  return error instanceof Error && 'code' in error && /^ECONN|^EPIPE$/.test(String(error.code))
}
