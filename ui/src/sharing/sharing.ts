import { useMutation, useQuery } from '@tanstack/react-query'
import { useAccount } from '../account/account.ts'
import { api, type Grant, type GrantedAccess, type GraphRecord, take } from '../api.ts'
import { GRAPHS, refreshGraphs } from '../graphs/graphs.ts'

export type GranteeKind = 'USER' | 'GROUP'

/** A person, identified by login, or a group, identified by name. */
export interface Grantee {
  kind: GranteeKind
  name: string
}

/** Returns the person or group that has the grant. */
export function granteeOf({ user, group = '' }: Grant): Grantee {
  return user === undefined ? { kind: 'GROUP', name: group } : { kind: 'USER', name: user }
}

/** Returns the grants of a graph. Only the owner and administrators can fetch them. */
export function useGrants(id: number) {
  return useQuery({
    queryKey: [...GRAPHS, 'access', id],
    queryFn: ({ signal }) => take(api.GET('/api/graphs/{id}/access', { params: { path: { id } }, signal }))
  })
}

/** Sets the access of a person or group to the graph, or revokes it if `access` is undefined. */
export function useGrant(id: number) {
  return useMutation({
    mutationFn: ({ kind, name, access }: Grantee & { access: GrantedAccess | undefined }) => {
      if (kind === 'USER') {
        const path = '/api/graphs/{id}/access/users/{login}'
        const params = { path: { id, login: name } }
        return take(access ? api.PUT(path, { params, body: { access } }) : api.DELETE(path, { params }))
      }
      const path = '/api/graphs/{id}/access/groups/{name}'
      const params = { path: { id, name } }
      return take(access ? api.PUT(path, { params, body: { access } }) : api.DELETE(path, { params }))
    },
    onSettled: refreshGraphs
  })
}

/** Shares the graph with all users, or stops sharing it with them, even if someone else has changed the graph. */
export function useShare(id: number) {
  return useMutation({
    mutationFn: (shared: boolean) =>
      take(api.PATCH('/api/graphs/{id}', { params: { path: { id } }, body: { shared } })),
    onSettled: refreshGraphs
  })
}

/** Transfers the graph to the user with this login. */
export function useHandOver({ id }: GraphRecord) {
  return useMutation({
    mutationFn: (owner: string) => take(api.PATCH('/api/graphs/{id}', { params: { path: { id } }, body: { owner } })),
    onSuccess: refreshGraphs
  })
}

/** The maximum number of groups whose members are suggested. */
const MOST_GROUPS = 10

/**
 * Suggests logins that the user can already see, in alphabetical order: owners of recent graphs, and members of the user's
 * groups, or all users if the user is an administrator.
 */
export function usePeople() {
  const { role } = useAccount()
  return useQuery({
    queryKey: ['people'],
    queryFn: async ({ signal }) => {
      const query = { size: 100, sort: ['updatedAt,desc'] }
      const [graphs, { groups }] = await Promise.all([
        take(api.GET('/api/graphs', { params: { query }, signal })),
        take(api.GET('/api/account', { signal }))
      ])
      const all =
        role === 'ADMIN'
          ? await take(api.GET('/api/users', { params: { query: { size: 100, sort: ['login,asc'] } }, signal }))
          : []
      const own = await Promise.all(
        groups
          .slice(0, MOST_GROUPS)
          .map((name) => take(api.GET('/api/groups/{name}', { params: { path: { name } }, signal })))
      )
      const logins = [
        ...graphs.map(({ owner }) => owner),
        ...own.flatMap(({ members = [] }) => members),
        ...all.map(({ login }) => login)
      ]
      return [...new Set(logins)].sort()
    }
  })
}
