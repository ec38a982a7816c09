import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'

/**
 * Makes the buttons in a box a single Tab stop. The left and right arrow keys move to the next button, and those up and down to
 * the next one of its kind, if any. Returns the handlers of the box.
 */
export function useRovingFocus(box: RefObject<HTMLElement | null>) {
  /** The button that Tab reaches. */
  const stop = useRef<Element>(null)
  const buttons = () => Array.from(box.current?.querySelectorAll('button') ?? [])
  const update = () => {
    const all = buttons()
    const reached = all.find((button) => button === stop.current) ?? all[0]
    for (const button of all) button.tabIndex = button === reached ? 0 : -1
  }
  useEffect(update)
  return {
    // Events also come from forms that the box has opened elsewhere on the page.
    onFocus: ({ target }: FocusEvent) => {
      if (!box.current?.contains(target)) return
      stop.current = target
      update()
    },
    onKeyDown: (event: KeyboardEvent) => {
      const [all, focused] = [buttons(), event.target as HTMLButtonElement]
      const index = all.indexOf(focused)
      if (index < 0) return
      const alike = all.filter(({ className }) => className === focused.className)
      const own = alike.indexOf(focused)
      const targets: Record<string, HTMLElement | undefined> = {
        ArrowLeft: all[index - 1],
        ArrowRight: all[index + 1],
        ArrowUp: alike[own - 1] ?? all[index - 1],
        ArrowDown: alike[own + 1] ?? all[index + 1],
        Home: all[0],
        End: all.at(-1)
      }
      const next = targets[event.key]
      if (!next) return
      event.preventDefault()
      next.focus()
    }
  }
}
