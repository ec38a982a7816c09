import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { Problem, Unreachable, type User } from './api.ts'

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** The mutation changes nothing: it fetches a file, for example. */
      isRead?: boolean
    }
  }
}

/** The query key of the account: null without a session. */
export const ACCOUNT = ['account']

/** The query key of whether the server wants the user to set a second factor up before anything else. */
export const SETUP = ['setup']

/** The query key of a session that has ended without the user signing out here; the sign-in form shows it. */
export const ENDED = ['ended']

export interface EndedSession {
  /** Its user, whose pages stay as they are until the next sign-in. */
  user: User | undefined
  /** Whether the user has just changed the password. */
  hasNewPassword?: boolean
}

/** Shows the sign-in form above the pages of the user, whose session has ended. */
export function endSession() {
  const user = queries.getQueryData<User | null>(ACCOUNT)
  if (user) queries.setQueryData<EndedSession>(ENDED, { user })
  queries.setQueryData(ACCOUNT, null)
}

/** Shows the sign-in form as soon as any request notices the end of the session. */
function onError(error: unknown) {
  if (!(error instanceof Problem)) return
  if (error.status === 401) endSession()
  // An administrator has set a new password; the account query leads to the password form.
  if (error.code === 'password-change-required') queries.invalidateQueries({ queryKey: ACCOUNT })
  if (error.code === 'second-factor-setup-required') queries.setQueryData(SETUP, true)
}

/** The cache of API queries. */
export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      // Ignores the browser's network state, since the server may be on the same machine.
      networkMode: 'always',
      staleTime: 5000,
      retry: (count, error) => count < 2 && (error instanceof Unreachable || isBusy(error))
    },
    mutations: { networkMode: 'always' }
  }
})

function isBusy(error: Error) {
  return error instanceof Problem && error.status === 503
}
