import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { Type } from '@sinclair/typebox'
import { system } from '../../db/actors.ts'
import { GraphChanges, keepEverything } from '../../db/changes/graphs.ts'
import type { Store } from '../../db/store.ts'
import { findUser } from '../../db/users/users.ts'
import { contentChecker } from '../../graph/content/content.ts'
import { type FileOptions, type FileReading, readGraphFile } from '../../graph/files/conversion.ts'
import { fileStem } from '../../graph/files/names.ts'
import { formatNamed, formats, formatsOfFile } from '../../graph/formats/index.ts'
import { serveSettings, storeSettings } from '../../schemas/settings.ts'
import { oneOf, optionalText } from '../../schemas/types.ts'
import type { Command } from '../command.ts'
import { filesIn } from '../remote/graph-files.ts'
import { columnsText, countsText, faultText, leftOutText, lossText, titleOf } from '../remote/import-report.ts'
import { BadSetting, readSettings } from '../settings/config.ts'
import { usage } from '../settings/usage.ts'
import { printable } from '../system/printable.ts'
import { progressLine } from '../system/progress.ts'
import { print, printError } from '../system/terminal.ts'
import { withStore } from '../with-store.ts'

const { maxNodes, maxEdges, bodyLimit, metadataLimit } = serveSettings
const settings = {
  owner: optionalText({ description: 'login of the user who will own the graphs; required' }),
  shared: Type.Boolean({ default: false, description: 'share the graphs with every signed-in user' }),
  format: optionalText({ description: `format of all files: ${formats.map(({ name }) => name).join(', ')}` }),
  name: optionalText({
    description: 'name of the graph, for a single file; default: the name in the file',
    minLength: 1,
    maxLength: 255
  }),
  description: optionalText({ description: 'description of the graph, for a single file', maxLength: 2000 }),
  charset: optionalText({ description: 'encoding of all files, such as iso-8859-2' }),
  sourceColumn: optionalText({
    description: 'for tables: the column with the edge sources, by name or by number from 1'
  }),
  targetColumn: optionalText({ description: 'for tables: the column with the edge targets' }),
  idColumn: optionalText({ description: 'for node tables: the column with the node ids' }),
  directed: Type.Optional(
    oneOf(['true', 'false'], { description: 'make all edges directed or undirected; default: as the file specifies' })
  ),
  oversize: oneOf(['refuse', 'drop'], {
    default: 'refuse',
    description: 'what to do with metadata above --metadata-limit: refuse the file, or drop the value'
  }),
  lenient: Type.Boolean({
    default: false,
    description: 'skip invalid nodes and edges, and the edges of skipped nodes, instead of rejecting the file'
  }),
  dryRun: Type.Boolean({ default: false, description: 'check the files and report on them, but store nothing' }),
  ...storeSettings,
  maxNodes,
  maxEdges,
  bodyLimit,
  metadataLimit
}

const endings = [...new Set(formats.flatMap((format) => format.endings))]
export const help = usage(
  'import FILE… --owner LOGIN',
  `Imports a graph from each file, from each file in a folder, or from standard input with -. The extension determines the format:
${endings.join(' ')}
For other extensions, the content does. Files may be compressed with gzip or zstd, and a zip archive may contain one graph, or
tables of nodes and tables of edges. Files with faults are skipped, and the report lists the line of each fault.`,
  settings
)

