import { createContext, useContext } from 'react'

const ShownQuery = createContext<() => string | undefined>(() => undefined)

export const ShownQueryProvider = ShownQuery.Provider

/** Returns a function that returns the query of the view on the screen, without the selection, or undefined if there is none. */
export function useShownQuery() {
  return useContext(ShownQuery)
}
