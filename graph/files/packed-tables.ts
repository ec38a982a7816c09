import type { FormatName } from '../../schemas/graph-file.ts'
import { shortened } from '../content/pointers.ts'
import { formatsOfFile } from '../formats/index.ts'
import type { NamedTable } from '../formats/tables/join.ts'

/** A table of an archive, and its format. */
export interface PackedTable extends NamedTable {
  format: FormatName
}

/** Names in reports are cut off, in UTF-16 units. */
const LONGEST_NAME = 100

/** Returns the format of a table by the name of its file, such as `csv`; undefined if it names no table. */
function tableFormatOf(name: string): 'csv' | 'tsv' | undefined {
  const [format] = formatsOfFile(name)
  return format?.name === 'csv' || format?.name === 'tsv' ? format.name : undefined
}

/** Returns the tables of an archive whose graphs are two tables; `unpacked` returns the bytes of each. */
export function twoTables<Entry extends { name: string }>(
  graphs: readonly Entry[],
  unpacked: (entry: Entry) => Buffer
): PackedTable[] | undefined {
  if (graphs.length !== 2) return undefined
  const tables = graphs.flatMap((entry) => {
    const format = tableFormatOf(entry.name)
    return format === undefined ? [] : { entry, format, name: shortened(entry.name, LONGEST_NAME) }
  })
  if (new Set(tables.map(({ name }) => name)).size < 2) return undefined
  return tables.map(({ entry, format, name }) => {
    return { name, bytes: unpacked(entry), format, delimiter: format === 'tsv' ? '\t' : undefined }
  })
}
