import { formatNamed } from '../../graph/formats/index.ts'
import type { ImportReport, Loss } from '../../schemas/graph-file.ts'
import type { Fault } from '../../schemas/problem.ts'
import { printable } from '../system/printable.ts'

/** Returns the name of the format in which the file was read, with its version if known. */
export function titleOf({ format, version }: ImportReport) {
  const title = formatNamed(format)?.title ?? format
  return version === undefined ? title : `${title} ${printable(version)}`
}

/** Formats the number of nodes and of edges as text. */
export function countsText({ nodeCount, edgeCount }: { nodeCount: number; edgeCount: number }) {
  return `${nodeCount} ${nodeCount === 1 ? 'node' : 'nodes'}, ${edgeCount} ${edgeCount === 1 ? 'edge' : 'edges'}`
}

/** Returns the columns that were used as edge endpoints, if the table has no columns named Source and Target. */
export function columnsText({ table }: ImportReport) {
  if (table?.sourceColumn === undefined || table.targetColumn === undefined) return ''
  const [source, target] = [table.sourceColumn, table.targetColumn].map(printable)
  if (source?.toLowerCase() === 'source' && target?.toLowerCase() === 'target') return ''
  return `, edges from ${JSON.stringify(source)} to ${JSON.stringify(target)}`
}

/** Lists the losses with their counts, each preceded by a comma. Returns an empty string if there are no losses. */
export function lossText(losses: Pick<Loss, 'code' | 'count'>[]) {
  return losses.map(({ code, count }) => `, ${code}: ${count}`).join('')
}

/** Returns the number of faults, followed by the first ones, one per line. */
export function faultText({ faults, faultCount }: ImportReport) {
  const told = faults.reduce((sum, { count = 1 }) => sum + count, 0)
  const more = faultCount > told ? `\n  and ${faultCount - told} more` : ''
  return `${faultCount} ${faultCount === 1 ? 'fault' : 'faults'}\n${faults.map(faultLine).join('\n')}${more}`
}

/** Returns a list of the faults of elements that a lenient import omitted, or an empty string. */
export function leftOutText(report: ImportReport) {
  return report.valid && report.faultCount > 0 ? `; skipped because of ${faultText(report)}` : ''
}

/** Returns the fault with its position, formatted for a terminal. */
export function faultLine({ file, line, column, element, detail, count, lines }: Fault) {
  const within = file === undefined ? '' : `${file}, `
  const place = line === undefined ? 'the file' : `${within}line ${line}, column ${column}:`
  const more = count !== undefined && lines !== undefined && count > lines.length ? ', …' : ''
  const others = lines === undefined || lines.length === 1 ? '' : `: lines ${lines.join(', ')}${more}`
  const times = count === undefined ? '' : ` (${count} times${others})`
  return printable(`  ${place} ${element === undefined ? '' : `${element}: `}${detail}${times}`)
}
