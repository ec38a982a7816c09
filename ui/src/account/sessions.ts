import { useMutation, useQuery } from '@tanstack/react-query'
import { api, type Session, take } from '../api.ts'
import { queries } from '../queries.ts'
import { text } from '../text/index.ts'

const SESSIONS = ['sessions']

/** The sessions of the caller, the last used first. */
export function useSessions() {
  return useQuery({
    queryKey: SESSIONS,
    queryFn: ({ signal }) => take(api.GET('/api/account/sessions', { signal }))
  })
}

/** Ends a session of the caller. */
export function useEndSession() {
  return useMutation({
    mutationFn: (sessionId: string) =>
      take(api.DELETE('/api/account/sessions/{sessionId}', { params: { path: { sessionId } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: SESSIONS })
  })
}

const browsers: [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari']
]
const systems: [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux']
]

/** Names the program that signed in, as people know it; an unknown one by its first word. */
export function deviceOf({ userAgent }: Session): string {
  if (userAgent === undefined) return text.sessions.unknown
  const nameOf = (known: [RegExp, string][]) => known.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = nameOf(browsers)
  return [browser ?? userAgent.split(' ')[0], browser && nameOf(systems)].filter(Boolean).join(', ')
}
