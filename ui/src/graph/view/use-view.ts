import { createContext, useContext, useMemo } from 'react'
import { useSearchParams } from 'wouter'
import type { Style } from '../../api.ts'
import { readView, type View, writeView } from './view.ts'

/** The query of the view that an address without a query shows. */
const DefaultQuery = createContext<string | undefined>(undefined)

export const DefaultQueryProvider = DefaultQuery.Provider

/**
 * Returns the view in the address or else the default view, with functions to change it or open another view. `known` is the query
 * of the default view outside its provider.
 */
export function useView(known?: string) {
  const [params, setParams] = useSearchParams()
  const provided = useContext(DefaultQuery)
  const defaultQuery = known ?? provided
  const query = params.toString()
  const read = useMemo(() => viewOf(new URLSearchParams(query), defaultQuery), [query, defaultQuery])
  const change = (changes: Partial<View>) =>
    setParams((before) => addressOf({ ...viewOf(before, defaultQuery), ...changes }, defaultQuery), { replace: true })
  const open = (query: string, style: Style | undefined): View => {
    const view = { ...readView(new URLSearchParams(query)), style }
    setParams(addressOf(view, defaultQuery))
    return view
  }
  /** Reads the address, which may have changed since the last render. */
  const readNow = () => viewOf(new URLSearchParams(location.search), defaultQuery)
  return { read, readNow, change, open }
}

function viewOf(params: URLSearchParams, defaultQuery: string | undefined): View {
  return readView(params.size === 0 && defaultQuery !== undefined ? new URLSearchParams(defaultQuery) : params)
}

/** Returns the address of a view. It is not empty if an empty one would show the default view instead. */
function addressOf(view: View, defaultQuery: string | undefined): URLSearchParams {
  const params = writeView(view)
  if (params.size === 0 && defaultQuery) params.set('tab', view.tab)
  return params
}
