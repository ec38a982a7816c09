import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { Type } from '@sinclair/typebox'
import { formatNamed, formats, formatsOfFile } from '../../graph/formats/index.ts'
import { oneOf, optionalText } from '../../schemas/types.ts'
import type { Command } from '../command.ts'
import { isGraph, isReport } from '../remote/answers.ts'
import { filesIn, type NamedFile } from '../remote/graph-files.ts'
import { columnsText, countsText, leftOutText, lossText, titleOf } from '../remote/import-report.ts'
import {
  ask,
  lossesOf,
  Refused,
  type RemoteRequest,
  type RemoteServer,
  readRemoteSettings,
  remoteHelp,
  remoteServerOf,
  remoteSettings,
  Unreachable,
  type Upload
} from '../remote/server.ts'
import { BadSetting } from '../settings/config.ts'
import { usage } from '../settings/usage.ts'
import { printable } from '../system/printable.ts'
import { progressLine } from '../system/progress.ts'
import { print, printError, printJson } from '../system/terminal.ts'

/** The settings that are sent as request parameters. */
const parameters = {
  format: optionalText({ description: `format of all files: ${formats.map(({ name }) => name).join(', ')}` }),
  name: optionalText({ description: 'name of a new graph, for a single file; default: the name in the file' }),
  type: optionalText({ description: 'type of new graphs' }),
  description: optionalText({ description: 'description of new graphs' }),
  shared: Type.Boolean({ default: false, description: 'share new graphs with every signed-in user' }),
  message: optionalText({ description: 'comment on the change, shown with its version' }),
  sourceColumn: optionalText({
    description: 'for tables: the column with the edge sources, by name or by number from 1'
  }),
  targetColumn: optionalText({ description: 'for tables: the column with the edge targets' }),
  idColumn: optionalText({ description: 'for node tables: the column with the node ids' }),
  directed: Type.Optional(
    oneOf(['true', 'false'], { description: 'make all edges directed or undirected; default: as the file specifies' })
  ),
  charset: optionalText({ description: 'encoding of all files, such as iso-8859-2' }),
  oversize: Type.Optional(
    oneOf(['refuse', 'drop'], {
      description: 'what to do with metadata that is too large: refuse the file, or drop the value'
    })
  ),
  lenient: Type.Boolean({
    default: false,
    description: 'skip invalid nodes and edges, and the edges of skipped nodes, instead of rejecting the file'
  }),
  dryRun: Type.Boolean({ default: false, description: 'check the files and report on them, but change nothing' })
}
const settings = {
  key: optionalText({ description: 'key of the graph, for a single file; default: the file name' }),
  ifMatch: optionalText({ description: 'push only if the graph still has this ETag; for a single file' }),
  ...parameters,
  ...remoteSettings
}
type Settings = ReturnType<typeof readRemoteSettings<typeof settings>>['values']

export const help = usage(
  'push FILE|FOLDER…',
  `Pushes each file, and each graph file in a folder, to the graph on a server that has the same key. Creates the graph if it does not
exist. Unchanged content does not create a version. The key of a file in a folder is its path inside the folder. With - and --key, the
command reads standard input.`,
  settings,
  remoteHelp
)

/** Pushes files to graphs on a server. Returns 1 if the server refuses one of them, or 3 if it cannot be reached. */
const push: Command = async (args) => {
  const { values, positionals } = readRemoteSettings(settings, args, process.env)
  const server = remoteServerOf(process.env, values)
  if (positionals.length === 0) throw new BadSetting('specify at least one file')
  if (values.format !== undefined && !formatNamed(values.format)) {
    throw new BadSetting(`--format: unknown format ${values.format}`)
  }
  const { files, skipped } = await filesIn(positionals, values.format !== undefined)
  for (const name of ['key', 'name', 'ifMatch'] as const) {
    if (values[name] !== undefined && files.length !== 1) {
      throw new BadSetting(`--${name === 'ifMatch' ? 'if-match' : name} requires a single file`)
    }
  }
  if (positionals.includes('-') && values.key === undefined) throw new BadSetting('- requires --key')
  const names = new Set<string>()
  for (const { name } of files) {
    if (names.has(name))
      throw new BadSetting(`two files have the key ${printable(name)}: push them separately, with --key`)
    names.add(name)
  }

  let code = 0
  for (const file of files) code = Math.max(code, await pushFile(server, file, values))
  for (const line of skipped) printError(line)
  if (files.length === 0) printError(`found no files in a known format in ${positionals.map(printable).join(', ')}`)
  return files.length === 0 ? 1 : code
}

