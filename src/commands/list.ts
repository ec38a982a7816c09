import { Type } from '@sinclair/typebox'
import { accesses, type GraphRecord } from '../../schemas/graph.ts'
import { oneOf, optionalText } from '../../schemas/types.ts'
import type { Command } from '../command.ts'
import { isGraphs } from '../remote/answers.ts'
import { countsText } from '../remote/import-report.ts'
import {
  ask,
  Refused,
  readRemoteSettings,
  remoteHelp,
  remoteServerOf,
  remoteSettings,
  Unreachable
} from '../remote/server.ts'
import { BadSetting } from '../settings/config.ts'
import { usage } from '../settings/usage.ts'
import { printable } from '../system/printable.ts'
import { print, printError, printJson } from '../system/terminal.ts'

/** The settings that filter the list. */
const filters = {
  q: optionalText({ description: 'only graphs with this text in their name or description' }),
  tags: optionalText({ description: 'only graphs with all of these comma-separated tags' }),
  type: optionalText({ description: 'only graphs of this type' }),
  owner: optionalText({ description: 'only graphs that this user owns' }),
  access: Type.Optional(oneOf(accesses, { description: 'only graphs to which the token has this access' }))
}
const settings = { ...filters, ...remoteSettings }

export const help = usage(
  'list',
  `Lists the graphs that the token may read, one per line: id, access, owner, version, number of nodes and edges, name, and key if it
has one. With --json, each line is the record from the API.`,
  settings,
  remoteHelp
)

/** The number of graphs per request. */
const PAGE = '100'

/** Lists graphs on a server. Returns 1 if the server refuses, or 3 if it cannot be reached. */
const list: Command = async (args) => {
  const { values, positionals } = readRemoteSettings(settings, args, process.env)
  const server = remoteServerOf(process.env, values)
  if (positionals[0] !== undefined) throw new BadSetting(`too many arguments: ${positionals[0]}`)
  const query = new URLSearchParams({ size: PAGE })
  for (const name of Object.keys(filters) as (keyof typeof filters)[]) {
    if (values[name] !== undefined) query.set(name, values[name])
  }
  try {
    for (;;) {
      const { answer, body: graphs } = await ask(server, { method: 'GET', path: `api/graphs?${query}` }, isGraphs)
      for (const graph of graphs) values.json ? printJson(graph) : print(lineOf(graph))
      const cursor = answer.headers['x-next-cursor']
      if (typeof cursor !== 'string') return 0
      if (cursor === query.get('cursor')) throw new Refused(200, { detail: 'the server returned the same page twice' })
      query.set('cursor', cursor)
    }
  } catch (error) {
    if (!(error instanceof Refused) && !(error instanceof Unreachable)) throw error
    printError(`graphstead list: ${printable(error.message)}`)
    return error.isPassing ? 3 : 1
  }
}

export default list

function lineOf({ id, access, owner, version, nodeCount, edgeCount, name, key }: GraphRecord) {
  const numbers = `version ${version}, ${countsText({ nodeCount, edgeCount })}`
  const words = `${printable(name)}${key === undefined ? '' : ` [${printable(key)}]`}`
  return `${String(id).padStart(6)} ${printable(access).padEnd(5)} ${printable(owner).padEnd(16)} ${numbers}: ${words}`
}
