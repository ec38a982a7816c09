import { type Figures, ratio } from './measure.ts'

/** A line of the table: a measurement and its baseline. */
export interface Line {
  path: string
  ours: string
  theirs?: string
  ratio: number
  /** The target for the ratio, or for the figure if there is no baseline. */
  aim: { least?: number; most?: number; unit?: string }
}

/** Compares a figure for two contenders. `name` describes the second contender. */
export function compared(
  path: string,
  [ours, theirs]: readonly [Figures, Figures],
  figure: 'rate' | 'p50' | 'p99',
  aim: Line['aim'],
  name = ''
): Line {
  const baseline = `${name && `${name}: `}${describe(theirs)}`
  return { path, ours: describe(ours), theirs: baseline, ratio: ratio(ours, theirs, figure), aim }
}

/** Formats figures for a cell: responses per second and their spread, latencies, and memory. */
export function describe({ rate, spread, p50, p99, memory }: Figures) {
  const perSecond = rate < 100 ? rate.toFixed(1) : Math.round(rate).toLocaleString('en')
  return `${perSecond}/s ±${Math.round(spread * 50)} %, p50 ${ms(p50)}, p99 ${ms(p99)} ms, ${memory} MiB`
}

function ms(time: number) {
  return time < 10 ? time.toFixed(2) : time.toFixed(0)
}

/** Returns whether the target is met. */
export function holds({ ratio, aim: { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY } }: Line) {
  return ratio >= least && ratio <= most
}

/** Formats the lines as a Markdown table. */
export function tableOf(lines: Line[]): string {
  const rows = lines.map((line) => {
    const { path, ours, theirs = '', ratio, aim } = line
    const unit = aim.unit ? ` ${aim.unit}` : ''
    const wanted =
      aim.least === undefined && aim.most === undefined
        ? ''
        : aim.least === undefined
          ? `≤ ${aim.most}${unit}`
          : `≥ ${aim.least}${unit}`
    const shown = Number.isNaN(ratio) ? '–' : aim.unit ? `${Math.round(ratio)}${unit}` : ratio.toFixed(2)
    return [path, ours, theirs, shown, wanted, wanted === '' ? '' : holds(line) ? 'yes' : '**no**']
  })
  const all = [['path', 'Graphstead', 'compared with', 'ratio', 'target', 'reached'], ...rows]
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map((row) => [...(row[column] ?? '')].length)))
  const lineOf = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head = [], ...rest] = all
  return [lineOf(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rest.map(lineOf)].join('\n')
}
