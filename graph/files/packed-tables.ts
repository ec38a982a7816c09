import type { FormatName } from '../../schemas/graph-file.ts'
import { shortened } from '../content/pointers.ts'
import { formatsOfFile } from '../formats/index.ts'
import type { NamedTable } from '../formats/tables/join.ts'

/** A table in an archive, with its format. */
export interface PackedTable extends NamedTable {
  format: FormatName
}

/** The maximum length of names in reports, in UTF-16 units. */
const LONGEST_NAME = 100

/** The maximum number of tables. */
const MAX_TABLES = 200

/** Returns `csv` or `tsv` if the file name has that extension, otherwise undefined. */
function tableFormatOf(name: string): 'csv' | 'tsv' | undefined {
  const [format] = formatsOfFile(name)
  return format?.name === 'csv' || format?.name === 'tsv' ? format.name : undefined
}

/** Returns the tables of an archive that contains nothing else, otherwise undefined. `unpacked` returns the bytes of an entry. */
export function tablesOnly<Entry extends { name: string }>(
  graphs: readonly Entry[],
  unpacked: (entry: Entry) => Buffer
): PackedTable[] | undefined {
  if (graphs.length < 2 || graphs.length > MAX_TABLES) return undefined
  const tables = graphs.flatMap((entry) => {
    const format = tableFormatOf(entry.name)
    return format === undefined ? [] : { entry, format, name: shortened(entry.name, LONGEST_NAME) }
  })
  if (new Set(tables.map(({ name }) => name)).size < graphs.length) return undefined
  return tables.map(({ entry, format, name }) => {
    return { name, bytes: unpacked(entry), format, delimiter: format === 'tsv' ? '\t' : undefined }
  })
}
