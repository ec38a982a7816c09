import { useEffect } from 'react'
import { text } from '../text/index.ts'

/** Names the page in the window's title. */
export function useTitle(title: string | undefined) {
  useEffect(() => {
    document.title = title === undefined ? text.name : `${title} – ${text.name}`
  }, [title])
}
