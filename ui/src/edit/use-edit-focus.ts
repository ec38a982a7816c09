import { useEffect, useRef } from 'react'

/** Where the focus goes when an edit begins, and when it ends: the menu has the button on narrow screens. */
const BEGUN = '.edit-bar button'
const ENDED = '.graph-actions button, .graph-actions ~ button'

/** Moves the focus on when an edit begins or ends, since the button that did it goes away. */
export function useEditFocus(isEdited: boolean) {
  const before = useRef(isEdited)
  /** Whether anything on the page has had the focus: a draft that is loaded with the page takes none away. */
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
