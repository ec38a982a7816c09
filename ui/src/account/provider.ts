import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { api, take } from '../api.ts'
import { ACCOUNT, queries } from '../queries.ts'
import { text } from '../text/index.ts'
import { useAccount } from './account.ts'
import type { Proof } from './password-proof.tsx'

/** How people can sign in. */
export function useSignInWays() {
  return useQuery({
    queryKey: ['sign-in'],
    queryFn: () => take(api.GET('/api/sign-in')),
    staleTime: Number.POSITIVE_INFINITY
  })
}

/** Whether the user proves who they are with the password: others have signed in with the identity provider just before. */
export function usePasswordProof(): boolean {
  const { hasPassword, role } = useAccount()
  const ways = useSignInWays()
  return hasPassword && (role === 'ADMIN' || ways.data?.passwordLogin !== false)
}

/** The address that signs in with the identity provider, and comes back to this page. */
export function providerAddress(page: string): string {
  const to = page.startsWith('/sign-in') ? '/' : page
  return `/api/oidc/start?to=${encodeURIComponent(to)}`
}

/** The sentence for the error with which the identity provider or the server has sent the browser back; undefined without one. */
export function useProviderError(): string | undefined {
  const [parameters] = useSearchParams()
  const code = parameters.get('error')
  if (code === null) return undefined
  const errors: Record<string, string> = text.provider.errors
  return Object.hasOwn(errors, code) ? errors[code] : text.provider.otherError
}

/** Goes to the identity provider, to link the account with the person there. */
export function useStartLinking() {
  return useMutation({
    mutationFn: (proof: Proof) => take(api.POST('/api/account/identity', { body: proof })),
    onSuccess: ({ location }) => globalThis.location.assign(location)
  })
}

/** Unlinks the own account from the identity provider. */
export function useUnlink() {
  return useMutation({
    mutationFn: () => take(api.DELETE('/api/account/identity')),
    onSuccess: () => queries.invalidateQueries({ queryKey: ACCOUNT })
  })
}
