import { formatNumbersIn } from '../../../picture/model/formatting.ts'
import { en } from './en.ts'

/** The strings of a language. */
export type Text = typeof en

/** The available languages by BCP 47 tag. To add one, create a file beside `en.ts` and add a line here. */
const languages: Record<string, Text> = { en }

/** The first available language among the user's preferences, or English. */
export const language =
  navigator.languages.map((tag) => tag.split('-')[0] ?? '').find((tag) => Object.hasOwn(languages, tag)) ?? 'en'

/** All text of the app in the user's language. */
export const text = languages[language] as Text

const times = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
const exactTimes = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long' })
const ages = new Intl.RelativeTimeFormat(language)
const justNow = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(0, 'second')
const clocks = new Intl.DateTimeFormat(language, { timeStyle: 'medium' })
const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })

/** Units of time in seconds, longest first. */
const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60]
] as const

/** Formats a number in the user's language: 12345 as `12,345`, and 0.000123456 as `0.000123`. */
export const formatNumber = formatNumbersIn(language)
/** Formats a time from the API in the user's time zone. */
export const formatTime = (time: string) => times.format(new Date(time))
/** Formats a time like formatTime, with seconds and the time zone. */
export const formatExactTime = (time: string) => exactTimes.format(new Date(time))
/**
 * Formats the age of a time from the API: `now` in the first minute, and then, for example, `3 minutes ago` or `2 days ago`.
 */
export function formatTimeAgo(time: string) {
  const seconds = (Date.now() - new Date(time).getTime()) / 1000
  // Clocks may differ, so a time in the future is shown as now.
  const unit = units.find(([, length]) => seconds >= length)
  return unit ? ages.format(-Math.floor(seconds / unit[1]), unit[0]) : justNow
}
/** Formats the time of day with seconds, in the user's time zone. */
export const formatClock = (time: Date) => clocks.format(time)
/** Formats a calendar date given as `yyyy-MM-dd`. */
export const formatDay = (date: string) => days.format(new Date(date))
