import { useEffect, useState } from 'react'

/** Gives the focus back to what had it before the component was there, unless something else has it by then. */
export function useReturnedFocus() {
  const [opener] = useState(openerOf)
  useEffect(
    () => () => {
      setTimeout(() => {
        if (document.activeElement === document.body) opener?.focus()
      })
    },
    [opener]
  )
}

/** Returns the focused element; the button of a menu in place of its items, which go away. */
function openerOf(): HTMLElement | null {
  const { activeElement } = document
  const menu = activeElement?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  const opener = menu ? document.getElementById(menu) : activeElement
  return opener instanceof HTMLElement ? opener : null
}
