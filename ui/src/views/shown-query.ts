import { createContext, useContext } from 'react'

const ShownQuery = createContext<() => string | undefined>(() => undefined)

export const ShownQueryProvider = ShownQuery.Provider

/** Returns a getter for the query of the view on the screen, without the selection; undefined outside a graph's page. */
export function useShownQuery() {
  return useContext(ShownQuery)
}
