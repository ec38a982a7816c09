import { skipToken, useMutation, useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { api, expectAnswer, take, type User } from '../api.ts'
import { ACCOUNT, ENDED, type EndedSession, queries, SETUP } from '../queries.ts'

/** The signed-in user. */
export const AccountContext = createContext<User | undefined>(undefined)

/** Returns the signed-in user. Throws if no user is signed in. */
export function useAccount(): User {
  const account = useContext(AccountContext)
  if (!account) throw new Error('no user is signed in')
  return account
}

/** Returns whether the user may read audit events. */
export function mayReadAudits({ role }: User): boolean {
  return role === 'ADMIN' || role === 'AUDITOR'
}

/** Returns the user of this browser's session, or null if there is no session. */
export function useSession() {
  return useQuery({
    queryKey: ACCOUNT,
    queryFn: async () => {
      const { data: user, response } = await expectAnswer(api.GET('/api/session'))
      if (user) prepareFor(user)
      else if (response.headers.get('graphstead-session') === 'ended') noteEnd()
      else if (lastUser()) {
        // The user signed out in another window.
        clearAnswers()
        queries.setQueryData<EndedSession>(ENDED, { user: undefined })
      }
      return user ?? null
    },
    // All windows share the session, so the user may have changed in another window.
    refetchOnWindowFocus: 'always'
  })
}

export interface Credentials {
  username: string
  password: string
  rememberMe: boolean
  /** A code from the authenticator app, or a recovery code. */
  code?: string
}

/** Returns the session that ended in this window without a sign-out, if any. */
export function endedSession() {
  return queries.getQueryData<EndedSession | null>(ENDED)
}

/** Like endedSession, but rerenders when the value changes. The cache keeps the value while a component observes it. */
export function useEndedSession() {
  return useQuery<EndedSession | null>({ queryKey: ENDED, queryFn: skipToken }).data
}

/** Returns whether the server requires the user to set up a second factor first. */
export function useSetupRequired() {
  return useQuery<boolean>({ queryKey: SETUP, queryFn: skipToken }).data === true
}

/** Returns the user whose pages are open in this window. */
function lastUser() {
  return queries.getQueryData<User | null>(ACCOUNT) ?? endedSession()?.user
}

function noteEnd() {
  if (!endedSession()) queries.setQueryData<EndedSession>(ENDED, { user: lastUser() })
}

/** Keeps the pages if the same user signs in again, and clears them if another user does. */
function prepareFor(user: User) {
  if (lastUser()?.login !== user.login) return clearAnswers()
  if (!endedSession()) return
  queries.setQueryData<EndedSession | null>(ENDED, null)
  queries.invalidateQueries({ predicate: isAnswer })
}

/** Clears cached responses, so that the next user does not see the previous user's data. */
function clearAnswers() {
  queries.removeQueries({ predicate: isAnswer })
  queries.setQueryData<EndedSession | null>(ENDED, null)
}

function isAnswer({ queryKey }: { queryKey: readonly unknown[] }) {
  return queryKey[0] !== ACCOUNT[0] && queryKey[0] !== ENDED[0]
}

/** Shows the pages of a user who has just signed in. */
export function startAs(user: User) {
  prepareFor(user)
  queries.setQueryData(ACCOUNT, user)
}

/** Signs in. The browser keeps the cookie. */
export function useSignIn() {
  return useMutation({
    mutationFn: (body: Credentials) => take(api.POST('/api/session', { body })),
    onSuccess: startAs
  })
}

/**
 * Changes the caller's password. This ends all sessions, so it then signs in again, or shows the sign-in form if the password
 * alone is not enough.
 */
export function useChangePassword(username: string) {
  return useMutation({
    mutationFn: async (body: { currentPassword: string; newPassword: string }) => {
      await take(api.POST('/api/account/password', { body }))
      const credentials = { username, password: body.newPassword, rememberMe: false }
      // Ignores errors, because the password has changed even if sign-in requires a code or passwords are disabled.
      return take(api.POST('/api/session', { body: credentials })).catch(() => null)
    },
    onSuccess: (user) => {
      if (!user) queries.setQueryData<EndedSession>(ENDED, { user: lastUser(), hasNewPassword: true })
      queries.setQueryData(ACCOUNT, user)
    }
  })
}

/** Signs out in this browser or everywhere. */
export function useSignOut() {
  return useMutation({
    mutationFn: async (everywhere: boolean) => {
      if (everywhere) await take(api.POST('/api/account/logout'))
      await take(api.DELETE('/api/session'))
    },
    onSuccess: () => {
      clearAnswers()
      queries.setQueryData(ACCOUNT, null)
    },
    // The request may have removed the cookie before it failed.
    onError: () => queries.invalidateQueries({ queryKey: ACCOUNT })
  })
}
