import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { Problem, Unreachable, type User } from './api.ts'

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** Whether the mutation changes nothing, for example if it only fetches a file. */
      isRead?: boolean
    }
  }
}

/** The query key of the account. Its value is null if there is no session. */
export const ACCOUNT = ['account']

/** The query key for whether the server requires the user to set up a second factor first. */
export const SETUP = ['setup']

/** The query key of a session that ended without a sign-out in this window. The sign-in form says so. */
export const ENDED = ['ended']

export interface EndedSession {
  /** The user who was signed in. Their pages stay open until the next sign-in. */
  user: User | undefined
  /** Whether the user has just changed their password. */
  hasNewPassword?: boolean
}

/** Shows the sign-in form on top of the user's pages after their session has ended. */
export function endSession() {
  const user = queries.getQueryData<User | null>(ACCOUNT)
  if (user) queries.setQueryData<EndedSession>(ENDED, { user })
  queries.setQueryData(ACCOUNT, null)
}

/** Shows the sign-in form when a request fails because the session has ended. */
function onError(error: unknown) {
  if (!(error instanceof Problem)) return
  if (error.status === 401) endSession()
  // An administrator has set a new password, so refetching the account opens the password form.
  if (error.code === 'password-change-required') queries.invalidateQueries({ queryKey: ACCOUNT })
  if (error.code === 'second-factor-setup-required') queries.setQueryData(SETUP, true)
}

/** The cache of API queries. */
export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      // Sends requests even if the browser is offline, because the server may run on the same machine.
      networkMode: 'always',
      staleTime: 5000,
      // After one second, pages show that the server cannot be reached. They load once it is back (see shared/offline.tsx).
      retry: (count, error) => (error instanceof Unreachable ? count < 1 : count < 2 && isBusy(error))
    },
    mutations: { networkMode: 'always' }
  }
})

function isBusy(error: Error) {
  return error instanceof Problem && error.status === 503
}