/** Imports graphs from files. Returns 1 if it skipped any of them. */
const importFiles: Command = async (args) => {
  const { values, positionals } = readSettings(settings, args, process.env)
  const { owner, shared, format, name, description, sourceColumn, targetColumn, dryRun } = values
  if (positionals.length === 0) throw new BadSetting('specify at least one file')
  if (owner === undefined) throw new BadSetting('--owner is missing')
  if ((sourceColumn === undefined) !== (targetColumn === undefined))
    throw new BadSetting('--source-column and --target-column must be used together')
  if (format !== undefined && !formatNamed(format)) throw new BadSetting(`--format: unknown format ${format}`)

  return withStore(values, async (store) => {
    if (!(await findUser(store.read, owner))) throw new BadSetting(`--owner: user ${owner} not found`)
    const check = contentChecker(values)
    const { files, skipped } = await filesIn(positionals, format !== undefined)
    if (name !== undefined && files.length !== 1) throw new BadSetting('--name requires a single file')
    if (description !== undefined && files.length !== 1) throw new BadSetting('--description requires a single file')
    const progress = progressLine(dryRun ? 'reading' : 'importing')
    let failed = 0
    for (const [index, { path: file }] of files.entries()) {
      progress.update(index, files.length, file)
      const options = {
        formats: format === undefined ? formatsOf(file) : [format],
        charset: values.charset,
        sourceColumn,
        targetColumn,
        idColumn: values.idColumn,
        directed: values.directed === undefined ? undefined : values.directed === 'true',
        oversize: values.oversize,
        lenient: values.lenient
      }
      const outcome = await importFile(file, options)
      progress.clear()
      if (outcome.failure === undefined) print(`${printable(file)}: ${outcome.success}`)
      else {
        failed++
        printError(`${printable(file)}: not imported: ${outcome.failure}`)
      }
    }
    for (const line of skipped) printError(line)
    if (files.length === 0) printError(`found no files in a known format in ${positionals.map(printable).join(', ')}`)
    if (files.length > 1) {
      const done = dryRun
        ? `${files.length - failed} of ${files.length} files can be imported`
        : `Imported ${files.length - failed} of ${files.length} files`
      print(failed === 0 ? done : `${done}; ${failed} failed`)
    }
    return failed === 0 && files.length > 0 ? 0 : 1

    async function importFile(file: string, options: FileOptions): Promise<{ success?: string; failure?: string }> {
      try {
        const bytes = await readBounded(file, values.bodyLimit)
        if (!bytes) return { failure: `it exceeds the limit of ${values.bodyLimit} bytes` }
        const reading = readGraphFile(bytes, options, values, check)
        const { report, stored } = reading
        if (!stored) return { failure: faultText(report) }
        if (dryRun)
          return {
            success: `${titleOf(report)}, ${countsText(report)}${columnsText(report)}${lossText(report.losses)}${leftOutText(report)}`
          }
        const graph = await storeGraph(store, name ?? reading.report.name ?? stemOf(file), reading, {
          owner: owner as string,
          description: description ?? null,
          shared
        })
        return {
          success: `graph ${graph.id}, ${printable(graph.name)}, ${countsText(graph)}${columnsText(report)}${lossText(report.losses)}${leftOutText(report)}`
        }
      } catch (error) {
        return { failure: printable((error as Error).message) }
      }
    }
  })
}

export default importFiles

/** Reads the file, or standard input if the name is `-`. Returns undefined if the content exceeds the limit in bytes. */
async function readBounded(file: string, limit: number) {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of file === '-' ? process.stdin : createReadStream(file)) {
    size += (chunk as Buffer).length
    if (size > limit) return undefined
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

/** Returns the name for a graph whose file does not specify one. */
function stemOf(file: string) {
  return file === '-' ? 'standard input' : fileStem(basename(file))
}

/**
 * Returns the formats with this file extension. Returns undefined if the extension is unknown, in which case all formats are
 * tried.
 */
function formatsOf(file: string) {
  const found = formatsOfFile(file).map(({ name }) => name)
  return found.length > 0 ? found : undefined
}

const graphs = new GraphChanges(keepEverything)

function storeGraph(
  store: Store,
  name: string,
  { report, stored }: FileReading,
  { owner, description, shared }: { owner: string; description: string | null; shared: boolean }
) {
  return store.write(async (trx) => {
    // Reading the files may take a long time, so check again.
    if (!(await findUser(trx, owner))) throw new Error(`the user ${owner} no longer exists`)
    return graphs.createFor(trx, system, owner, {
      values: { name, type: report.type ?? null, description, shared },
      content: stored
    })
  })
}
