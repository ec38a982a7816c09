import { Temporal } from 'temporal-polyfill'
import type { Period } from '../../schemas/audit.ts'
import { invalid } from '../../schemas/problem-catalogue.ts'

/** A calendar day in a time zone, with its start and end. */
export interface Day {
  date: string
  period: Period
}

export interface PeriodQuery {
  fromDate?: string
  toDate?: string
  /** An IANA time zone; UTC by default. */
  zone?: string
}

/**
 * Returns the period from the first to the last date, inclusive, accounting for days with 23 or 25 hours. Returns undefined if
 * there are no dates. Throws `validation-failed` for one date without the other, a zone without dates, an unknown zone, or
 * dates in the wrong order. The schema ensures that the dates are valid.
 */
export function periodOf({ fromDate, toDate, zone }: PeriodQuery): Period | undefined {
  if (fromDate === undefined && toDate === undefined) {
    if (zone !== undefined)
      throw invalid({ parameter: 'zone', code: 'date-missing', detail: 'requires fromDate and toDate' })
    return undefined
  }
  if (fromDate === undefined)
    throw invalid({ parameter: 'fromDate', code: 'required', detail: 'is required with toDate' })
  if (toDate === undefined)
    throw invalid({ parameter: 'toDate', code: 'required', detail: 'is required with fromDate' })

  const [from, to] = datesOf(fromDate, toDate)
  return { from: startOf(from, zone), to: startOf(to.add({ days: 1 }), zone) }
}

/**
 * Lists the days between two dates, in order. Throws `validation-failed` under the same conditions as `periodOf`, and for more
 * than `most` days.
 */
export function daysOf(
  { fromDate, toDate, zone }: Required<Omit<PeriodQuery, 'zone'>> & PeriodQuery,
  most: number
): Day[] {
  const [from, to] = datesOf(fromDate, toDate)
  if (from.until(to).days >= most) {
    throw invalid({
      parameter: 'toDate',
      code: 'too-many-days',
      detail: `must be less than ${most} days after fromDate`
    })
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

/** A time later than any in a four-digit year. */
const END_OF_TIME = '9999-12-31T24:00:00.000Z'

/** Returns the first instant of the day. This is not always midnight, since a clock change may skip midnight. */
function startOf(date: Temporal.PlainDate, zone = 'UTC') {
  // Temporal also accepts offsets such as +01:00, which are not IANA time zones.
  if (!/^[A-Za-z]/.test(zone)) throw unknownZone()
  try {
    const instant = date.toZonedDateTime(zone).toInstant().toString({ fractionalSecondDigits: 3 })
    // As text, a year with more than four digits sorts before all others.
    return instant.startsWith('+') ? END_OF_TIME : instant
  } catch {
    throw unknownZone()
  }
}

function unknownZone() {
  return invalid({ parameter: 'zone', code: 'no-such-zone', detail: 'is not an IANA time zone' })
}
