import { useRef } from 'react'

/** Remembers the focused element when something opens, and restores focus when it closes. */
export function useOpener() {
  const opener = useRef<HTMLElement>(null)
  return {
    remember: () => {
      opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null
    },
    /** Focuses the drawing or table if the element no longer exists or is hidden. Waits until the change is shown. */
    restore: () => {
      setTimeout(() => {
        const { current } = opener
        const isThere = current?.checkVisibility() && current !== document.body
        const target = isThere ? current : document.querySelector<HTMLElement>('.graph-main [tabindex="0"]')
        target?.focus()
      })
    }
  }
}
