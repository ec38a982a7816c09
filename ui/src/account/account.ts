import { useMutation, useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { api, take, type User } from '../api.ts'
import { ACCOUNT, ENDED, queries } from '../queries.ts'

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
      const user = (await take(api.GET('/api/session'))) ?? null
      const before = queries.getQueryData<User | null>(ACCOUNT)
      if (before && before.login !== user?.login) clearAnswers()
      if (before && !user) queries.setQueryData(ENDED, true)
      return user
    },
    // Windows share the session, so that another one may have changed the user.
    refetchOnWindowFocus: 'always'
  })
}

export interface Credentials {
  username: string
  password: string
  rememberMe: boolean
}

/** Switches to another user, or to none. */
function switchUser(user: User | null) {
  clearAnswers()
  queries.setQueryData(ACCOUNT, user)
}

/** Clears cached answers, so that the next user does not see those of the previous one. */
function clearAnswers() {
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ACCOUNT[0] })
}

/** Signs in. The browser keeps the cookie. */
export function useSignIn() {
  return useMutation({
    mutationFn: (body: Credentials) => take(api.POST('/api/session', { body })),
    onSuccess: switchUser
  })
}

/** Changes the own password. All sessions end, and this one is started again. */
export function useChangePassword(username: string) {
  return useMutation({
    mutationFn: async (body: { currentPassword: string; newPassword: string }) => {
      await take(api.POST('/api/account/password', { body }))
      const credentials = { username, password: body.newPassword, rememberMe: false }
      return take(api.POST('/api/session', { body: credentials }))
    },
    onSuccess: (user) => queries.setQueryData(ACCOUNT, user)
  })
}

/** Signs out, here or everywhere. */
export function useSignOut() {
  return useMutation({
    mutationFn: async (everywhere: boolean) => {
      if (everywhere) await take(api.POST('/api/account/logout'))
      await take(api.DELETE('/api/session'))
    },
    onSuccess: () => switchUser(null),
    // The cookie may have been removed nevertheless.
    onError: () => queries.invalidateQueries({ queryKey: ACCOUNT })
  })
}
