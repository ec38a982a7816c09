import { stemOf } from './file-headers.ts'
import type { Columns } from './import.ts'
import type { Item, TablePair } from './items.ts'
import { zipOf } from './zip.ts'

/** Returns the node table and the edge table among the files. Returns undefined unless there is exactly one of each. */
export function pairOf(items: readonly Item[]): TablePair | undefined {
  const tables = items.filter((item): item is TablePair['nodes'] => mayBePaired(item))
  const [nodes, moreNodes] = tables.filter(({ table }) => table.kind === 'nodes')
  const [edges, moreEdges] = tables.filter(({ table }) => table.kind === 'edges' && table.sourceColumn !== undefined)
  return nodes && edges && !moreNodes && !moreEdges ? { nodes, edges } : undefined
}

/** Returns whether both pairs consist of the same files and columns. */
export function isSamePair(one: TablePair, other: TablePair) {
  return one.nodes.table === other.nodes.table && one.edges.table === other.edges.table
}

function mayBePaired({ file, report, table, graph, parts }: Item) {
  const isTable = table !== undefined && (report?.format === 'csv' || report?.format === 'tsv')
  return isTable && !graph && !parts && !/\.(gz|zst|zip)$/i.test(file.name)
}

/** Packs both tables into an archive that the server imports as one graph. */
export async function archiveOf({ nodes, edges }: TablePair): Promise<File> {
  const archive = await zipOf(
    Object.entries({ nodes, edges }).map(([folder, { file, report }]) => {
      const ending = `.${report?.format}`
      return { name: `${folder}/${file.name}${file.name.toLowerCase().endsWith(ending) ? '' : ending}`, file }
    })
  )
  return new File([archive], `${nodes.file.name} + ${edges.file.name}`)
}

/** Returns the columns that the server would not detect by name. */
export function columnsOf({ nodes, edges }: TablePair): Columns {
  const { sourceColumn, targetColumn, basis } = edges.table
  const isGuessed = basis !== 'names' && sourceColumn !== undefined && targetColumn !== undefined
  const { idColumn } = nodes.table
  return {
    ...(isGuessed && { sourceColumn, targetColumn }),
    ...(nodes.table.basis === 'choice' && idColumn !== undefined && { idColumn })
  }
}

/** Returns a name for the graph: the common prefix of the two file names, or else the name of the edge file. */
export function nameOfPair({ nodes, edges }: TablePair): string {
  const [first, second] = [stemOf(nodes.file.name), stemOf(edges.file.name)]
  const length = [...first].findIndex((letter, index) => letter !== [...second][index])
  const shared = (length < 0 ? first : [...first].slice(0, length).join('')).replace(/[\s._-]+$/, '')
  return shared || second
}
