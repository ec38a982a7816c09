import { skipToken, useMutation, useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { api, expectAnswer, take, type User } from '../api.ts'
import { ACCOUNT, ENDED, type EndedSession, queries, SETUP } from '../queries.ts'

/** The signed-in user. */
export const AccountContext = createContext<User | undefined>(undefined)

/** Returns the signed-in user. Only for pages that need one. */
export function useAccount(): User {
  const account = useContext(AccountContext)
  if (!account) throw new Error('nobody is logged in')
  return account
}

/** Whether the user may read audit events. */
export function mayReadAudits({ role }: User): boolean {
  return role === 'ADMIN' || role === 'AUDITOR'
}

/** The user of this browser's session; null without one. */
export function useSession() {
  return useQuery({
    queryKey: ACCOUNT,
    queryFn: async () => {
      const { data: user, response } = await expectAnswer(api.GET('/api/session'))
      if (user) prepareFor(user)
      else if (response.headers.get('graphstead-session') === 'ended') noteEnd()
      else if (lastUser()) {
        // Another window has signed out.
        clearAnswers()
        queries.setQueryData<EndedSession>(ENDED, { user: undefined })
      }
      return user ?? null
    },
    // Windows share the session, so that another one may have changed the user.
    refetchOnWindowFocus: 'always'
  })
}

export interface Credentials {
  username: string
  password: string
  rememberMe: boolean
  /** Of the second factor. */
  code?: string
}

/** Returns the session of this window that has ended by itself; without one null or undefined. */
export function endedSession() {
  return queries.getQueryData<EndedSession | null>(ENDED)
}

/** Like endedSession, and renders again when it changes. While it is observed, no time limit removes it. */
export function useEndedSession() {
  return useQuery<EndedSession | null>({ queryKey: ENDED, queryFn: skipToken }).data
}

/** Whether the server wants the user to set a second factor up before anything else. */
export function useSetupRequired() {
  return useQuery<boolean>({ queryKey: SETUP, queryFn: skipToken }).data === true
}

/** The user that the pages in this window belong to. */
function lastUser() {
  return queries.getQueryData<User | null>(ACCOUNT) ?? endedSession()?.user
}

function noteEnd() {
  if (!endedSession()) queries.setQueryData<EndedSession>(ENDED, { user: lastUser() })
}

/** Keeps the pages for the user that they belong to, and clears them for another one. */
function prepareFor(user: User) {
  if (lastUser()?.login !== user.login) return clearAnswers()
  if (!endedSession()) return
  queries.setQueryData<EndedSession | null>(ENDED, null)
  queries.invalidateQueries({ predicate: isAnswer })
}

/** Clears cached answers, so that the next user does not see those of the previous one. */
function clearAnswers() {
  queries.removeQueries({ predicate: isAnswer })
  queries.setQueryData<EndedSession | null>(ENDED, null)
}

function isAnswer({ queryKey }: { queryKey: readonly unknown[] }) {
  return queryKey[0] !== ACCOUNT[0] && queryKey[0] !== ENDED[0]
}

/** Signs in. The browser keeps the cookie. */
export function useSignIn() {
  return useMutation({
    mutationFn: (body: Credentials) => take(api.POST('/api/session', { body })),
    onSuccess: (user) => {
      prepareFor(user)
      queries.setQueryData(ACCOUNT, user)
    }
  })
}

/** Changes the own password. All sessions end, and this one is started again, or the sign-in form asks for what else it takes. */
export function useChangePassword(username: string) {
  return useMutation({
    mutationFn: async (body: { currentPassword: string; newPassword: string }) => {
      await take(api.POST('/api/account/password', { body }))
      const credentials = { username, password: body.newPassword, rememberMe: false }
      // The password is another one, whatever comes of this: a second factor is asked for, or passwords may be off.
      return take(api.POST('/api/session', { body: credentials })).catch(() => null)
    },
    onSuccess: (user) => {
      if (!user) queries.setQueryData<EndedSession>(ENDED, { user: lastUser(), hasNewPassword: true })
      queries.setQueryData(ACCOUNT, user)
    }
  })
}

/** Signs out, here or everywhere. */
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
    // The cookie may have been removed nevertheless.
    onError: () => queries.invalidateQueries({ queryKey: ACCOUNT })
  })
}
