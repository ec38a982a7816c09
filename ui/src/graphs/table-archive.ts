import type { Columns } from './choices.ts'
import type { Table, TableGroup } from './items.ts'
import { withTitles } from './table-titles.ts'
import { zipOf } from './zip.ts'

// The API accepts one choice of columns for all tables of an archive. Tables whose columns the server would not detect by name
// are therefore packed with these column names, which take precedence over all others.

const ID = ':ID'
const SOURCE = ':START_ID'
const TARGET = ':END_ID'

/** Packs tables into an archive of this name, which the server imports as one graph. */
export async function archiveOf({ nodes, edges }: TableGroup, name: string): Promise<File> {
  const isNamed = nodes.every(isDetected)
  const folders = {
    nodes: await Promise.all(nodes.map((one) => packed(one, isNamed ? {} : { id: ID }))),
    edges: await Promise.all(edges.map((one) => packed(one, isDetected(one) ? {} : { source: SOURCE, target: TARGET })))
  }
  const files = Object.entries(folders).flatMap(([folder, tables]) =>
    tables.map(({ name, file }, index) => {
      // Two files may have the same name.
      const place = index === 0 ? folder : `${folder}-${index + 1}`
      return { name: `${place}/${name}`, file }
    })
  )
  return new File([await zipOf(files)], name)
}

/** Returns the choice of columns that the archive of a group needs. A column `id` beside a chosen id column is an attribute. */
export function columnsOf({ nodes }: TableGroup): Columns {
  return nodes.every(isDetected) ? {} : { idColumn: ID }
}

/** Returns whether the server detects the columns by name. */
function isDetected({ table }: Table) {
  return table.basis === 'names'
}

async function packed(one: Table, names: Parameters<typeof withTitles>[1]) {
  const { file, report } = one
  const ending = `.${report?.format}`
  const name = `${file.name}${file.name.toLowerCase().endsWith(ending) ? '' : ending}`
  return { name, file: Object.keys(names).length === 0 ? file : await withTitles(one, names) }
}
