import { useMutation, useQuery } from '@tanstack/react-query'
import { api, type Session, take } from '../api.ts'
import { queries } from '../queries.ts'
import { text } from '../text/index.ts'

const SESSIONS = ['sessions']

/** Returns the caller's sessions, most recently used first. */
export function useSessions() {
  return useQuery({
    queryKey: SESSIONS,
    queryFn: ({ signal }) => take(api.GET('/api/account/sessions', { signal }))
  })
}

/** Ends one of the caller's sessions. */
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

/** Returns a readable name for the program that signed in, or the first word of an unknown user agent. */
export function deviceOf({ userAgent }: Session): string {
  if (userAgent === undefined) return text.sessions.unknown
  const nameOf = (known: [RegExp, string][]) => known.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = nameOf(browsers)
  return [browser ?? userAgent.split(' ')[0], browser && nameOf(systems)].filter(Boolean).join(', ')
}
