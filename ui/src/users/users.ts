import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useAccount } from '../account/account.ts'
import type { Proof } from '../account/password-proof.tsx'
import { api, type Role, take, takePage, type User } from '../api.ts'
import { ACCOUNT, queries } from '../queries.ts'
import type { ListState } from '../shared/list-state.ts'

const USERS = ['users']
const refresh = () => queries.invalidateQueries({ queryKey: USERS })

/** Returns a page of all user accounts. */
export function useUsers(query: ListState['query']) {
  return useQuery({
    queryKey: [...USERS, query],
    queryFn: ({ signal }) => takePage(api.GET('/api/users', { params: { query }, signal })),
    placeholderData: keepPreviousData
  })
}

/**
 * Proof of the administrator's identity, required for changes that let someone sign in or give them more rights. Absent if the
 * administrator has no password.
 */
interface Proven {
  proof?: Proof | undefined
}

export interface NewUser {
  login: string
  kind: User['kind']
  role: Role
  /** The initial password of a person. Undefined for a person who will be invited. */
  password: string | undefined
}

export function useCreateUser() {
  return useMutation({
    mutationFn: ({ login, kind, role, password, proof }: NewUser & Proven) => {
      const person = kind === 'PERSON' && password !== undefined && { password, mustChangePassword: true }
      return take(
        api.POST('/api/users', { body: { login, kind, role, enabled: true, ...person, ...(proof && { proof }) } })
      )
    },
    onSuccess: refresh
  })
}

/** Changes a user's role or password, or enables the user. */
export function useChangeUser({ login }: User) {
  const own = useAccount()
  return useMutation({
    mutationFn: ({ proof, ...changes }: { role?: Role; password?: string; enabled?: true } & Proven) => {
      const body = { ...changes, ...(proof && { proof }) }
      return take(api.PATCH('/api/users/{login}', { params: { path: { login } }, body }))
    },
    onSuccess: async () => {
      await refresh()
      // Users who change their own account may lose rights, or access altogether.
      if (login === own.login) await queries.invalidateQueries({ queryKey: ACCOUNT })
    }
  })
}

/** Disables a user, or enables a disabled user. */
export function useToggleUser() {
  return useMutation({
    mutationFn: ({ login, enabled }: User) =>
      take(api.PATCH('/api/users/{login}', { params: { path: { login } }, body: { enabled: !enabled } })),
    onSettled: refresh
  })
}

/** Invites a user to choose their first password. Only the response contains the address, and only the dialog keeps it. */
export function useInvite({ login }: User) {
  return useMutation({
    mutationFn: (proof: Proof | undefined) =>
      take(api.POST('/api/users/{login}/invitation', { params: { path: { login } }, body: proof ?? {} })),
    gcTime: 0
  })
}

/** Turns off a user's second factor. */
export function useRemoveFactor({ login }: User) {
  return useMutation({
    mutationFn: () => take(api.DELETE('/api/users/{login}/second-factor', { params: { path: { login } } })),
    onSuccess: refresh
  })
}

export function useDeleteUser({ login }: User) {
  return useMutation({
    mutationFn: () => take(api.DELETE('/api/users/{login}', { params: { path: { login } } })),
    onSuccess: refresh
  })
}
