import { useEffect, useState } from 'react'

/** On unmount, returns focus to the previously focused element, unless something else has focus. */
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

/** Returns the focused element. If it is a menu item, returns the menu's button instead, because menu items disappear. */
function openerOf(): HTMLElement | null {
  const { activeElement } = document
  const menu = activeElement?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  const opener = menu ? document.getElementById(menu) : activeElement
  return opener instanceof HTMLElement ? opener : null
}
