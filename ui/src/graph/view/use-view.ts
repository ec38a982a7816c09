import { useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { readView, type View, writeView } from './view.ts'

/** Returns the view in the address, with functions to change it or open another view. */
export function useView() {
  const [params, setParams] = useSearchParams()
  const query = params.toString()
  const read = useMemo(() => readView(new URLSearchParams(query)), [query])
  const change = (changes: Partial<View>) =>
    setParams((before) => writeView({ ...readView(before), ...changes }), { replace: true })
  const open = (query: string): View => {
    const view = readView(new URLSearchParams(query))
    setParams(writeView(view))
    return view
  }
  return { read, change, open }
}
