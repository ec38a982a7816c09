import { useMutation, useQuery } from '@tanstack/react-query'
import { api, take } from '../api.ts'
import { startAs } from './account.ts'

/** Returns the user whom the secret invites. */
export function useInvitation(secret: string) {
  return useQuery({
    queryKey: ['invitation', secret],
    queryFn: ({ signal }) => take(api.POST('/api/invitation', { body: { secret }, signal })),
    // Once accepted, the invitation no longer exists.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    retry: false,
    gcTime: 0
  })
}

/** Sets the password of the invited user, then signs in, or leaves that to the sign-in form if the password is not enough. */
export function useAcceptInvitation(secret: string) {
  return useMutation({
    mutationFn: async ({ login: username, password }: { login: string; password: string }) => {
      await take(api.POST('/api/invitation/acceptance', { body: { secret, password } }))
      return take(api.POST('/api/session', { body: { username, password, rememberMe: false } })).catch(() => null)
    },
    onSuccess: (user) => user && startAs(user)
  })
}
