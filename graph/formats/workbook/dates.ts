/** The parts of a date that a number format shows. A duration may exceed 24 hours. */
export type DateForm = 'date' | 'time' | 'duration'

const DAY = 86_400_000

/** Day 0 in each date system, in milliseconds since 1970. */
const EPOCHS = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) }

/** The day after the last one with a four-digit year, 31 December 9999. */
const LAST = 2_958_466

/** The numbers of the predefined formats for dates (including those for East Asian languages) and for times. */
const DATES = [14, 15, 16, 17, 22, ...range(27, 31), 36, ...range(50, 58)]
const TIMES = [18, 19, 20, 21, ...range(32, 35), 45, 47]
const DURATION = 46

/**
 * Returns the date form of a number format, or undefined if the format shows numbers. `code` is undefined if the format is
 * predefined.
 */
export function dateFormOf(id: number, code: string | undefined): DateForm | undefined {
  if (code === undefined) {
    if (DATES.includes(id)) return 'date'
    return TIMES.includes(id) ? 'time' : id === DURATION ? 'duration' : undefined
  }
  // Use only the first section, for positive numbers, without text, colours, conditions and locales. [h] is a duration.
  const [shown = ''] = code
    .slice(0, 1000)
    .replace(/"[^"]*"?|[\\_*]./g, '')
    .replace(/\[(?!(?:h+|m+|s+)\])[^\]]*\]?/gi, '')
    .split(';')
  if (/general/i.test(shown)) return undefined
  if (/[dy]|^[^hs]*m[^hs]*$/i.test(shown)) return 'date'
  if (shown.includes('[')) return 'duration'
  return /[hs]/i.test(shown) ? 'time' : undefined
}

/**
 * Formats the serial number of a date as in ISO 8601. Returns undefined if it is not a date. A cell that shows only the time
 * may contain a date as well.
 */
export function dateText(days: number, form: DateForm, system: keyof typeof EPOCHS): string | undefined {
  if (!(days >= 0 && days < LAST)) return undefined
  if (form === 'duration' || (form === 'time' && days < 1)) {
    const seconds = Math.round(days * (DAY / 1000))
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
    return [hours, minutes, seconds % 60].map((part) => String(part).padStart(2, '0')).join(':')
  }
  // In the 1900 system, 60 is 29 February 1900, which did not exist.
  const day = system === 1900 && days < 60 ? days + 1 : days
  const text = new Date(EPOCHS[system] + Math.round(day * DAY)).toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.replace(/(?:\.000)?Z$/, '')
}

function range(first: number, last: number) {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
