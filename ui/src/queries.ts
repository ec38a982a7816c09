import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { Problem, Unreachable } from './api.ts'

/** The account's query: null stands for nobody. */
export const ACCOUNT = ['account']

/** Whether the session ended without being asked to, which the way in tells. */
export const ENDED = ['ended']

/** A session may end at any time: whatever notices it first, everybody is shown the way in. */
function onError(error: unknown) {
  if (!(error instanceof Problem)) return
  if (error.status === 401) {
    if (queries.getQueryData(ACCOUNT)) queries.setQueryData(ENDED, true)
    queries.setQueryData(ACCOUNT, null)
  }
  // An administrator has asked for it meanwhile: the account tells, and with it comes the page for that.
  if (error.code === 'password-change-required') queries.invalidateQueries({ queryKey: ACCOUNT })
}

/** What was asked of the service, and its answers. */
export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      // The server is often on the same machine: what the browser thinks of the network does not matter.
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
