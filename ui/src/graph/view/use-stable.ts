import { useRef } from 'react'

/** Returns the previous object if the value is equal, so that derived values are not recomputed. */
export function useStable<T>(value: T): T {
  const kept = useRef(value)
  if (JSON.stringify(kept.current) !== JSON.stringify(value)) kept.current = value
  return kept.current
}
