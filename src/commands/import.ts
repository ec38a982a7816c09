import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { Type } from '@sinclair/typebox'
import type { ValidateFunction } from 'ajv'
import { system } from '../../db/audits.ts'
import { createGraph } from '../../db/graphs.ts'
import { openSqlite } from '../../db/sqlite.ts'
import type { Store } from '../../db/store.ts'
import { findUser } from '../../db/users.ts'
import { NewGraph } from '../../schemas/graph.ts'
import { type Fault, MAX_FAULTS } from '../../schemas/problem.ts'
import { BadSetting, readSettings, serveSettings } from '../config.ts'
import { type CheckContent, contentChecker, prepareContent } from '../content.ts'
import { existingDatabase } from '../data-folder.ts'
import { invalid, ProblemError } from '../errors.ts'
import { formatOfFile, formats } from '../formats/index.ts'
import type { Command } from '../main.ts'
import { progressLine } from '../progress.ts'
import { usage, wantsHelp } from '../usage.ts'
import { faultOf, newAjv } from '../validation.ts'

const { data, maxNodes, maxEdges } = serveSettings
const settings = {
  owner: Type.Optional(Type.String({ description: 'login of the user who gets the graphs; required' })),
  shared: Type.Boolean({ default: false, description: 'share them with every logged-in user' }),
  data,
  maxNodes,
  maxEdges
}

/** Names and types are what requests may say of them, too. */
const ajv = newAjv()
const isName = ajv.compile(NewGraph.properties.name)
const isType = ajv.compile(NewGraph.properties.type)

const endings = formats.flatMap((format) => format.endings).join(', ')
const help = usage(
  'import FILE… --owner LOGIN',
  `Takes in graphs, one from each file, by the ending of its name: ${endings}.
A file that has faults is named, with their lines, and left out; the others are kept.`,
  settings
)

/** Takes in graphs from files. Ends with 1 where a file was left out. */
const importFiles: Command = async (args) => {
  if (wantsHelp(args)) {
    console.log(help)
    return 0
  }
  const { values, positionals: files } = readSettings(settings, args, process.env)
  if (files.length === 0) throw new BadSetting('no file is named')
  if (values.owner === undefined) throw new BadSetting('--owner is missing')

  const store = await openSqlite(existingDatabase(values.data))
  try {
    const { owner, shared } = values
    if (!(await findUser(store.read, owner))) throw new BadSetting(`--owner: there is no user ${owner}`)
    const checkContent = contentChecker(values)
    const progress = progressLine('importing', files.length)
    let failed = 0
    for (const [index, file] of files.entries()) {
      progress.update(index, file)
      try {
        const graph = await importFile(store, file, { owner, shared, checkContent })
        progress.clear()
        console.log(`${file}: graph ${graph.id}, ${graph.name}, ${graph.nodeCount} nodes, ${graph.edgeCount} edges`)
      } catch (error) {
        failed++
        progress.clear()
        console.error(`${file}: not imported: ${reason(error)}`)
      }
    }
    return failed === 0 ? 0 : 1
  } finally {
    await store.close()
  }
}

export default importFiles

interface Destination {
  owner: string
  shared: boolean
  checkContent: CheckContent
}

/** Stores the graph of the file. Throws ProblemError with the line of each fault. */
async function importFile(store: Store, file: string, { owner, shared, checkContent }: Destination) {
  const format = formatOfFile(file)
  if (!format) throw new Error(`the ending of its name is none of ${endings}`)
  const bytes = await readFile(file)
  try {
    const { name: given = '', type = null, content, origin } = format.read(bytes)
    const { faults, stored } = prepareContent(content, checkContent)
    if (!stored) throw invalid(...faults.map((fault) => ({ ...fault, pointer: origin(fault.pointer ?? '#') })))
    if (!isType(type)) throw invalid(...faultsAt(origin('#/type'), isType))
    const name = [given, withoutEnding(basename(file), format.endings)].find((text) => isName(text)) ?? 'graph'
    return await store.write((trx) =>
      createGraph(trx, system, owner, { name, type, description: null, shared }, stored)
    )
  } catch (error) {
    if (error instanceof ProblemError && error.circumstances.errors) {
      const { errors } = error.circumstances
      const places = format.locate(
        bytes,
        errors.map(({ pointer }) => pointer ?? '#')
      )
      throw invalid(...errors.map((fault, index) => ({ ...fault, ...places[index] })))
    }
    throw error
  }
}

function reason(error: unknown) {
  const faults = error instanceof ProblemError ? error.circumstances.errors : undefined
  if (!faults) return (error as Error).message
  const more = faults.length >= MAX_FAULTS ? ' or more' : ''
  return `${faults.length}${more} ${faults.length === 1 ? 'fault' : 'faults'}\n${faults.map(faultLine).join('\n')}`
}

function faultLine({ line, column, pointer, detail }: Fault) {
  return `  line ${line}, column ${column}: ${pointer} ${detail}`
}

function withoutEnding(name: string, endings: readonly string[]) {
  const ending = endings.find((candidate) => name.toLowerCase().endsWith(candidate)) ?? ''
  return name.slice(0, name.length - ending.length)
}

/** What the last validation found wrong with the value that stands there. */
function faultsAt(pointer: string, { errors }: ValidateFunction): Fault[] {
  return (errors ?? []).map((error) => {
    const { code, detail } = faultOf(error)
    return { pointer, code, detail }
  })
}
