import { useEffect, useRef } from 'react'

/** The elements to focus when an edit begins or ends. On narrow screens, the edit button is in the menu. */
const BEGUN = '.edit-bar button'
const ENDED = '.graph-actions button, .graph-actions ~ button'

/** Moves focus to the form of the edited node or edge, once the selection and the form are shown. */
export function focusElementForm() {
  setTimeout(() => document.querySelector<HTMLElement>('.element-form input:not([type=checkbox])')?.focus())
}

/** Moves focus when an edit begins or ends, because the pressed button disappears. */
export function useEditFocus(isEdited: boolean) {
  const before = useRef(isEdited)
  /** Whether anything on the page has been focused yet. A draft restored on load must not steal focus. */
  const wasUsed = useRef(false)
  useEffect(() => {
    const use = () => {
      wasUsed.current = true
    }
    addEventListener('focusin', use)
    return () => removeEventListener('focusin', use)
  }, [])
  useEffect(() => {
    if (before.current === isEdited) return
    before.current = isEdited
    if (!wasUsed.current || document.activeElement !== document.body) return
    const buttons = document.querySelectorAll<HTMLElement>(isEdited ? BEGUN : ENDED)
    Array.from(buttons)
      .find((button) => button.checkVisibility())
      ?.focus()
  }, [isEdited])
}
