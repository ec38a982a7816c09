import { useRef } from 'react'

/** Remembers which element had the focus when something opened, and gives it back when that closes. */
export function useOpener() {
  const opener = useRef<HTMLElement>(null)
  return {
    remember: () => {
      opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null
    },
    /** Focuses the drawing or the table if the element is gone. */
    restore: () => {
      const { current } = opener
      const isThere = current?.isConnected && current !== document.body
      const target = isThere ? current : document.querySelector<HTMLElement>('.graph-main [tabindex="0"]')
      target?.focus()
    }
  }
}
