import { formatDay, text } from '../text/index.ts'

const [WIDTH, HEIGHT, FOOT] = [1000, 120, 18]

/** The maximum width of a bar, in view box units. */
const BROAD = 60

/** A bar chart of events per day. Selecting a day sets the period. */
export function ActivityChart({
  days,
  onChoose
}: {
  days: { date: string; count: number }[]
  onChoose: (date: string) => void
}) {
  const most = Math.max(1, ...days.map(({ count }) => count))
  const step = WIDTH / Math.max(days.length, 1)
  const bar = Math.min(step * 0.8, BROAD)
  const total = days.reduce((sum, { count }) => sum + count, 0)
  const [first, last] = [days[0], days.at(-1)]
  return (
    <figure className="figure">
      <figcaption className="chart-caption">{text.audits.chart(total, most)}</figcaption>
      <svg className="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT - FOOT}`} preserveAspectRatio="none">
        <title>{text.audits.activity}</title>
        {days.map(({ date, count }, index) => {
          const height = (count / most) * (HEIGHT - FOOT)
          const label = text.audits.day(formatDay(date), count)
          return (
            <g key={date}>
              <rect
                className="bar"
                x={index * step + (step - bar) / 2}
                width={bar}
                y={HEIGHT - FOOT - height}
                height={height}
              />
              {/* biome-ignore lint/a11y/useSemanticElements: an SVG cannot contain a button */}
              <rect
                className="hit"
                role="button"
                tabIndex={0}
                aria-label={label}
                x={index * step}
                width={step}
                y={0}
                height={HEIGHT - FOOT}
                onClick={() => onChoose(date)}
                onKeyDown={({ key }) => (key === 'Enter' || key === ' ') && onChoose(date)}
              >
                <title>{label}</title>
              </rect>
            </g>
          )
        })}
      </svg>
      <div className="chart-axis">
        <span>{first && formatDay(first.date)}</span>
        <span>{last && formatDay(last.date)}</span>
      </div>
    </figure>
  )
}