export default push

/** Pushes one file and prints the outcome. Returns the exit code. */
async function pushFile(server: RemoteServer, { path: file, name }: NamedFile, values: Settings): Promise<number> {
  const key = values.key ?? name
  const tell = (outcome: object) => printJson({ file, key, ...outcome })
  const progress = progressLine(`pushing ${printable(name)}`)
  try {
    const upload = await uploadOf(file, (sent, size) => progress.update(sent, size, 'bytes'))
    const request: RemoteRequest = {
      method: 'PUT',
      path: `api/account/graphs/${encodeURIComponent(key)}/content${queryOf(file, values)}`,
      headers: values.ifMatch === undefined ? {} : { 'if-match': values.ifMatch },
      upload
    }
    if (values.dryRun) {
      const { answer, body: report } = await ask(server, request, isReport).finally(progress.clear)
      if (values.json) tell({ report })
      else if (report.valid) {
        print(
          `${printable(file)}: ${titleOf(report)}, ${countsText(report)}${columnsText(report)}${lossText(lossesOf(answer))}${leftOutText(report)}`
        )
      } else throw new Refused(400, { detail: 'The file has errors.', errors: report.faults })
      return report.valid ? 0 : 1
    }
    const { answer, body: graph } = await ask(server, request, isGraph).finally(progress.clear)
    const losses = lossesOf(answer)
    const { statusCode, headers } = answer
    if (values.json) tell({ created: statusCode === 201, etag: headers.etag, losses, graph })
    else {
      const about = `graph ${graph.id}, ${printable(graph.name)}, ${countsText(graph)}, version ${graph.version}`
      print(`${printable(file)}: ${about}${lossText(losses)}`)
    }
    return 0
  } catch (error) {
    if (!(error instanceof Refused) && !(error instanceof Unreachable) && !isFileError(error)) throw error
    const { message } = error
    if (values.json)
      tell({ error: error instanceof Refused ? { ...error.problem, status: error.status } : { message } })
    const faults = error instanceof Refused ? error.faults : []
    const reason = faults.length > 0 ? 'the file has errors' : printable(message)
    printError([`${printable(file)}: not pushed: ${reason}`, ...faults].join('\n'))
    return 'isPassing' in error && error.isPassing ? 3 : 1
  }
}

/** Returns whether the error is from the file system. */
function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error
}

/** Returns the file as an upload. Reads standard input and pipes into memory, because a retry may have to send them again. */
async function uploadOf(file: string, onProgress: (sent: number, size: number) => void): Promise<Upload> {
  const described = file === '-' ? undefined : await stat(file)
  if (!described?.isFile()) {
    const bytes = await buffer(file === '-' ? process.stdin : createReadStream(file))
    return {
      size: bytes.length,
      open: () => Readable.from([bytes]),
      onProgress: (sent) => onProgress(sent, bytes.length)
    }
  }
  const { size } = described
  // If the file grows during the upload, send only its original length.
  const open = () => createReadStream(file, { end: size - 1 })
  return { size, open, onProgress: (sent) => onProgress(sent, size) }
}

/** Returns the query string of the request. The file extension determines the format if only one format uses that extension. */
function queryOf(file: string, values: Settings): string {
  const [format, ...others] = formatsOfFile(file)
  const query = new URLSearchParams()
  for (const name of Object.keys(parameters) as (keyof typeof parameters)[]) {
    const value = values[name]
    if (value !== undefined && value !== false) query.set(name === 'charset' ? 'encoding' : name, String(value))
  }
  if (format && others.length === 0 && !query.has('format')) query.set('format', format.name)
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}
