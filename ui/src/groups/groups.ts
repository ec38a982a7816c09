import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { api, type Group, type GroupQuery, take, takePage } from '../api.ts'
import { queries } from '../queries.ts'

const GROUPS = ['groups']
const refresh = () => queries.invalidateQueries({ queryKey: GROUPS })

/** Returns a page of all groups. */
export function useGroups(query: GroupQuery) {
  return useQuery({
    queryKey: [...GROUPS, 'list', query],
    queryFn: ({ signal }) => takePage(api.GET('/api/groups', { params: { query }, signal })),
    placeholderData: keepPreviousData
  })
}

/** Returns the names of the first thousand groups in alphabetical order. */
export function useGroupNames() {
  return useQuery({
    queryKey: [...GROUPS, 'names'],
    queryFn: async ({ signal }) => {
      const query = { size: 1000, sort: ['name,asc'] }
      return (await take(api.GET('/api/groups', { params: { query }, signal }))).map(({ name }) => name)
    }
  })
}

/** Returns a group with its members and the number of graphs shared with it. Only administrators can fetch groups. */
export function useGroup(name: string) {
  return useQuery({
    queryKey: [...GROUPS, 'one', name],
    queryFn: async ({ signal }) => {
      const { members = [], graphCount = 0 } = await take(
        api.GET('/api/groups/{name}', { params: { path: { name } }, signal })
      )
      return { members, graphCount }
    }
  })
}

/** Creates a group, or changes `group` if given. An empty description removes the existing one. */
export function useSaveGroup(group: Group | undefined) {
  return useMutation({
    mutationFn: ({ name, description }: { name: string; description: string }) => {
      const body = { name, description: description || null }
      return take(
        group
          ? api.PATCH('/api/groups/{name}', { params: { path: { name: group.name } }, body })
          : api.POST('/api/groups', { body })
      )
    },
    onSuccess: refresh
  })
}

/** Deletes a group. */
export function useDeleteGroup({ name }: Group) {
  return useMutation({
    mutationFn: () => take(api.DELETE('/api/groups/{name}', { params: { path: { name } } })),
    // Skips the deleted group, which the dialog still shows but which can no longer be fetched.
    onSuccess: () => queries.invalidateQueries({ queryKey: GROUPS, predicate: ({ queryKey }) => queryKey[2] !== name })
  })
}

/** Adds a user to the group or removes them from it. */
export function useMembership(name: string) {
  return useMutation({
    mutationFn: ({ login, isMember }: { login: string; isMember: boolean }) => {
      const path = '/api/groups/{name}/members/{login}'
      const params = { path: { name, login } }
      return take(isMember ? api.PUT(path, { params }) : api.DELETE(path, { params }))
    },
    onSettled: refresh
  })
}

/** Returns the logins of the first thousand users in alphabetical order. Only administrators can fetch them. */
export function useLogins() {
  return useQuery({
    queryKey: ['users', 'logins'],
    queryFn: async ({ signal }) => {
      const query = { size: 1000, sort: ['login,asc'] }
      return (await take(api.GET('/api/users', { params: { query }, signal }))).map(({ login }) => login)
    }
  })
}
