import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { api, take } from '../api.ts'
import { ACCOUNT, queries } from '../queries.ts'
import { text } from '../text/index.ts'
import { useAccount } from './account.ts'
import type { Proof } from './password-proof.tsx'

/** Returns the available ways to sign in. */
export function useSignInWays() {
  return useQuery({
    queryKey: ['sign-in'],
    queryFn: () => take(api.GET('/api/sign-in')),
    staleTime: Number.POSITIVE_INFINITY
  })
}

/**
 * Returns whether the user confirms changes with a password. Users without one must have signed in with the identity provider
 * recently.
 */
export function usePasswordProof(): boolean {
  const { hasPassword, role } = useAccount()
  const ways = useSignInWays()
  return hasPassword && (role === 'ADMIN' || ways.data?.passwordLogin !== false)
}

/** Returns the address that starts a sign-in with the identity provider and then returns to this page. */
export function providerAddress(page: string): string {
  const to = page.startsWith('/sign-in') ? '/' : page
  return `/api/oidc/start?to=${encodeURIComponent(to)}`
}

/** Returns the message for the error code in the address after a redirect from the identity provider, if any. */
export function useProviderError(): string | undefined {
  const [parameters] = useSearchParams()
  const code = parameters.get('error')
  if (code === null) return undefined
  const errors: Record<string, string> = text.provider.errors
  return Object.hasOwn(errors, code) ? errors[code] : text.provider.otherError
}

/** Redirects to the identity provider to link the account to an identity. */
export function useStartLinking() {
  return useMutation({
    mutationFn: (proof: Proof) => take(api.POST('/api/account/identity', { body: proof })),
    onSuccess: ({ location }) => globalThis.location.assign(location)
  })
}

/** Unlinks the caller's account from the identity provider. */
export function useUnlink() {
  return useMutation({
    mutationFn: () => take(api.DELETE('/api/account/identity')),
    onSuccess: () => queries.invalidateQueries({ queryKey: ACCOUNT })
  })
}
