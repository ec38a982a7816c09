import { Type } from '@sinclair/typebox'
import { system } from '../../db/actors.ts'
import { bodyOf, loadConsistently } from '../../db/graphs/contents.ts'
import { findGraphWithContent } from '../../db/graphs/graphs.ts'
import { contentOf, jsonOf } from '../../graph/content/content.ts'
import { writeGraphFile } from '../../graph/files/conversion.ts'
import { writableFormats } from '../../graph/formats/index.ts'
import { storeSettings } from '../../schemas/settings.ts'
import type { Command } from '../command.ts'
import { formatFor, formatSetting } from '../remote/graph-files.ts'
import { countsText } from '../remote/import-report.ts'
import { BadSetting, readSettings } from '../settings/config.ts'
import { usage } from '../settings/usage.ts'
import { printable } from '../system/printable.ts'
import { printError } from '../system/terminal.ts'
import { isInTheWay, writeWhole } from '../system/whole-file.ts'
import { withStore } from '../with-store.ts'

const settings = {
  format: formatSetting,
  force: Type.Boolean({ default: false, description: 'replace an existing file' }),
  ...storeSettings
}

export const help = usage(
  'export ID FILE',
  `Writes the content of a graph to a file, or to standard output with -. The extension determines the format:
${writableFormats.map(({ endings, title }) => `${endings[0]} ${title}`).join(', ')}.
The command reports anything that the format cannot represent.`,
  settings
)

/** Exports a graph. Returns 1 if the graph does not exist or the file already does. */
const exportGraph: Command = async (args) => {
  const { values, positionals } = readSettings(settings, args, process.env)
  const [id = '', file, ...more] = positionals
  if (!/^[1-9]\d{0,15}$/.test(id)) throw new BadSetting('specify the id of a graph, such as 12')
  if (file === undefined || more.length > 0) throw new BadSetting('name one file')
  const format = formatFor(file, values.format)

  return withStore(values, async (store) => {
    const find = () => findGraphWithContent(store.read, system, Number(id))
    const graph = await loadConsistently(await find(), find, async (found) => {
      if (!found) return undefined
      const { name, type, content } = found
      return { name, type, body: content && (await bodyOf(store.read, content)) }
    })
    if (!graph) {
      printError(`graphstead export: graph ${id} not found`)
      return 1
    }
    if (!values.force && (await isInTheWay(file, 'export'))) return 1
    const { name, type, body } = graph
    const content = contentOf(body === null ? undefined : await jsonOf(body))
    const { losses, chunks } = writeGraphFile({ name, ...(type !== null && { type }), content }, format)
    try {
      if (!(await writeWhole(file, chunks))) return 0
    } catch (error) {
      printError(`graphstead export: ${file} cannot be written: ${(error as Error).message}`)
      return 1
    }
    printError(
      `${file}: graph ${id}, ${printable(name)}, ${countsText({ nodeCount: content.nodes.length, edgeCount: content.edges.length })}`
    )
    for (const { code, count, detail } of losses) printError(`  ${code}: ${count} (${detail})`)
    return 0
  })
}

export default exportGraph
