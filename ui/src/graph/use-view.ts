import { useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { readView, type View, writeView } from './view.ts'

/** The view in the address, and a function that changes some of it. */
export function useView() {
  const [params, setParams] = useSearchParams()
  const query = params.toString()
  const read = useMemo(() => readView(new URLSearchParams(query)), [query])
  const change = (changes: Partial<View>) =>
    setParams((before) => writeView({ ...readView(before), ...changes }), { replace: true })
  return { read, change }
}
