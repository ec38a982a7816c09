import { Temporal } from 'temporal-polyfill'
import type { Period } from '../../schemas/audit.ts'
import { invalid } from '../../schemas/problem-catalogue.ts'

/** A day of the calendar in a zone, and its period. */
export interface Day {
  date: string
  period: Period
}

export interface PeriodQuery {
  fromDate?: string
  toDate?: string
  /** IANA; UTC where it is absent. */
  zone?: string
}

/**
 * Returns the period from the first date to the last, both included, also for days of 23 and 25 hours; undefined without dates.
 * Throws `validation-failed` for one date without the other, a zone without dates, an unknown zone, and dates in the wrong
 * order. The schema has checked that they are days of the calendar.
 */
export function periodOf({ fromDate, toDate, zone }: PeriodQuery): Period | undefined {
  if (fromDate === undefined && toDate === undefined) {
    if (zone !== undefined)
      throw invalid({ parameter: 'zone', code: 'date-missing', detail: 'needs fromDate and toDate' })
    return undefined
  }
  if (fromDate === undefined)
    throw invalid({ parameter: 'fromDate', code: 'required', detail: 'is required with toDate' })
  if (toDate === undefined)
    throw invalid({ parameter: 'toDate', code: 'required', detail: 'is required with fromDate' })

  const [from, to] = datesOf(fromDate, toDate)
  return { from: startOf(from, zone), to: startOf(to.add({ days: 1 }), zone) }
}

/** Lists the days from one date to the other, in order. Throws `validation-failed` as `periodOf` does, and for more than `most`. */
export function daysOf(
  { fromDate, toDate, zone }: Required<Omit<PeriodQuery, 'zone'>> & PeriodQuery,
  most: number
): Day[] {
  const [from, to] = datesOf(fromDate, toDate)
  if (from.until(to).days >= most) {
    throw invalid({ parameter: 'toDate', code: 'too-many-days', detail: `is ${most} days after fromDate, or more` })
  }
  const days: Day[] = []
  for (let date = from; Temporal.PlainDate.compare(date, to) <= 0; date = date.add({ days: 1 })) {
    const period = { from: startOf(date, zone), to: startOf(date.add({ days: 1 }), zone) }
    days.push({ date: date.toString(), period })
  }
  return days
}

function datesOf(fromDate: string, toDate: string) {
  const from = Temporal.PlainDate.from(fromDate)
  const to = Temporal.PlainDate.from(toDate)
  if (Temporal.PlainDate.compare(from, to) > 0) {
    throw invalid({ parameter: 'toDate', code: 'before-from-date', detail: 'is before fromDate' })
  }
  return [from, to] as const
}

/** A time after all times with a year of four digits. */
const END_OF_TIME = '9999-12-31T24:00:00.000Z'

/** Returns the first instant of the day. It is not always midnight, which some changes of the clock skip. */
function startOf(date: Temporal.PlainDate, zone = 'UTC') {
  // Temporal also accepts offsets such as +01:00, which are no zones of the IANA.
  if (!/^[A-Za-z]/.test(zone)) throw unknownZone()
  try {
    const instant = date.toZonedDateTime(zone).toInstant().toString({ fractionalSecondDigits: 3 })
    // As text, a year of more than four digits sorts before all others.
    return instant.startsWith('+') ? END_OF_TIME : instant
  } catch {
    throw unknownZone()
  }
}

function unknownZone() {
  return invalid({ parameter: 'zone', code: 'no-such-zone', detail: 'is not a time zone of the IANA' })
}
