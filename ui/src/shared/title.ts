import { useEffect } from 'react'
import { text } from '../text/index.ts'

/** Sets the title of the window. */
export function useTitle(title: string | undefined) {
  useEffect(() => {
    document.title = title === undefined ? text.name : `${title} – ${text.name}`
  }, [title])
}
