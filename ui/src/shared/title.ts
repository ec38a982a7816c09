import { useEffect } from 'react'
import { text } from '../text/index.ts'

/** Sets the window title while the page is shown. */
export function useTitle(title: string | undefined) {
  useEffect(() => {
    const before = document.title
    document.title = title === undefined ? text.name : `${title} – ${text.name}`
    return () => {
      document.title = before
    }
  }, [title])
}
