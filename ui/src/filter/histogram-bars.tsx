import { barOf, type Histogram } from './histogram.ts'

const [WIDTH, HEIGHT] = [280, 40]

/** A histogram that highlights the bars within a range. Even the smallest bars stay visible. */
export function HistogramBars({
  histogram: { least, greatest, counts },
  from,
  to,
  label
}: {
  histogram: Histogram
  from: number
  to: number
  label: string
}) {
  const most = counts.reduce((most, count) => Math.max(most, count), 1)
  const width = WIDTH / counts.length
  const [first, last] = [from, to].map((value) => barOf(value, least, greatest, counts.length)) as [number, number]
  return (
    <svg
      className="histogram"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {Array.from(counts, (count, bar) => {
        const height = count === 0 ? 0 : Math.max(1.5, (count / most) * HEIGHT)
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: bars are identified by position
            key={bar}
            className={bar >= first && bar <= last ? 'inside' : undefined}
            x={bar * width}
            y={HEIGHT - height}
            width={Math.max(width - 1, width * 0.8)}
            height={height}
          />
        )
      })}
    </svg>
  )
}
