import { Type } from '@sinclair/typebox'
import { system } from '../../../db/actors.ts'
import { recordEvent } from '../../../db/audit/events.ts'
import { exportLines } from '../../../db/audit/export.ts'
import { AuditLineWriter } from '../../../db/audit/line-writer.ts'
import { heads } from '../../../db/audit/lines.ts'
import { openStore } from '../../../db/engine/open.ts'
import { StoreRefused, StoreUnavailable } from '../../../db/store.ts'
import { periodOf } from '../../../plugins/http/periods.ts'
import { auditFilters } from '../../../schemas/audit.ts'
import { AuditExportQuery, exportFormats } from '../../../schemas/audit-export.ts'
import { ProblemError } from '../../../schemas/problem-catalogue.ts'
import { storeSettings } from '../../../schemas/settings.ts'
import { oneOf, optionalText } from '../../../schemas/types.ts'
import { AuditLogRefused, readShown } from '../../audit/shown.ts'
import { AuditKeyRefused } from '../../audit/signing-key.ts'
import { writeTileFolder } from '../../audit/tiles.ts'
import type { Command } from '../../command.ts'
import { BadSetting, flagOf, readSettings, variableOf } from '../../settings/config.ts'
import { existingDatabase } from '../../settings/data-folder.ts'
import { usage } from '../../settings/usage.ts'
import { startThread } from '../../system/assets.ts'
import { progressLine } from '../../system/progress.ts'
import { printError, prompt } from '../../system/terminal.ts'
import { isInTheWay, writeWhole } from '../../system/whole-file.ts'

const settings = {
  format: oneOf(exportFormats, {
    default: 'jsonl',
    description: 'JSON Lines with the bytes that the proofs cover, or CSV'
  }),
  ...auditFilters,
  after: AuditExportQuery.properties.after,
  tiles: optionalText({
    minLength: 1,
    description: 'folder for the whole log, so that others can verify it; adds only what is missing'
  }),
  force: Type.Boolean({ default: false, description: 'replace an existing file' }),
  ...storeSettings
}

export const help = usage(
  'audit export [FILE]',
  `Writes the events of the audit log to a file or to standard output, in log order, even while a server runs. With --tiles DIR,
it writes a folder that graphstead audit verify and other programs can verify: checkpoint, key, tile/… and events.jsonl. The
export ends at the latest checkpoint, and is itself recorded as an event.`,
  settings
)

/** Exports the audit log. Returns 1 if the export is refused or the file already exists. */
const exportAudits: Command = async (args) => {
  const plan = planOf(args)
  const { values, file, filter, from, recorded } = plan
  const { data, format, tiles, force } = values
  const target = tiles ?? file
  if (tiles === undefined && !force && (await isInTheWay(file, 'audit export'))) return 1

  const store = await openStore(values, () => existingDatabase(data), startThread)
  process.umask(0o077)
  const writer = new AuditLineWriter(startThread)
  const progress = progressLine('export')
  try {
    const shown = await readShown(store.read, data)
    const { size, checkpoint } = shown
    const event = { type: 'AUDIT_EXPORTED', data: { ...recorded, size: String(size) } } as const
    await store
      .write((trx) => recordEvent(trx, system, event))
      .catch((error: unknown) => {
        if (!(error instanceof StoreUnavailable)) throw error
        throw new StoreRefused(`The export cannot be recorded as an event: ${error.message}.`)
      })
    let total = 0
    const onLines = ({ count, next }: { count: number; next: number }) => {
      total += count
      progress.update(next, size, 'leaves')
    }
    if (tiles !== undefined) {
      total = await writeTileFolder(store, writer, tiles, shown, onLines)
    } else {
      const lines = exportLines(store, writer, { format, filter, from, size })
      if (!(await writeWhole(file, bytesOf(heads[format], lines, onLines)))) return 0
    }
    progress.clear()
    const added = tiles === undefined ? '' : ' added'
    prompt(`${target}: ${total} events${added}, up to the checkpoint\n\n${checkpoint}`)
    return 0
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException
    const isOfFile = code !== undefined && syscall !== undefined
    if (!isOfFile && !(error instanceof AuditLogRefused) && !(error instanceof AuditKeyRefused)) throw error
    progress.clear()
    printError(`graphstead audit export: ${isOfFile ? `${target} cannot be written: ` : ''}${message}`)
    return 1
  } finally {
    await writer.close()
    await store.close()
  }
}

export default exportAudits

/** Parses the command line. Throws BadSetting. */
function planOf(args: string[]) {
  // Take only the location of the records from the environment, because a filter there was probably not meant for this command.
  const variables = Object.keys(storeSettings).flatMap((name) => [variableOf(name), `${variableOf(name)}_FILE`])
  const env = Object.fromEntries(variables.map((name) => [name, process.env[name]]))
  const { values, positionals } = readSettings(settings, args, env)
  const { format, tiles, after } = values
  const [file = '-', ...more] = positionals
  if (more.length > 0) throw new BadSetting(`too many arguments: ${more[0]}`)
  const filters: Record<string, string> = {}
  for (const name of Object.keys(auditFilters) as (keyof typeof auditFilters)[]) {
    if (values[name] !== undefined) filters[name] = values[name]
  }
  const isPart = positionals.length > 0 || after !== undefined || format !== 'jsonl' || Object.keys(filters).length > 0
  if (tiles !== undefined && isPart) {
    throw new BadSetting('--tiles exports the whole log: it cannot be combined with a file, a format or filters')
  }
  return {
    values,
    file,
    filter: { ...filters, period: periodIn(filters) },
    from: after === undefined ? 0 : Number(after) + 1,
    recorded: { format: tiles === undefined ? format : 'tiles', ...filters, after }
  }
}

/** Returns the period between the dates. Throws BadSetting. */
function periodIn(dates: Parameters<typeof periodOf>[0]) {
  try {
    return periodOf(dates)
  } catch (error) {
    const [fault] = error instanceof ProblemError ? (error.circumstances.errors ?? []) : []
    if (!fault?.parameter) throw error
    throw new BadSetting(`--${flagOf(fault.parameter)} ${fault.detail}`)
  }
}

async function* bytesOf<Lines extends { bytes: Uint8Array }>(
  head: string,
  lines: AsyncIterable<Lines>,
  onLines: (lines: Lines) => void
) {
  if (head !== '') yield Buffer.from(head)
  for await (const written of lines) {
    const { buffer, byteOffset, length } = written.bytes
    yield Buffer.from(buffer, byteOffset, length)
    onLines(written)
  }
}
