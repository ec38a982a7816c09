import { useMutation, useQuery } from '@tanstack/react-query'
import type { Proof } from '../account/password-proof.tsx'
import { api, type Scope, take } from '../api.ts'
import { queries } from '../queries.ts'

const TOKENS = ['tokens']
const refresh = () => queries.invalidateQueries({ queryKey: TOKENS })

// Hooks for the tokens of a user, or of the caller if no login is given.

/** Returns all tokens of the user, ordered by id. */
export function useTokens(login: string | undefined) {
  return useQuery({
    queryKey: [...TOKENS, login ?? null],
    queryFn: ({ signal }) =>
      take(
        login === undefined
          ? api.GET('/api/account/tokens', { signal })
          : api.GET('/api/users/{login}/tokens', { params: { path: { login } }, signal })
      )
  })
}

/** Creates a token. Only the response contains its value, and only the dialog keeps it. */
export function useCreateToken(login: string | undefined) {
  return useMutation({
    mutationFn: (body: { name: string; scopes: Scope[]; expiresAt: string } & Partial<Proof>) =>
      take(
        login === undefined
          ? api.POST('/api/account/tokens', { body })
          : api.POST('/api/users/{login}/tokens', { params: { path: { login } }, body })
      ),
    gcTime: 0,
    onSettled: refresh
  })
}

/** Revokes a token. */
export function useRevokeToken(login: string | undefined) {
  return useMutation({
    mutationFn: (tokenId: number) =>
      take(
        login === undefined
          ? api.DELETE('/api/account/tokens/{tokenId}', { params: { path: { tokenId } } })
          : api.DELETE('/api/users/{login}/tokens/{tokenId}', { params: { path: { login, tokenId } } })
      ),
    onSettled: refresh
  })
}
