import { useMutation, useQuery } from '@tanstack/react-query'
import { api, type Session, take } from '../api.ts'
import { queries } from '../queries.ts'
import { text } from '../text/index.ts'

const SESSIONS = ['sessions']

const refresh = () => queries.invalidateQueries({ queryKey: SESSIONS })

// Hooks for the sessions of a user, or of the caller if no login is given.

/** Returns the user's sessions, most recently used first. */
export function useSessions(login?: string) {
  return useQuery({
    queryKey: login === undefined ? SESSIONS : [...SESSIONS, login],
    queryFn: ({ signal }) =>
      take(
        login === undefined
          ? api.GET('/api/account/sessions', { signal })
          : api.GET('/api/users/{login}/sessions', { params: { path: { login } }, signal })
      )
  })
}

/** Ends one of the user's sessions. */
export function useEndSession(login?: string) {
  return useMutation({
    mutationFn: (sessionId: string) =>
      take(
        login === undefined
          ? api.DELETE('/api/account/sessions/{sessionId}', { params: { path: { sessionId } } })
          : api.DELETE('/api/users/{login}/sessions/{sessionId}', { params: { path: { login, sessionId } } })
      ),
    onSettled: refresh
  })
}

/** Ends all sessions of another user. */
export function useEndSessions(login: string) {
  return useMutation({
    mutationFn: () => take(api.DELETE('/api/users/{login}/sessions', { params: { path: { login } } })),
    onSettled: refresh
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
