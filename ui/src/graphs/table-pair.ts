import { stemOf } from './file-headers.ts'
import type { Columns } from './import.ts'
import type { Item, TablePair } from './items.ts'
import { zipOf } from './zip.ts'

/** Returns the one table of nodes and the one table of edges among the files; undefined if there are fewer or more. */
export function pairOf(items: readonly Item[]): TablePair | undefined {
  const tables = items.filter((item): item is TablePair['nodes'] => mayBePaired(item))
  const [nodes, moreNodes] = tables.filter(({ table }) => table.kind === 'nodes')
  const [edges, moreEdges] = tables.filter(({ table }) => table.kind === 'edges' && table.sourceColumn !== undefined)
  return nodes && edges && !moreNodes && !moreEdges ? { nodes, edges } : undefined
}

/** Tells whether both pairs are the same files, read in the same way. */
export function isSamePair(one: TablePair, other: TablePair) {
  return one.nodes.table === other.nodes.table && one.edges.table === other.edges.table
}

function mayBePaired({ file, report, table, graph, parts }: Item) {
  const isTable = table !== undefined && (report?.format === 'csv' || report?.format === 'tsv')
  return isTable && !graph && !parts && !/\.(gz|zst|zip)$/i.test(file.name)
}

/** Returns an archive of both tables, which the server reads as one graph. */
export async function archiveOf({ nodes, edges }: TablePair): Promise<File> {
  const archive = await zipOf(
    Object.entries({ nodes, edges }).map(([folder, { file, report }]) => {
      const ending = `.${report?.format}`
      return { name: `${folder}/${file.name}${file.name.toLowerCase().endsWith(ending) ? '' : ending}`, file }
    })
  )
  return new File([archive], `${nodes.file.name} + ${edges.file.name}`)
}

/** The columns that the server would not find by their names again. */
export function columnsOf({ nodes, edges }: TablePair): Columns {
  const { sourceColumn, targetColumn, basis } = edges.table
  const isGuessed = basis !== 'names' && sourceColumn !== undefined && targetColumn !== undefined
  const { idColumn } = nodes.table
  return {
    ...(isGuessed && { sourceColumn, targetColumn }),
    ...(nodes.table.basis === 'choice' && idColumn !== undefined && { idColumn })
  }
}

/** The name of the graph: what the names of both files begin with, else that of the edges. */
export function nameOfPair({ nodes, edges }: TablePair): string {
  const [first, second] = [stemOf(nodes.file.name), stemOf(edges.file.name)]
  const length = [...first].findIndex((letter, index) => letter !== [...second][index])
  const shared = (length < 0 ? first : [...first].slice(0, length).join('')).replace(/[\s._-]+$/, '')
  return shared || second
}
