import { en } from './en.ts'

/** What a language has to say. */
export type Text = typeof en

/** Every language that there is, by its tag (BCP 47). A new one is a file beside `en.ts`, and a line here. */
const languages: Record<string, Text> = { en }

/** The first of the reader's languages that there is. */
export const language =
  navigator.languages.map((tag) => tag.split('-')[0] ?? '').find((tag) => Object.hasOwn(languages, tag)) ?? 'en'

/** Everything that the app says, in the reader's language. */
export const text = languages[language] as Text

const numbers = new Intl.NumberFormat(language)
const times = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
const exactTimes = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long' })
const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })

/** 12345 as `12,345`. */
export const formatNumber = (value: number) => numbers.format(value)
/** A time of the API, in the reader's zone. */
export const formatTime = (time: string) => times.format(new Date(time))
/** The same with its seconds and zone. */
export const formatExactTime = (time: string) => exactTimes.format(new Date(time))
/** A date of the calendar, `yyyy-MM-dd`. */
export const formatDay = (date: string) => days.format(new Date(date))
