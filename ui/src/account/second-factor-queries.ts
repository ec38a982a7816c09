import { useMutation, useQuery } from '@tanstack/react-query'
import { api, take } from '../api.ts'
import { ACCOUNT, queries, SETUP } from '../queries.ts'
import type { Proof } from './password-proof.tsx'

const SECOND_FACTOR = ['second-factor']
const refresh = () => queries.invalidateQueries({ queryKey: SECOND_FACTOR })

// Queries for the caller's second factor. Responses contain the secret and recovery codes, so only the forms keep them.

export function useSecondFactor() {
  return useQuery({
    queryKey: SECOND_FACTOR,
    queryFn: ({ signal }) => take(api.GET('/api/account/second-factor', { signal }))
  })
}

/** Creates a secret. It takes effect once a code confirms it. */
export function useBeginSecondFactor() {
  return useMutation({
    mutationFn: ({ password }: Proof) => take(api.POST('/api/account/second-factor', { body: { password } })),
    gcTime: 0
  })
}

/** Confirms the secret with a code. */
export function useConfirmSecondFactor() {
  return useMutation({
    mutationFn: (code: string) => take(api.POST('/api/account/second-factor/confirmation', { body: { code } })),
    gcTime: 0,
    onSuccess: refresh
  })
}

/** Continues after second-factor setup, and repeats the requests that the server had refused. */
export function finishSetup() {
  queries.setQueryData(SETUP, false)
  return queries.invalidateQueries()
}

export function useRenewRecoveryCodes() {
  return useMutation({
    mutationFn: (proof: Proof) => take(api.POST('/api/account/second-factor/recovery-codes', { body: proof })),
    gcTime: 0,
    onSettled: refresh
  })
}

export function useRemoveSecondFactor() {
  return useMutation({
    mutationFn: (proof: Proof) => take(api.POST('/api/account/second-factor/removal', { body: proof })),
    onSettled: () => Promise.all([refresh(), queries.invalidateQueries({ queryKey: ACCOUNT })])
  })
}
