import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type AuditQuery, api, take, takePage } from '../api.ts'
import { dayOf } from '../shared/day.ts'

/** The prefix of the query keys of all audit events. */
export const AUDITS = ['audits']

/** Returns a page of events. */
export function useAudits(query: AuditQuery) {
  return useQuery({
    queryKey: [...AUDITS, 'list', query],
    queryFn: ({ signal }) => takePage(api.GET('/management/audits', { params: { query }, signal })),
    placeholderData: keepPreviousData
  })
}

/** Returns one event. Events never change. */
export function useAudit(id: number) {
  return useQuery({
    queryKey: [...AUDITS, 'one', id],
    queryFn: ({ signal }) => take(api.GET('/management/audits/{id}', { params: { path: { id } }, signal })),
    staleTime: Number.POSITIVE_INFINITY
  })
}

/** Returns the number of matching events per day. */
export function useActivity(query: Omit<AuditQuery, 'page' | 'size' | 'sort' | 'cursor'> & Days) {
  return useQuery({
    queryKey: [...AUDITS, 'activity', query],
    queryFn: ({ signal }) => take(api.GET('/management/activity', { params: { query }, signal })),
    placeholderData: keepPreviousData
  })
}

export interface Days {
  fromDate: string
  toDate: string
}

/** The user's time zone, which determines where days begin and end. */
export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Returns the last `count` days including today, in the user's time zone. */
export function lastDays(count: number): Days {
  const day = (ago: number) => {
    const date = new Date()
    date.setDate(date.getDate() - ago)
    return dayOf(date)
  }
  return { fromDate: day(count - 1), toDate: day(0) }
}
