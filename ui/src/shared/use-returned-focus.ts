import { useEffect, useState } from 'react'

/** Returns the focus to the previously focused element on unmount, unless something else has the focus. */
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

/** Returns the focused element, or the button of the menu that contains it, because menu items disappear. */
function openerOf(): HTMLElement | null {
  const { activeElement } = document
  const menu = activeElement?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  const opener = menu ? document.getElementById(menu) : activeElement
  return opener instanceof HTMLElement ? opener : null
}
