import { execFileSync } from 'node:child_process'

/**
 * Returns the source date: SOURCE_DATE_EPOCH in seconds (reproducible-builds.org), otherwise the time of the commit. Builds use
 * it instead of the current time, so that the same source produces the same bytes.
 */
export function sourceDate(): Date {
  const given =
    process.env.SOURCE_DATE_EPOCH ?? execFileSync('git', ['log', '-1', '--format=%ct'], { encoding: 'utf8' })
  return new Date(Number(given) * 1000)
}
