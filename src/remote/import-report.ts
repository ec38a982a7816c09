import { formatNamed } from '../../graph/formats/index.ts'
import type { ImportReport, Loss } from '../../schemas/graph-file.ts'
import type { Fault } from '../../schemas/problem.ts'
import { printable } from '../system/printable.ts'

/** Returns the name of the format that the file was read as, with its version if known. */
export function titleOf({ format, version }: ImportReport) {
  const title = formatNamed(format)?.title ?? format
  return version === undefined ? title : `${title} ${printable(version)}`
}

/** Returns the number of nodes and edges as text. */
export function countsText({ nodeCount, edgeCount }: { nodeCount: number; edgeCount: number }) {
  return `${nodeCount} ${nodeCount === 1 ? 'node' : 'nodes'}, ${edgeCount} ${edgeCount === 1 ? 'edge' : 'edges'}`
}

/** Returns which columns were used as the ends of edges, for tables without columns named Source and Target. */
export function columnsText({ table }: ImportReport) {
  if (table?.sourceColumn === undefined || table.targetColumn === undefined) return ''
  const [source, target] = [table.sourceColumn, table.targetColumn].map(printable)
  if (source?.toLowerCase() === 'source' && target?.toLowerCase() === 'target') return ''
  return `, edges from ${JSON.stringify(source)} to ${JSON.stringify(target)}`
}

/** Lists the losses with their counts, each preceded by a comma. Empty if there are none. */
export function lossText(losses: Pick<Loss, 'code' | 'count'>[]) {
  return losses.map(({ code, count }) => `, ${code}: ${count}`).join('')
}

/** Returns the number of faults, followed by the first ones, one per line. */
export function faultText({ faults, faultCount }: ImportReport) {
  const told = faults.reduce((sum, { count = 1 }) => sum + count, 0)
  const more = faultCount > told ? `\n  and ${faultCount - told} more` : ''
  return `${faultCount} ${faultCount === 1 ? 'fault' : 'faults'}\n${faults.map(faultLine).join('\n')}${more}`
}

/** Returns the fault with its position, for a terminal. */
export function faultLine({ file, line, column, element, detail, count, lines }: Fault) {
  const within = file === undefined ? '' : `${file}, `
  const place = line === undefined ? 'the file' : `${within}line ${line}, column ${column}:`
  const more = count !== undefined && lines !== undefined && count > lines.length ? ', …' : ''
  const others = lines === undefined || lines.length === 1 ? '' : `: lines ${lines.join(', ')}${more}`
  const times = count === undefined ? '' : ` (${count} times${others})`
  return printable(`  ${place} ${element === undefined ? '' : `${element}: `}${detail}${times}`)
}
