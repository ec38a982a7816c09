import { useMutation, useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { api, take, type User } from '../api.ts'
import { ACCOUNT, ENDED, queries } from '../queries.ts'

/** Who is logged in. */
export const AccountContext = createContext<User | undefined>(undefined)

/** Who is logged in; stands where somebody is. */
export function useAccount(): User {
  const account = useContext(AccountContext)
  if (!account) throw new Error('nobody is logged in')
  return account
}

/** Administrators and auditors. */
export function mayReadAudits({ role }: User): boolean {
  return role === 'ADMIN' || role === 'AUDITOR'
}

/** Who is logged in with this browser; null for nobody. */
export function useSession() {
  return useQuery({
    queryKey: ACCOUNT,
    queryFn: async () => {
      const user = (await take(api.GET('/api/session'))) ?? null
      const before = queries.getQueryData<User | null>(ACCOUNT)
      if (before && before.login !== user?.login) forget()
      if (before && !user) queries.setQueryData(ENDED, true)
      return user
    },
    // All windows of a browser share the session: in another one somebody else may have signed in.
    refetchOnWindowFocus: 'always'
  })
}

export interface Credentials {
  username: string
  password: string
  rememberMe: boolean
}

/** Somebody else is here now, or nobody. */
function becomes(user: User | null) {
  forget()
  queries.setQueryData(ACCOUNT, user)
}

/** Who comes next is not shown what the one before has seen. */
function forget() {
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ACCOUNT[0] })
}

/** Logs in; the cookie is the browser's affair. */
export function useSignIn() {
  return useMutation({
    mutationFn: (body: Credentials) => take(api.POST('/api/session', { body })),
    onSuccess: becomes
  })
}

/** Changes the own password. Every session ends with the old one, and this one is begun anew. */
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

/** Logs out, here or everywhere. */
export function useSignOut() {
  return useMutation({
    mutationFn: async (everywhere: boolean) => {
      if (everywhere) await take(api.POST('/api/account/logout'))
      await take(api.DELETE('/api/session'))
    },
    onSuccess: () => becomes(null),
    // The cookie may be gone all the same.
    onError: () => queries.invalidateQueries({ queryKey: ACCOUNT })
  })
}
