// Durations and sizes used in settings.

/** A pattern for durations such as `6h`. */
export const DURATION = '^[1-9][0-9]{0,5}[smhd]$'

/** A pattern for durations, or 0 for no limit. */
export const DURATION_OR_NONE = '^(0|[1-9][0-9]{0,5}[smhd])$'

/** A pattern for sizes such as `512MiB`. */
export const BYTES = '^(0|[1-9][0-9]{0,8}([KMGT]iB)?)$'

/** Converts a duration such as `6h` to milliseconds. */
export function millisecondsOf(duration: string): number {
  const unit = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[duration.at(-1) as 's' | 'm' | 'h' | 'd']
  return Number.parseInt(duration, 10) * unit
}

/** Converts a duration to milliseconds. 0 becomes Infinity. */
export function limitOf(duration: string): number {
  return duration === '0' ? Number.POSITIVE_INFINITY : millisecondsOf(duration)
}

/** Converts a size such as `512MiB` to bytes. */
export function bytesOf(text: string): number {
  const unit = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 }[text.at(-3) as 'K' | 'M' | 'G' | 'T'] ?? 1
  return Number.parseInt(text, 10) * (text.endsWith('iB') ? unit : 1)
}
