import { useForceUpdate, useInterval } from '@mantine/hooks'
import { formatExactTime, formatTimeAgo } from '../text/index.ts'

/** The time between updates, in milliseconds. */
const PERIOD = 30_000

/** Shows how long ago a time from the API was, such as "3 minutes ago". A tooltip shows the exact time. */
export function TimeAgo({ time }: { time: string }) {
  const update = useForceUpdate()
  useInterval(update, PERIOD, { autoInvoke: true })
  return (
    <time dateTime={time} title={formatExactTime(time)}>
      {formatTimeAgo(time)}
    </time>
  )
}
