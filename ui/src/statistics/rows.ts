import { formatNumber, text } from '../text/index.ts'
import type { Statistics } from './statistics.ts'

const words = text.statistics

/** A line of the table of statistics. */
export interface StatisticsRow {
  name: string
  /** Absent if the statistic is undefined. In this case, `note` says why. */
  value: number | undefined
  /** The formatted value. */
  shown: string
  note: string | undefined
}

/** Returns the lines of the table of statistics. `groups` describes the groups of the modularity. */
export function statisticsRows(statistics: Statistics, groups: string): StatisticsRow[] {
  const { isDirected, nodes, edges, distances } = statistics
  const row = (name: keyof typeof words.names, value: number | undefined, note?: string, format = formatNumber) => ({
    name: words.names[name],
    value,
    shown: value === undefined ? words.undefined : format(value),
    note
  })
  const isEstimated = distances !== undefined && distances.starts < distances.of
  const distanceRow = (name: 'diameter' | 'meanDistance', value: number | undefined) => {
    const mark = name === 'diameter' ? words.atLeast : words.about
    return row(name, value, noteOf(statistics), (shown) =>
      isEstimated ? mark(formatNumber(shown)) : formatNumber(shown)
    )
  }
  const reciprocityNote = isDirected ? undefined : edges > 0 ? words.onlyDirected : words.noEdge
  const modularityNote = statistics.modularity === undefined ? words.noWeight : undefined
  const assortativityNote = statistics.assortativity === undefined ? words.noVariation : undefined
  return [
    row('nodes', nodes),
    row('edges', edges),
    row('meanDegree', statistics.meanDegree, nodes > 0 ? (isDirected ? words.bothWays : undefined) : words.noNode),
    row('density', statistics.density),
    row('components', statistics.components),
    ...(isDirected ? [row('strongComponents', statistics.strongComponents)] : []),
    distanceRow('diameter', distances?.diameter),
    distanceRow('meanDistance', distances?.mean),
    row('transitivity', statistics.transitivity),
    row('meanClustering', statistics.meanClustering, nodes > 0 ? undefined : words.noNode),
    row('reciprocity', statistics.reciprocity, reciprocityNote),
    row('assortativity', statistics.assortativity, edges > 0 ? assortativityNote : words.noEdge),
    row(
      'modularity',
      statistics.modularity,
      edges > 0 ? (modularityNote ?? words.groupsOf(groups, formatNumber(statistics.groups))) : words.noEdge
    )
  ]
}

/** Says in which component distances were measured, and whether they are estimates. */
function noteOf({ nodes, isDirected, distances }: Statistics): string | undefined {
  if (!distances) return words.noNode
  const { of, starts } = distances
  const where = isDirected ? words.inLargestStrong : words.inLargest
  const notes = [
    ...(of < nodes ? [where(formatNumber(of), formatNumber(nodes))] : []),
    ...(starts < of ? [words.estimated(formatNumber(starts), formatNumber(of))] : [])
  ]
  return notes.length > 0 ? notes.join('. ') : undefined
}

/** Returns the lines as tab-separated values, with full precision and a header. */
export function statisticsTable(rows: StatisticsRow[]): string {
  const lines = rows.map(({ name, value, note }) => [name, value ?? '', note ?? ''])
  return [words.columns, ...lines].map((cells) => `${cells.join('\t')}\n`).join('')
}
