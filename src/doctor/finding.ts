/** `unknown` means that the program cannot tell. `warning` does not require action, whereas `bad` does. */
export type State = 'good' | 'unknown' | 'warning' | 'bad'

/** One line of the report. */
export interface Finding {
  topic: string
  state: State
  /** The state in words. If there is a remedy, it follows after a semicolon. */
  says: string
}

/** Returns a function that creates findings on a topic. */
export function findingsAbout(topic: string): (state: State, says: string) => Finding {
  return (state, says) => ({ topic, state, says })
}

/** Formats a size in bytes for display. */
export function sizeText(bytes: number): string {
  const power = Math.min(4, Math.max(0, Math.floor(Math.log2(Math.max(bytes, 1)) / 10)))
  const value = bytes / 1024 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${['B', 'KiB', 'MiB', 'GiB', 'TiB'][power]}`
}

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

/** Formats a duration in milliseconds for display. */
export function spanText(span: number): string {
  const [count, unit] =
    span >= 2 * DAY
      ? [span / DAY, 'day']
      : span >= 2 * HOUR
        ? [span / HOUR, 'hour']
        : span >= 2 * MINUTE
          ? [span / MINUTE, 'minute']
          : [span / 1000, 'second']
  const whole = Math.floor(count)
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`
}
